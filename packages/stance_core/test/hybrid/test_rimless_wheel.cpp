// The rimless wheel: one body, many feet, a gait in closed form.
#include <gtest/gtest.h>

#include "support/wheel_and_knees.hpp"

namespace stance {
namespace {

using namespace test;

constexpr int kSpokes = 12;
constexpr double kHalf = M_PI / kSpokes, kSlope = 0.1, kG = 9.81;

// omega⁺² after the next impact from omega⁺² after this one: fall from -alpha to +alpha about the slope's normal, then
// the loss cos(2 alpha).
double next_square(double square) {
  const double c = std::cos(2 * kHalf);
  return c * c * (square + 2 * kG * (std::cos(kSlope - kHalf) - std::cos(kSlope + kHalf)));
}
double fixed_point() {
  const double c2 = std::cos(2 * kHalf) * std::cos(2 * kHalf);
  return std::sqrt(c2 / (1 - c2) * 2 * kG * (std::cos(kSlope - kHalf) - std::cos(kSlope + kHalf)));
}

struct Wheel {
  std::unique_ptr<Model> model = rimless_wheel(kSpokes);
  std::unique_ptr<Simulator> simulator;
  explicit Wheel(double rate) {
    simulator = std::make_unique<Simulator>(*model, wheel_settings(*model, kSpokes, kSlope));
    const double angle = kSlope - kHalf;
    simulator->start_on_foot(0, {}, State{}, &angle, &rate);
  }
  // To just after the next impact.
  ContactEvent walk() {
    ContactEvent event, touchdown;
    bool touched = false;
    for (int k = 0; k < 10000 && !touched; ++k) {
      EXPECT_EQ(simulator->step_to_event({}), Status::kOk);
      while (simulator->events().pop(event)) {
        if (event.kind == EventKind::kTouchdown) touchdown = event, touched = true;
      }
    }
    EXPECT_TRUE(touched);
    return touchdown;
  }
};

TEST(RimlessWheel, StaysOnItsFixedPoint) {
  Wheel wheel(fixed_point());
  for (int step = 1; step <= 30; ++step) {
    const ContactEvent event = wheel.walk();
    EXPECT_EQ(wheel.simulator->support_foot(), step % kSpokes);
    EXPECT_NEAR(wheel.simulator->state().v[0], fixed_point(), 1e-9);  // RK4 at 1 ms leaves 1e-12
    // the body has turned by one more spoke, within a turn
    const double angle = kSlope - kHalf + 2 * kHalf * step;
    EXPECT_NEAR(std::remainder(wheel.simulator->state().q[0] - angle, 2 * M_PI), 0, 1e-9);
    EXPECT_NEAR(norm(event.point_W), 2 * std::sin(kHalf) * step, 1e-9);
    EXPECT_NEAR(
        event.energy_lost,
        0.5 * 3 * fixed_point() * fixed_point() * (1 / std::pow(std::cos(2 * kHalf), 2) - 1), 1e-8);
  }
}

TEST(RimlessWheel, EveryStepFollowsTheClosedForm) {
  Wheel wheel(2.2);
  double square = 2.2 * 2.2;
  for (int step = 0; step < 100; ++step) {
    (void)wheel.walk();
    square = next_square(square);
    ASSERT_NEAR(wheel.simulator->state().v[0], std::sqrt(square), 1e-9);
  }
  // the multiplier cos²(2 alpha) = 0.75 has brought it to the fixed point: 0.75^100 is 3e-13
  EXPECT_NEAR(wheel.simulator->state().v[0], fixed_point(), 1e-9);
}

}  // namespace
}  // namespace stance
