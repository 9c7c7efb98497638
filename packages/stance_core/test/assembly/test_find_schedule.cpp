// Schedules that are found: how deep, how long they are said to take, and that they answer as all others do.
#include <gtest/gtest.h>

#include <cmath>

#include "stance_core/assembly/disassemble.hpp"
#include "stance_core/assembly/find_schedule.hpp"
#include "stance_core/dynamics/aba.hpp"
#include "support/random_case.hpp"
#include "support/random_schedule.hpp"

namespace stance::test {
namespace {

Case chain_of(Random& random, int bodies, JointKind support) {
  RobotKind kind;
  kind.bodies = bodies;
  kind.only_revolute = true;
  kind.branching = 0;
  Case c = random_case(random, kind, support);
  *c.tree = make_tree(*c.model, BodyId(0), c.tree->support);
  c.state = random_state(random, *c.model, *c.tree);
  return c;
}

Forecast forecast_of(const Case& c, const Schedule& schedule, int processors) {
  auto plan = make_plan(*c.model, *c.tree, {}, schedule);
  EXPECT_TRUE(plan);
  return share_out(*plan, processors);
}

// Joints on the longest way down: of n joints in a row no tree has less than 1 + log2 n of them, rounded down.
TEST(FindSchedule, AChainIsAsFlatAsMayBeForAllProcessorsThereAre) {
  Random random(1);
  for (int bodies = 2; bodies <= 64; ++bodies) {
    for (const JointKind support : {JointKind::kFree, JointKind::kFixed}) {
      const Case c = chain_of(random, bodies, support);
      const auto plan = make_plan(*c.model, *c.tree, {},
                                  find_schedule(*c.model, *c.tree, {}, std::max(2, bodies)));
      const int joints = bodies - (support == JointKind::kFree ? 1 : 0);
      const int least = 1 + static_cast<int>(std::floor(std::log2(joints)));
      ASSERT_TRUE(plan);
      EXPECT_GE(plan->depth, least) << bodies;
      EXPECT_LE(plan->depth, least + 1) << bodies;
    }
  }
}

// A chain in flight has two tips: two processors take half the time, and one no more work than the articulated bodies.
TEST(FindSchedule, AChainInFlightIsTakenFromBothEnds) {
  Random random(2);
  const Case c = chain_of(random, 48, JointKind::kFree);
  const Forecast one = forecast_of(c, find_schedule(*c.model, *c.tree, {}, 1), 1);
  const Forecast two = forecast_of(c, find_schedule(*c.model, *c.tree, {}, 2), 2);
  EXPECT_LE(one.time, 47 + 4.2 + 1e-9);
  EXPECT_LE(two.time, one.time * 0.65);
}

TEST(FindSchedule, NoneOfManyRandomOnesIsPredictedToBeFaster) {
  Random random(3);
  for (int k = 0; k < 6; ++k) {
    RobotKind kind;
    kind.bodies = 4 + 3 * k;
    kind.branching = 0.6;
    const Case c = random_case(random, kind, kSupports[k % 6]);
    for (const int processors : {1, 2, 4}) {
      const double found =
          forecast_of(c, find_schedule(*c.model, *c.tree, {}, processors), processors).time;
      double best = 1e300;
      for (int j = 0; j < 1000; ++j)
        best = std::min(best, forecast_of(c, random_schedule(random, *c.model), processors).time);
      if (2 * processors >= kind.bodies) continue;  // there the least depth was asked for
      EXPECT_LE(found, 1.3 * best) << kind.bodies << ' ' << processors;
    }
  }
}

TEST(FindSchedule, TheAnswerStaysWhatItIs) {
  Random random(4);
  for (int k = 0; k < 40; ++k) {
    RobotKind kind;
    kind.bodies = 1 + pick(random, 20);
    const Case c = random_case(random, kind, kSupports[k % 6]);
    DofVector a{}, b{};
    ASSERT_EQ(aba(*c.model, *c.tree, c.state, c.tau, c.f_ext, *c.w, a), Status::kOk);
    for (const int processors : {1, 3}) {
      auto plan = make_plan(*c.model, *c.tree, {},
                            find_schedule(*c.model, *c.tree, {}, processors));
      share_out(*plan, processors);
      AssemblyMemory memory(*plan);
      ClosureForces forces;
      ASSERT_EQ(assembly_dynamics(*c.model, *c.tree, *plan, c.state, c.tau, c.f_ext, {}, *c.w,
                                  memory, b, forces),
                Status::kOk);
      EXPECT_LT(relative_difference(b, a, c.model->dof_count), 1e-9);
    }
  }
}

}  // namespace
}  // namespace stance::test
