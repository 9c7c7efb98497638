#include "stance_core/plant/actuator.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace stance {
namespace {

TEST(Actuator, RangeIsTheMotorsLineWithinTheLimit) {
  Actuator a;
  a.effort_limit = 8, a.stall_effort = 10, a.no_load_speed = 20;
  const double rows[][3] = {// speed, low, high
                            {0, -8, 8},   {2, -8, 8},  {4, -8, 8},  {5, -8, 7.5},
                            {10, -8, 5},  {20, -8, 0}, {30, -8, 0}, {-2, -8, 8},
                            {-10, -5, 8}, {-20, 0, 8}, {-30, 0, 8}};
  for (const auto& [v, low, high] : rows) {
    EXPECT_DOUBLE_EQ(effort_range(a, v).low, low) << v;
    EXPECT_DOUBLE_EQ(effort_range(a, v).high, high) << v;
  }
}

TEST(Actuator, WithoutLimitsGivesAnything) {
  Actuator a;
  a.effort_limit = std::numeric_limits<double>::infinity();
  EXPECT_EQ(effort_range(a, 1e6).high, a.effort_limit);
  EXPECT_EQ(effort_range(a, 1e6).low, -a.effort_limit);
  a.stall_effort = 10, a.no_load_speed = 20;
  EXPECT_EQ(effort_range(a, 10).high, 5);
  EXPECT_EQ(effort_range(a, 10).low, -15);
}

}  // namespace
}  // namespace stance
