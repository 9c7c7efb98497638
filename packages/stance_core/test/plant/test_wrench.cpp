#include "stance_core/plant/wrench.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace stance {
namespace {

Wrench push(double start, double duration, double ramp) {
  Wrench wrench;
  wrench.start = start, wrench.duration = duration, wrench.ramp = ramp;
  return wrench;
}

// Whatever the step, and wherever the flanks fall in it, the means add up to the area of the trapezoid.
TEST(Wrench, ImpulseIsExactForAnyStep) {
  for (const double ramp : {0.0, 0.0137, 0.05, 0.1}) {
    for (const double h : {1e-3, 0.7e-3, 0.0311, 0.5}) {
      const Wrench wrench = push(0.0123, 0.2, ramp);
      double sum = 0;
      for (int k = 0; k < std::ceil(1 / h); ++k) {
        const double mean = mean_strength(wrench, k * h, h);
        EXPECT_GE(mean, 0);
        EXPECT_LE(mean, 1 + 1e-13);
        sum += h * mean;
      }
      EXPECT_NEAR(sum, 0.2 - ramp, 1e-14) << ramp << ' ' << h;
    }
  }
}

TEST(Wrench, FollowsTheTrapezoid) {
  const Wrench wrench = push(1, 0.4, 0.1);
  constexpr double kShort = 1e-6;
  const double points[][2] = {{0.5, 0}, {0.99, 0},   {1.025, 0.25}, {1.05, 0.5}, {1.1, 1}, {1.2, 1},
                              {1.3, 1}, {1.35, 0.5}, {1.375, 0.25}, {1.41, 0},   {9, 0}};
  for (const auto& [t, strength] : points)  // a mean over 1e-6 s of slopes of 10 per second
    EXPECT_NEAR(mean_strength(wrench, t, kShort), strength, 2e-5) << t;
}

}  // namespace
}  // namespace stance
