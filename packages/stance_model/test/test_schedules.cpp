// The schedules that are found for the robots that are shipped, beside random ones.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <random>

#include "stance_core/assembly/find_schedule.hpp"
#include "stance_model/load_robot.hpp"

namespace stance {
namespace {

double predicted(const Model& model, const Tree& tree, const Schedule& schedule, int processors) {
  auto plan = make_plan(model, tree, {}, schedule);
  EXPECT_TRUE(plan);
  return share_out(*plan, processors).time;
}

// Predicted: the time on that many processors.
TEST(Schedules, OfTheShippedRobotsAreAsGoodAsTheBestOfTenThousandRandomOnes) {
  std::mt19937_64 random(10000);
  int robots = 0;
  for (const auto& entry : std::filesystem::directory_iterator(STANCE_URDF_FOLDER)) {
    if (entry.path().extension() != ".urdf") continue;
    const auto robot = load_robot(entry.path());
    ASSERT_TRUE(robot);
    const Model& model = (*robot)->model;
    if (model.body_count < 3) continue;
    ++robots;
    const auto tree = std::make_unique<Tree>(make_tree(model));
    for (const int processors : {1, 2}) {
      const double found = predicted(model, *tree, find_schedule(model, *tree, {}, processors),
                                     processors);
      Schedule schedule = chain_schedule(model, *tree, {});
      double best = 1e300;
      for (int k = 0; k < 10000; ++k) {
        for (std::size_t j = schedule.joints.size() - 1; j > 0; --j)
          std::swap(schedule.joints[j], schedule.joints[random() % (j + 1)]);
        best = std::min(best, predicted(model, *tree, schedule, processors));
      }
      // half as many processors as bodies asked for the least depth, whatever it costs
      if (processors > 1 && 2 * processors >= model.body_count) continue;
      EXPECT_LE(found, 1.3 * best) << entry.path() << " on " << processors;
    }
  }
  EXPECT_GE(robots, 6);
}

}  // namespace
}  // namespace stance
