#include "history.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace stance::report {
namespace {

TEST(History, KeepsTheLastStepsAndNoMore) {
  History history(4);
  const double period = 0.7344;
  double next_step = 0;
  std::size_t most = 0;
  for (int i = 0; i < 200000; ++i) {  // a thousand seconds
    const double time = 0.005 * i;
    if (time >= next_step) {
      const int foot = static_cast<int>(std::lround(next_step / period)) % 2;
      history.step(next_step);
      history.touch(foot, next_step);
      history.leave(1 - foot, next_step);
      next_step += period;
    }
    Sample sample;
    sample.time = time;
    history.add(sample);
    most = std::max(most, history.samples().size());
  }
  EXPECT_LE(history.samples().front().time, next_step - 5 * period);
  EXPECT_LT(most, 1300u);  // six seconds
  EXPECT_LT(history.contacts().size(), 12u);
}

TEST(History, StaysBoundedWhenThereAreNoSteps) {
  History history(4);
  for (int i = 0; i < 100000; ++i) {
    Sample sample;
    sample.time = 0.005 * i;
    history.add(sample);
  }
  EXPECT_LE(history.samples().size(), 8000u);
  EXPECT_LE(history.samples().front().time, history.samples().back().time - 6 + 1e-9);
}

TEST(History, ContinuesTheCurvesUpToAJump) {
  // T falls by 2 J/s before the jump at 0.35 s and rises by 3 J/s after it
  std::deque<Sample> samples;
  const auto add = [&](double time, double kinetic, bool jump) {
    Sample s;
    s.time = time, s.energy.kinetic = kinetic, s.jump = jump, s.jump_time = 0.35;
    samples.push_back(s);
  };
  add(0.2, 5 - 0.4, false);
  add(0.3, 5 - 0.6, false);
  add(0.4, 1 + 0.15, true);
  add(0.5, 1 + 0.45, false);
  const auto all = with_jumps(samples);
  ASSERT_EQ(all.size(), 6u);
  EXPECT_EQ(all[2].time, 0.35);
  EXPECT_NEAR(all[2].energy.kinetic, 5 - 0.7, 1e-12);
  EXPECT_FALSE(all[2].jump);
  EXPECT_EQ(all[3].time, 0.35);
  EXPECT_NEAR(all[3].energy.kinetic, 1, 1e-12);
  EXPECT_TRUE(all[3].jump);
  EXPECT_FALSE(all[4].jump);
}

}  // namespace
}  // namespace stance::report
