// Closed legs in the step: a four-bar linkage that hangs, and one that is a leg.
#include <gtest/gtest.h>

#include <cmath>

#include "stance_core/dynamics/kinematics.hpp"
#include "stance_core/dynamics/momentum.hpp"
#include "stance_core/hybrid/simulator.hpp"
#include "support/small_robots.hpp"

namespace stance {
namespace {

using namespace test;

// A parallelogram: two arms of length `arm` that hang from a beam `width` apart, with a rod between their ends. The joint
// between the right arm and the rod is the loop: a tree cannot have it. The beam is held by a hand on the world.
struct FourBar {
  static constexpr double arm = 0.4, width = 0.3, mass = 1.5, rod = 0.7;
  std::unique_ptr<Model> model;
  SimulatorSettings settings;

  explicit FourBar(ClosureKind kind = ClosureKind::kPin) {
    Description robot;
    robot.name = "four_bar";
    const double I = mass * arm * arm / 12, J = rod * width * width / 12;
    robot.links = {link("beam", 1, {0, 0, 0}, {0.1, 0.1, 0.1}),
                   link("left", mass, {0, 0, -arm / 2}, {I, I, 1e-4}),
                   link("right", mass, {0, 0, -arm / 2}, {I, I, 1e-4}),
                   link("rod", rod, {width / 2, 0, 0}, {1e-4, J, J})};
    robot.joints = {joint("left_hinge", JointType::kContinuous, "beam", "left"),
                    joint("right_hinge", JointType::kContinuous, "beam", "right", {width, 0, 0}),
                    joint("elbow", JointType::kContinuous, "left", "rod", {0, 0, -arm})};
    model = std::make_unique<Model>(*build_model(robot));
    settings.foot_count = 1;
    settings.feet[0].frame = find_frame(*model, "beam");
    settings.feet[0].support = JointKind::kFixed;
    settings.feet[0].grips = true;
    // z of a pin is its axis: y of the links
    const Mat3<double> y_is_z{{1, 0, 0}, {0, 0, -1}, {0, 1, 0}};
    const auto end = [&](const char* name, const Vec3<double>& p) {
      const Frame& frame = model->frames[find_frame(*model, name)];
      return ClosureEnd{frame.body, frame.X_HF * Transform<double>{y_is_z, p}};
    };
    settings.loop_count = 1;
    settings.loops[0] = {kind, end("rod", {width, 0, 0}), end("right", {0, 0, -arm})};
  }

  std::unique_ptr<Simulator> started(double angle) const {
    auto simulator = std::make_unique<Simulator>(*model, settings);
    State state = neutral_state(*model, simulator->tree());
    const auto set = [&](const char* name, double q) {
      state.q[model->joints[find_joint(*model, name)].q_index] = q;
    };
    set("left_hinge", angle), set("right_hinge", angle), set("elbow", -angle);
    const double none[7] = {};
    simulator->start_on_foot(0, {}, state, none, none);
    return simulator;
  }
};

double energy(Simulator& s) {
  kinematics(s.model(), s.tree(), s.state(), s.workspace());
  return kinetic_energy(s.tree(), s.state(), s.workspace()) +
         potential_energy(s.model(), s.tree(), s.workspace());
}

// The rod keeps its direction, so the linkage is one pendulum: with M = 2 m / 3 + m_rod for arms about their ends,
//   (2 m l^2 / 3 + m_rod l^2) angle'' = -(m + m_rod) g l sin(angle),
// and its period at amplitude a is 4 K(sin(a / 2)) / w.
TEST(Loops, AFourBarSwingsWithThePeriodOfItsClosedForm) {
  for (const ClosureKind kind : {ClosureKind::kPin, ClosureKind::kPoint}) {
    const FourBar bar(kind);
    const double a = 0.7, g = 9.81;
    const double w = std::sqrt((bar.mass + bar.rod) * g / ((2 * bar.mass / 3 + bar.rod) * bar.arm));
    const double period = 4 * std::comp_ellint_1(std::sin(a / 2)) / w;
    const auto simulator = bar.started(a);
    const Joint& hinge = bar.model->joints[find_joint(*bar.model, "left_hinge")];
    const double start = energy(*simulator);
    double crossing = 0, worst = 0, gained = 0;
    int crossings = 0;
    for (int k = 0; k < 10000; ++k) {
      const double before = simulator->state().q[hinge.q_index];
      ASSERT_EQ(simulator->step({}), Status::kOk) << k;
      const double after = simulator->state().q[hinge.q_index];
      if (before > 0 && after <= 0) {  // within a step it is straight to 1e-12
        const double t = simulator->state().time - 1e-3 * after / (after - before);
        // the curvature of the sine is zero where it crosses
        if (crossings++ == 0)
          crossing = t;
        else
          EXPECT_NEAR((t - crossing) / (crossings - 1), period, 1e-8);
      }
      gained = std::max(gained, std::abs(energy(*simulator) - start));
      const ClosureResidual open = closure_residual(simulator->tree(), simulator->workspace(),
                                                    bar.settings.loops[0]);
      worst = std::max({worst, open.position, open.velocity});
    }
    EXPECT_GT(crossings, 5);
    EXPECT_LT(worst, 1e-9);
    // RK4 at 1 ms of a motion of 6 rad/s: 1e-10 of what moves
    EXPECT_LT(gained, 1e-9);
    EXPECT_EQ(simulator->events().size(), 0);
  }
}

// Two four-bar legs would be enough of a robot to stand on; here one falls: the loop takes part in the impact.
TEST(Loops, TakePartInImpacts) {
  FourBar bar;
  bar.settings.foot_count = 2;
  bar.settings.feet[0] = {};
  bar.settings.feet[0].frame = find_frame(*bar.model, "rod");
  bar.settings.feet[0].support = JointKind::kBall;
  bar.settings.feet[1] = {};
  bar.settings.feet[1].frame = find_frame(*bar.model, "beam");
  bar.settings.feet[1].support = JointKind::kBall;
  Simulator simulator(*bar.model, bar.settings);
  State state = neutral_state(*bar.model, simulator.tree());
  const double angle = 0.3;
  for (const auto& [name, q] : {std::pair{"left_hinge", angle}, std::pair{"right_hinge", angle},
                                std::pair{"elbow", -angle}})
    state.q[bar.model->joints[find_joint(*bar.model, name)].q_index] = q;
  simulator.start_in_flight(state);
  Transform<double> X;
  X.p = {0, 0, 0.6};
  set_root_motion(simulator.tree(), X, {}, state);
  simulator.start_in_flight(state);
  int touchdowns = 0;
  ContactEvent event;
  const double start = energy(simulator);
  for (int k = 0; k < 600; ++k) {
    ASSERT_EQ(simulator.step({}), Status::kOk) << k;
    while (simulator.events().pop(event)) touchdowns += event.kind == EventKind::kTouchdown ? 1 : 0;
    const double now = energy(simulator);
    const EnergyAccount& e = simulator.energy();
    ASSERT_NEAR(now - start, e.holding - e.friction - e.impacts, 1e-7) << k;
    const ClosureResidual open = closure_residual(simulator.tree(), simulator.workspace(),
                                                  bar.settings.loops[0]);
    ASSERT_LT(open.position, 1e-9) << k;
    ASSERT_LT(open.velocity, 1e-7) << k;
  }
  EXPECT_GE(touchdowns, 1);
}

}  // namespace
}  // namespace stance
