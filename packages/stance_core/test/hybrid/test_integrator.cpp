// The methods keep their order on every kind of joint, and what they promise about time, status and error.
#include "stance_core/hybrid/integrator.hpp"

#include <gtest/gtest.h>

#include "stance_core/dynamics/kinematics.hpp"
#include "stance_core/dynamics/momentum.hpp"
#include "support/random_case.hpp"
#include "support/small_robots.hpp"
#include "support/spatial_matrices.hpp"

namespace stance {
namespace {

using namespace test;

// Largest difference of poses and velocities of the joints: a quaternion's sign does not count.
double difference(const Case& c, const State& a, const State& b) {
  double largest = 0;
  const auto compare = [&](JointKind kind, int q, int v) {
    const double radius = c.tree->support.radius;
    largest = std::max(largest, distance(joint_transform(kind, &a.q[q], radius),
                                         joint_transform(kind, &b.q[q], radius)));
    for (int j = 0; j < dof_count(kind); ++j)
      largest = std::max(largest, std::abs(a.v[v + j] - b.v[v + j]));
  };
  compare(c.tree->support.kind, 0, 0);
  for (int i = 1; i < c.model->body_count; ++i)
    compare(c.model->joints[i].kind, c.model->joints[i].q_index, c.model->joints[i].v_index);
  return largest;
}

State run(const Case& c, const IntegratorSettings& settings, double duration, int steps) {
  State state = c.state;
  for (int k = 0; k < steps; ++k)
    EXPECT_EQ(integrate(*c.model, *c.tree, c.tau, settings, duration / steps, state, *c.w),
              Status::kOk);
  return state;
}

double energy(const Case& c, const State& state) {
  kinematics(*c.model, *c.tree, state, *c.w);
  return kinetic_energy(*c.tree, state, *c.w) + potential_energy(*c.model, *c.tree, *c.w);
}

constexpr double kDuration = 0.1;
const IntegratorSettings kReference{Method::kDormandPrince, 1e-13, 100000};

// A robot of all joint types, ball and floating among them, on every kind of support.
Case smooth_case(Random& random, int trial) {
  Case c = random_case(random, {.bodies = 4, .mimic = trial % 2 == 0}, kSupports[trial % 6]);
  for (double& x : c.tau) x *= 0.1;
  return c;
}

TEST(Integrator, RungeKuttaIsOfOrderFour) {
  Random random(601);
  for (int trial = 0; trial < 24; ++trial) {
    const Case c = smooth_case(random, trial);
    const State exact = run(c, kReference, kDuration, 1);
    const double coarse = difference(c, run(c, {}, kDuration, 40), exact);
    const double fine = difference(c, run(c, {}, kDuration, 80), exact);
    if (coarse < 1e-10) continue;  // too smooth to tell the order from rounding
    const double order = std::log2(coarse / fine);
    EXPECT_GT(order, 3.5) << to_string(c.tree->support.kind) << ' ' << coarse << ' ' << fine;
    EXPECT_LT(order, 5.5);
  }
}

TEST(Integrator, SemiImplicitEulerIsOfOrderOne) {
  Random random(602);
  for (int trial = 0; trial < 24; ++trial) {
    const Case c = smooth_case(random, trial);
    const State exact = run(c, kReference, kDuration, 1);
    const IntegratorSettings euler{Method::kSemiImplicitEuler};
    const double coarse = difference(c, run(c, euler, kDuration, 2000), exact);
    const double fine = difference(c, run(c, euler, kDuration, 4000), exact);
    EXPECT_NEAR(std::log2(coarse / fine), 1, 0.15);
  }
}

// The error of the whole follows the tolerance of the sub-steps, grown by the flow's own sensitivity.
TEST(Integrator, DormandPrinceObeysItsTolerance) {
  Random random(603);
  for (int trial = 0; trial < 24; ++trial) {
    const Case c = smooth_case(random, trial);
    const State exact = run(c, kReference, kDuration, 1);
    for (const double tolerance : {1e-5, 1e-7, 1e-9}) {
      const State state = run(c, {Method::kDormandPrince, tolerance, 10000}, kDuration, 1);
      EXPECT_LT(difference(c, state, exact), 1000 * tolerance);
    }
  }
}

// A pendulum so fast that its positions stay far below one and its velocities do not: it is the velocities that need short
// sub-steps. Small swings have a closed form, q = A cos(w t).
TEST(Integrator, DormandPrinceObeysItsToleranceInVelocities) {
  const double w = 1000, A = 1e-5, tolerance = 1e-7;
  Description robot;
  robot.name = "pendulum";
  robot.links = {link("base", 1, {0, 0, 0}, {1, 1, 1}), link("bob", 1, {0, 0, -1}, {0, 0, 0})};
  robot.joints = {joint("swing", JointType::kContinuous, "base", "bob")};
  const auto model = std::make_unique<Model>(*build_model(robot, {.gravity = {0, 0, -w * w}}));
  Support weld;
  weld.kind = JointKind::kFixed;
  const auto tree = std::make_unique<Tree>(make_tree(*model, BodyId(0), weld));
  const auto scratch = std::make_unique<Workspace>();
  State state = neutral_state(*model, *tree);
  state.q[kSupportCoordinates] = A;
  const double duration = 2 * M_PI / w;  // once there and back
  ASSERT_EQ(integrate(*model, *tree, {}, {Method::kDormandPrince, tolerance, 10000}, duration,
                      state, *scratch),
            Status::kOk);
  // some ten sub-steps of at most the tolerance each; the series of the sine leaves A^2 / 8 of the phase
  EXPECT_NEAR(state.v[kSupportDofs], 0, 30 * tolerance);
  EXPECT_NEAR(state.q[kSupportCoordinates], A, 30 * tolerance / w);
}

TEST(Integrator, EnergyDriftFallsAtOrderFour) {
  Random random(604);
  for (int trial = 0; trial < 12; ++trial) {
    Case c = smooth_case(random, trial);
    c.tau = {};
    const double start = energy(c, c.state);
    const double coarse = std::abs(energy(c, run(c, {}, kDuration, 50)) - start);
    const double fine = std::abs(energy(c, run(c, {}, kDuration, 100)) - start);
    EXPECT_LT(coarse, 1e-2);
    // order four or better, down to rounding
    EXPECT_LT(fine, std::max(coarse / 10, 1e-11 * std::max(1.0, std::abs(start))));
    const double tight = std::abs(energy(c, run(c, kReference, kDuration, 1)) - start);
    EXPECT_LT(tight, 1e-9 * std::max(1.0, std::abs(start)));
  }
}

TEST(Integrator, BallisticFlightIsExact) {
  Description robot;
  robot.name = "ball";
  robot.links = {link("ball", 2, {0, 0, 0}, {0.1, 0.1, 0.1})};
  const auto model = std::make_unique<Model>(*build_model(robot));
  const auto tree = std::make_unique<Tree>(make_tree(*model));
  const auto w = std::make_unique<Workspace>();
  for (const Method method : {Method::kRungeKutta4, Method::kDormandPrince}) {
    State state = neutral_state(*model, *tree);
    state.v[3] = 1, state.v[4] = -2, state.v[5] = 3;
    for (int k = 0; k < 100; ++k)
      ASSERT_EQ(integrate(*model, *tree, {}, {method}, 0.01, state, *w), Status::kOk);
    EXPECT_NEAR(state.q[0], 1, 1e-13);
    EXPECT_NEAR(state.q[1], -2, 1e-13);
    EXPECT_NEAR(state.q[2], 3 - 9.81 / 2, 1e-12);  // a parabola: every method of order two has it
    EXPECT_NEAR(state.time, 1, 1e-14);
  }
}

// Damping is the joint's own: a wheel on a weld slows down as exp(-d t / I).
TEST(Integrator, DampingDecaysExponentially) {
  Description robot;
  robot.name = "wheel";
  robot.links = {link("stand", 1, {0, 0, 0}, {1, 1, 1}),
                 link("wheel", 1, {0, 0, 0}, {0.1, 0.2, 0.1})};
  robot.joints = {joint("axle", JointType::kContinuous, "stand", "wheel")};
  robot.joints[0].damping = 0.3;
  robot.joints[0].armature = 0.05;
  const auto model = std::make_unique<Model>(*build_model(robot));
  Support weld;
  weld.kind = JointKind::kFixed;
  const auto tree = std::make_unique<Tree>(make_tree(*model, BodyId(0), weld));
  const auto w = std::make_unique<Workspace>();
  State state = neutral_state(*model, *tree);
  state.v[kSupportDofs] = 2;
  for (int k = 0; k < 1000; ++k)
    ASSERT_EQ(integrate(*model, *tree, {}, {}, 1e-3, state, *w), Status::kOk);
  EXPECT_NEAR(state.v[kSupportDofs], 2 * std::exp(-0.3 / 0.25), 1e-12);
}

TEST(Integrator, LockedJointsStandStill) {
  Random random(605);
  const Case c = random_case(random, {.bodies = 5, .only_revolute = true}, JointKind::kBall);
  const int q = c.model->joints[2].q_index, v = c.model->joints[2].v_index;
  State state = c.state;
  state.v[v] = 0;
  lock_joint(*c.model, JointId(2), state.q[q], *c.tree);
  for (const Method method :
       {Method::kRungeKutta4, Method::kSemiImplicitEuler, Method::kDormandPrince}) {
    ASSERT_EQ(integrate(*c.model, *c.tree, c.tau, {method}, 1e-2, state, *c.w), Status::kOk);
    EXPECT_EQ(state.q[q], c.state.q[q]);
    EXPECT_EQ(state.v[v], 0);
  }
}

// Quaternions stay of unit length, coordinates that the support does not use stay what they were.
TEST(Integrator, KeepsTheFormOfTheState) {
  Random random(606);
  const Case c = random_case(random, {.bodies = 6}, JointKind::kBall);
  for (const Method method :
       {Method::kRungeKutta4, Method::kSemiImplicitEuler, Method::kDormandPrince}) {
    State state = c.state;
    for (int k = 0; k < 50; ++k)
      ASSERT_EQ(integrate(*c.model, *c.tree, c.tau, {method}, 1e-3, state, *c.w), Status::kOk);
    EXPECT_NEAR(norm(Quaternion{state.q[0], state.q[1], state.q[2], state.q[3]}), 1, 1e-15);
    for (int i = 4; i < kSupportCoordinates; ++i) EXPECT_EQ(state.q[i], c.state.q[i]);
    for (int i = 3; i < kSupportDofs; ++i) EXPECT_EQ(state.v[i], c.state.v[i]);
  }
}

TEST(Integrator, BadStatusLeavesTheStateAsItWas) {
  Random random(607);
  Case c = random_case(random, {.bodies = 3}, JointKind::kFree);
  const State before = c.state;
  const auto expect_untouched = [&](const State& state) {
    EXPECT_EQ(state.time, before.time);
    EXPECT_EQ(state.q, before.q);
    EXPECT_EQ(state.v, before.v);
  };
  State state = before;
  EXPECT_EQ(
      integrate(*c.model, *c.tree, c.tau, {Method::kDormandPrince, 1e-13, 3}, 10, state, *c.w),
      Status::kStepLimit);
  expect_untouched(state);
  c.tau[kSupportDofs] = std::numeric_limits<double>::quiet_NaN();
  for (const Method method :
       {Method::kRungeKutta4, Method::kSemiImplicitEuler, Method::kDormandPrince}) {
    EXPECT_EQ(integrate(*c.model, *c.tree, c.tau, {method}, 1e-3, state, *c.w), Status::kNonFinite);
    expect_untouched(state);
  }
}

}  // namespace
}  // namespace stance
