// Knees: a stop that strikes and holds, against a closed form; and the kneed walker.
#include <gtest/gtest.h>

#include "stance_core/dynamics/kinematics.hpp"
#include "stance_core/dynamics/momentum.hpp"
#include "support/wheel_and_knees.hpp"

namespace stance {
namespace {

using namespace test;

// A leg hangs from a pin; its knee swings to straight and stops. The pin takes no moment, the knee is inside: angular
// momentum about the pin is kept, and afterwards the leg is one body:  omega⁺ = L⁻ / J.
TEST(Kneed, KneeStrikeMatchesTheClosedForm) {
  const double m1 = 5, c1 = 0.325, I1 = 0.0395, m2 = 0.5, c2 = 0.125, I2 = 0.00174479, l = 0.5;
  Description robot;
  robot.name = "leg";
  robot.links = {link("thigh", m1, {0, 0, -c1}, {I1, I1, I1}),
                 link("shank", m2, {0, 0, -c2}, {I2, I2, I2})};
  robot.joints = {joint("knee", JointType::kRevolute, "thigh", "shank", {0, 0, -l})};
  robot.joints[0].limits.lower = 0;
  robot.joints[0].limits.upper = 2.4;
  const auto model = std::make_unique<Model>(*build_model(robot));
  SimulatorSettings settings;
  settings.foot_count = settings.stop_count = 1;
  settings.feet[0] = {find_frame(*model, "thigh"), JointKind::kRevolute, 0, false};
  settings.stops[0] = {JointId(1), true, 0};  // a latch, as the thigh never lifts
  settings.feet[0].grips = true;
  auto simulator = std::make_unique<Simulator>(*model, settings);
  State joints;
  joints.q[kSupportCoordinates] = 0.7, joints.v[kSupportDofs] = 0.2;
  const double angle = 0.4, rate = -0.9;
  simulator->start_on_foot(0, {0, 0, 2}, joints, &angle, &rate);
  const auto w = std::make_unique<Workspace>();
  ContactEvent event;
  State before;
  bool struck = false;
  while (!struck) {
    before = simulator->state();
    const auto tree = std::make_unique<Tree>(simulator->tree());
    ASSERT_EQ(simulator->step_to_event({}), Status::kOk);
    ASSERT_LT(simulator->state().time, 2);
    while (simulator->events().pop(event)) struck = struck || event.kind == EventKind::kStop;
    if (struck) {
      ASSERT_EQ(
          integrate(*model, *tree, {}, settings.integrator, event.time - before.time, before, *w),
          Status::kOk);
    }
  }
  const State& after = simulator->state();
  EXPECT_EQ(after.q[kSupportCoordinates], 0);
  EXPECT_EQ(after.v[kSupportDofs], 0);
  EXPECT_NEAR(before.q[kSupportCoordinates], 0, 1e-11);
  ASSERT_LT(before.v[kSupportDofs], -0.1);
  // straight: all velocities are across the leg
  const double w1 = before.v[0], w2 = w1 + before.v[kSupportDofs];
  const double shank = l * w1 + c2 * w2;  // speed of the shank's centre
  const double L = (I1 + m1 * c1 * c1) * w1 + I2 * w2 + m2 * (l + c2) * shank;
  const double J = I1 + m1 * c1 * c1 + I2 + m2 * (l + c2) * (l + c2);
  EXPECT_NEAR(after.v[0], L / J, 1e-10);  // the bend left at the located instant
  const double T_before = 0.5 * ((I1 + m1 * c1 * c1) * w1 * w1 + I2 * w2 * w2 + m2 * shank * shank);
  EXPECT_NEAR(event.energy_lost, T_before - 0.5 * L * L / J, 1e-10);
  EXPECT_GT(event.energy_lost, 0);
  EXPECT_EQ(event.joint, JointId(1));
  // and it holds: a pendulum of one body, whose energy stays
  const auto energy = [&] {
    kinematics(*model, simulator->tree(), simulator->state(), *w);
    return kinetic_energy(simulator->tree(), simulator->state(), *w) +
           potential_energy(*model, simulator->tree(), *w);
  };
  const double E = energy();
  for (int k = 0; k < 2000; ++k) ASSERT_EQ(simulator->step({}), Status::kOk);
  EXPECT_EQ(simulator->state().q[kSupportCoordinates], 0);
  EXPECT_NEAR(energy(), E, 1e-9);
  EXPECT_EQ(simulator->events().size(), 0);
}

// Two hands of a clock on one hub stop at once: both stops are reported, at the same instant.
TEST(Kneed, TwoStopsAtOnceAreBothReported) {
  Description robot;
  robot.name = "hands";
  robot.links = {link("hub", 1, {0, 0, 0}, {1, 1, 1}), link("a", 1, {0, 0, -0.3}, {0.1, 0.1, 0.1}),
                 link("b", 1, {0, 0, -0.3}, {0.1, 0.1, 0.1})};
  robot.joints = {joint("ja", JointType::kRevolute, "hub", "a"),
                  joint("jb", JointType::kRevolute, "hub", "b")};
  for (JointDescription& j : robot.joints) j.limits.lower = 0, j.limits.upper = 2;
  const auto model = std::make_unique<Model>(*build_model(robot));
  SimulatorSettings settings;
  settings.foot_count = 1;
  settings.stop_count = 2;
  settings.feet[0] = {find_frame(*model, "hub"), JointKind::kFixed, 0, false};
  settings.feet[0].grips = true;
  settings.stops[0] = {find_joint(*model, "ja"), true, 0};
  settings.stops[1] = {find_joint(*model, "jb"), true, 0};
  auto simulator = std::make_unique<Simulator>(*model, settings);
  State joints;
  joints.q[kSupportCoordinates] = joints.q[kSupportCoordinates + 1] = 0.5;
  simulator->start_on_foot(0, {0, 0, 2}, joints, nullptr, nullptr);
  for (int k = 0; k < 1000 && simulator->events().size() == 0; ++k)
    ASSERT_EQ(simulator->step({}), Status::kOk);
  ASSERT_EQ(simulator->events().size(), 2);
  ContactEvent a, b;
  simulator->events().pop(a), simulator->events().pop(b);
  EXPECT_EQ(a.time, b.time);
  EXPECT_NE(a.joint, b.joint);
  EXPECT_NEAR(a.energy_lost, b.energy_lost, 1e-9);
}

// urdf/kneed_biped.urdf says how it walks, to three or four digits, from an integration of its own.
TEST(Kneed, WalksAsItsFileSays) {
  const auto model = kneed_biped();
  auto simulator = std::make_unique<Simulator>(*model, kneed_settings(*model));
  start_kneed(*simulator, -0.1945, 1.1084, 0.2953, 0.1469);
  ContactEvent event;
  double last_touchdown = 0, period = 0, knee = 0;
  int steps = 0, stops = 0, releases = 0;
  while (steps < 40) {
    ASSERT_EQ(simulator->step({}), Status::kOk);
    ASSERT_FALSE(simulator->fallen());
    ASSERT_LT(simulator->state().time, 60);
    while (simulator->events().pop(event)) {
      if (event.kind == EventKind::kStop) knee = event.time - last_touchdown, ++stops;
      if (event.kind == EventKind::kRelease) ++releases;
      if (event.kind == EventKind::kTouchdown) {
        period = event.time - last_touchdown;
        last_touchdown = event.time;
        ++steps;
        if (steps == 1) {
          EXPECT_NEAR(period, 0.593, 2e-3);
          EXPECT_NEAR(knee, 0.389, 2e-3);
        }
      }
    }
  }
  EXPECT_NEAR(period, 0.593, 1e-3);
  EXPECT_NEAR(knee, 0.389, 1e-3);
  EXPECT_EQ(stops, 40);  // one knee a step
  EXPECT_EQ(releases, 40);
}

}  // namespace
}  // namespace stance
