// The simplest walker of Garcia, Chatterjee, Ruina and Coleman (1998): a compass whose legs weigh nothing.
#include <gtest/gtest.h>

#include "support/walkers.hpp"

namespace stance {
namespace {

using namespace test;

// Published for foot mass to hip mass -> 0, slope 0.009, time in sqrt(l/g); Garcia counts from the slope's normal and
// backwards as positive. Here the ratio is 1e-12, which shifts the fixed point by about as much.
constexpr double kSlope = 0.009, kAngle = 0.200310900544287, kRate = -0.199832473004977;

TEST(SimplestWalker, ReturnsToGarciasFixedPoint) {
  const auto model = compass(1e4, 1e-8, 1, 1);  // masses at hip and feet, g = l = 1
  SimulatorSettings settings = compass_settings(*model, kSlope);
  settings.step = 1e-2;
  settings.integrator = {Method::kDormandPrince, 1e-13, 1000};
  auto simulator = std::make_unique<Simulator>(*model, settings);
  // heel strike leaves phi = 2 theta and phi' = (1 - cos 2 theta) theta', phi the swing leg from the stance leg
  const double swing_rate = (1 - std::cos(2 * kAngle)) * kRate;
  start_compass(*simulator, kSlope - kAngle, -kRate, 2 * kAngle, swing_rate);
  ContactEvent event, touchdown;
  while (touchdown.sequence == 0 && touchdown.time == 0) {
    ASSERT_EQ(simulator->step_to_event({}), Status::kOk);
    ASSERT_LT(simulator->state().time, 6);
    while (simulator->events().pop(event)) {
      if (event.kind == EventKind::kTouchdown) touchdown = event;
    }
  }
  const State& state = simulator->state();
  EXPECT_NEAR(state.q[0], kSlope - kAngle, 1e-10);
  EXPECT_NEAR(state.v[0], -kRate, 1e-10);
  EXPECT_NEAR(state.q[kSupportCoordinates], -2 * kAngle, 1e-10);
  EXPECT_NEAR(state.v[kSupportDofs], -swing_rate, 1e-10);
  EXPECT_NEAR(touchdown.time, 3.88, 0.01);  // Garcia: the long-period gait takes 3.88
}

}  // namespace
}  // namespace stance
