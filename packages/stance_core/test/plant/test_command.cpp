#include "stance_core/plant/command.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <vector>

namespace stance {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

TEST(Command, SetsThatMeanSomething) {
  for (int set = 0; set < 256; ++set) {
    const bool kp_alone = (set & kKpCommand) != 0 && (set & kPositionCommand) == 0;
    EXPECT_EQ(is_valid(static_cast<CommandSet>(set)), set < 32 && !kp_alone) << set;
  }
}

TEST(Command, TakesWhatTheSetHas) {
  const Setpoint before{1, 2, 3, 4, 5};
  const Command command{10, 20, 30, 40, 50};
  for (int set = 0; set <= kHybridCommand; ++set) {
    Setpoint s = before;
    ASSERT_TRUE(accept(static_cast<CommandSet>(set), command, s));
    EXPECT_EQ(s.position, (set & kPositionCommand) != 0 ? 10 : 1);
    EXPECT_EQ(s.velocity, (set & kVelocityCommand) != 0 ? 20 : 2);
    EXPECT_EQ(s.effort, (set & kEffortCommand) != 0 ? 30 : 3);
    EXPECT_EQ(s.kp, (set & kKpCommand) != 0 ? 40 : 4);
    EXPECT_EQ(s.kd, (set & kKdCommand) != 0 ? 50 : 5);
  }
}

TEST(Command, NaNHoldsPositionAndGainsAndStopsTheRest) {
  Setpoint s{1, 2, 3, 4, 5};
  ASSERT_TRUE(accept(kHybridCommand, {}, s));
  EXPECT_EQ(s.position, 1);
  EXPECT_EQ(s.velocity, 0);
  EXPECT_EQ(s.effort, 0);
  EXPECT_EQ(s.kp, 4);
  EXPECT_EQ(s.kd, 5);
  // one of them alone
  ASSERT_TRUE(accept(kHybridCommand, {kNaN, 6, 7, 8, kNaN}, s));
  EXPECT_EQ(s.position, 1);
  EXPECT_EQ(s.velocity, 6);
  EXPECT_EQ(s.effort, 7);
  EXPECT_EQ(s.kp, 8);
  EXPECT_EQ(s.kd, 5);
}

TEST(Command, InfiniteOrNegativeGainsAreRefusedAsAWhole) {
  const Command sound{10, 20, 30, 40, 50};
  const auto with = [&](int k, double value) {
    Command c = sound;
    double* numbers[] = {&c.position, &c.velocity, &c.effort, &c.kp, &c.kd};
    *numbers[k] = value;
    return c;
  };
  const Setpoint before{1, 2, 3, 4, 5};
  for (int k = 0; k < 5; ++k) {
    for (const double bad : {kInfinity, -kInfinity}) {
      Setpoint s = before;
      EXPECT_FALSE(accept(kHybridCommand, with(k, bad), s)) << k;
      EXPECT_EQ(s.position, 1);
      EXPECT_EQ(s.kd, 5);
      // not read, so not refused
      EXPECT_TRUE(accept(static_cast<CommandSet>(kHybridCommand & ~(1 << k)), with(k, bad), s));
    }
    Setpoint s = before;
    EXPECT_EQ(accept(kHybridCommand, with(k, -1), s), k < 3) << k;
  }
}

}  // namespace
}  // namespace stance
