// The gait that was asked for and not another, and what is said of those that were met on the way.
#include "stance_gait/find_gait.hpp"

#include <gtest/gtest.h>

#include "gait_walkers.hpp"
#include "stance_gait/multipliers.hpp"
#include "stance_gait/robustness.hpp"

namespace stance {
namespace {

using namespace test;

constexpr double kDegree = M_PI / 180;

Walker steep(const Model& model, double degrees) {
  return compass_walker(model, degrees * kDegree, 0.30, 1.15, 0.16);
}

TEST(FindGait, FindsTheLimpAndTheGaitOfOneStepBesideIt) {
  const auto model = compass();
  const auto map = StepMap::make(steep(*model, 4.45));
  ASSERT_TRUE(map);
  GaitSearch search;
  const auto one = find_gait(*map, search);
  ASSERT_TRUE(one) << one.error().text();
  EXPECT_GT(std::abs(one->gait.multipliers[0]), 1);
  ASSERT_EQ(one->remarks.size(), 1u);  // where the walk goes
  EXPECT_NE(one->remarks[0].find("in 2 steps, stable"), std::string::npos) << one->remarks[0];
  search.newton.steps = 2;
  const auto two = find_gait(*map, search);
  ASSERT_TRUE(two) << two.error().text();
  EXPECT_LT(std::abs(two->gait.multipliers[0]), 1);
  ASSERT_EQ(two->gait.step.lengths.size(), 2u);
  EXPECT_GT(std::abs(two->gait.step.lengths[0] - two->gait.step.lengths[1]), 0.02);
  EXPECT_NEAR(two->gait.step.lengths[0] + two->gait.step.lengths[1], two->gait.step.length, 1e-15);
  const auto least = least_period(*map, two->gait.x, 4);
  ASSERT_TRUE(least);
  EXPECT_EQ(*least, 2);
}

TEST(FindGait, SaysThatThereIsNoneOfSoManySteps) {
  const auto model = compass();
  const auto map = StepMap::make(compass_walker(*model, 3 * kDegree, 0.27, 1.09, 0.38));
  GaitSearch search;
  search.newton.steps = 2;
  search.guesses = 4;
  const auto none = find_gait(*map, search);
  ASSERT_FALSE(none);
  EXPECT_NE(none.error().text().find("repeats after 1 step already"), std::string::npos)
      << none.error().text();
}

TEST(FindGait, SettlesToWhatRepeats) {
  const auto model = compass();
  const auto map = StepMap::make(steep(*model, 4.45));
  const Settled settled = settle(*map, map->coordinates(map->walker().start));
  EXPECT_EQ(settled.period, 2);
  const auto uphill = StepMap::make(compass_walker(*model, -3 * kDegree, 0.27, 1.09, 0.38));
  const Settled fallen = settle(*uphill, uphill->coordinates(uphill->walker().start));
  EXPECT_EQ(fallen.period, 0);
  EXPECT_TRUE(fallen.end);
}

// A gait is as robust as the least disturbance from which it does not return; half of it is one from which it does.
TEST(FindGait, RobustnessIsABorder) {
  const auto model = compass();
  const auto map = StepMap::make(compass_walker(*model, 3 * kDegree, 0.27, 1.09, 0.38));
  const auto found = find_gait(*map);
  ASSERT_TRUE(found);
  const Robustness r = robustness(*map, found->gait, 1);
  EXPECT_GT(r.margin, 1e-3);
  EXPECT_LT(r.margin, 0.5);
  const auto ends_well = [&](double size) {
    Eigen::VectorXd x = found->gait.x;
    x[r.coordinate] += r.sign * size * (1 + std::abs(x[r.coordinate]));
    for (int k = 0; k < 40; ++k) {
      const auto step = map->walk(x);
      if (!step) return false;
      x = step->x;
    }
    return difference(x, found->gait.x) < 1e-3;
  };
  EXPECT_TRUE(ends_well(0.9 * r.margin));
  EXPECT_FALSE(ends_well(1.1 * r.margin + 2e-3));
}

}  // namespace
}  // namespace stance
