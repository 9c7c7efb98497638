// A gait followed along the slope.
#include "stance_gait/sweep.hpp"

#include <gtest/gtest.h>

#include "gait_walkers.hpp"

namespace stance {
namespace {

using namespace test;

constexpr double kDegree = M_PI / 180;

// Each point is what a search of its own finds, in order, though they are met from the middle outwards.
TEST(Sweep, FindsTheGaitsThatSearchesFind) {
  const auto model = compass();
  const Walker walker = compass_walker(*model, 3 * kDegree, 0.27, 1.09, 0.38);
  std::size_t calls = 0;
  const auto sweep = sweep_slopes(walker, 3 * kDegree, {4.5 * kDegree, 2 * kDegree, 4.3 * kDegree},
                                  {}, [&](std::size_t count) { return ++calls == count; });
  ASSERT_TRUE(sweep) << sweep.error().text();
  EXPECT_TRUE(sweep->losses.empty());
  EXPECT_EQ(calls, 3u);
  ASSERT_EQ(sweep->points.size(), 3u);
  const double degrees[] = {2, 4.3, 4.5};
  for (std::size_t k = 0; k < 3; ++k) {
    const SweepPoint& point = sweep->points[k];
    EXPECT_EQ(point.slope, degrees[k] * kDegree);
    // a steady gait loses what the slope gives
    EXPECT_NEAR(point.gait.step.energy_lost,
                4 * 9.81 * std::sin(point.slope) * point.gait.step.length, 1e-9);
  }
  // the first period doubling is at 4.391 degrees
  EXPECT_GT(sweep->points[1].gait.multipliers[0].real(), -1);
  EXPECT_LT(sweep->points[2].gait.multipliers[0].real(), -1);
}

// Where there is no gait of two steps, one of one step is not taken for it.
TEST(Sweep, DoesNotFollowAGaitOfOneStepAsOneOfTwo) {
  const auto model = compass();
  const Walker walker = compass_walker(*model, 3 * kDegree, 0.27, 1.09, 0.38);
  NewtonSettings two;
  two.steps = 2;
  const auto sweep = sweep_slopes(walker, 3 * kDegree, {2.9 * kDegree, 3.1 * kDegree}, two,
                                  [](std::size_t) { return true; });
  ASSERT_FALSE(sweep);
  EXPECT_NE(sweep.error().text().find("none of 2 steps found"), std::string::npos)
      << sweep.error().text();
}

TEST(Sweep, SaysWhereAGaitIsLostAndStopsWhenTold) {
  const auto model = compass();
  const Walker walker = compass_walker(*model, 3 * kDegree, 0.27, 1.09, 0.38);
  // uphill no passive walker walks
  const auto lost = sweep_slopes(walker, 3 * kDegree, {-1 * kDegree}, {},
                                 [](std::size_t) { return true; });
  ASSERT_TRUE(lost);
  EXPECT_TRUE(lost->points.empty());
  ASSERT_EQ(lost->losses.size(), 1u);
  EXPECT_NE(lost->losses[0].text().find("the gait is lost on the way from"), std::string::npos);
  const auto stopped = sweep_slopes(walker, 3 * kDegree, {3.1 * kDegree, 3.2 * kDegree}, {},
                                    [](std::size_t) { return false; });
  ASSERT_TRUE(stopped);
  EXPECT_EQ(stopped->points.size(), 1u);
}

}  // namespace
}  // namespace stance
