// Systems whose equations are on one line.
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <functional>

#include "stance_core/dynamics/aba.hpp"
#include "support/mass_matrix.hpp"
#include "support/random_robot.hpp"
#include "support/small_robots.hpp"

namespace stance {
namespace {

using namespace test;

constexpr double kG = 9.81;
constexpr double kRounding = 1e-12;  // accelerations of up to 100, a dozen operations

// Accelerations of a robot whose base is held as `support` says; joints from index 6 on.
DofVector accelerations(const Description& robot, const Support& support,
                        const std::function<void(State&, DofVector&)>& set) {
  const auto model = std::make_unique<Model>(*build_model(robot));
  const auto tree = std::make_unique<Tree>(make_tree(*model, BodyId(0), support));
  const auto w = std::make_unique<Workspace>();
  State state = neutral_state(*model, *tree);
  DofVector tau{}, a{}, b{};
  set(state, tau);
  EXPECT_EQ(aba(*model, *tree, state, tau, {}, *w, a), Status::kOk);
  EXPECT_EQ(crba_dynamics(*model, *tree, state, tau, {}, *w, b), Status::kOk);
  EXPECT_LT(relative_difference(b, a, model->dof_count), kRounding);
  return a;
}

Description on_a_wall(std::vector<LinkDescription> links, std::vector<JointDescription> joints) {
  Description robot;
  robot.name = "closed form";
  robot.links = {link("wall", 1, {0, 0, 0}, {1, 1, 1})};
  robot.links.insert(robot.links.end(), links.begin(), links.end());
  robot.joints = std::move(joints);
  return robot;
}

const Eigen::Vector3d kY(0, 1, 0), kX(1, 0, 0);

TEST(ClosedForm, Pendulum) {
  const double m = 1.3, l = 0.7, I = 0.05, armature = 0.02;
  JointDescription hinge = joint("hinge", JointType::kRevolute, "wall", "bob", {0.3, 0, 1}, kY);
  hinge.armature = armature;
  const Description robot = on_a_wall({link("bob", m, {0, 0, -l}, {0.2, I, 0.2})}, {hinge});
  for (const double q : {-3.0, -1.0, 0.0, 0.4, 2.0}) {
    const double tau = 0.6;
    const DofVector a = accelerations(
        robot, support_of(JointKind::kFixed), [&](State& s, DofVector& effort) {
          s.q[7] = q, s.v[6] = 5, effort[6] = tau;  // speed does not matter
        });
    EXPECT_NEAR(a[6], (tau - m * kG * l * std::sin(q)) / (I + m * l * l + armature), kRounding);
  }
}

// Spong 1995 in the form of the acrobot, angles from hanging straight down, I about each joint.
TEST(ClosedForm, DoublePendulum) {
  const double m1 = 1.1, m2 = 0.8, l1 = 0.9, c1 = 0.4, c2 = 0.55, J1 = 0.06, J2 = 0.03;
  const double I1 = J1 + m1 * c1 * c1, I2 = J2 + m2 * c2 * c2;
  const Description robot = on_a_wall(
      {link("upper", m1, {0, 0, -c1}, {0.1, J1, 0.1}),
       link("lower", m2, {0, 0, -c2}, {0.05, J2, 0.05})},
      {joint("shoulder", JointType::kContinuous, "wall", "upper", {0, 0, 0}, kY),
       joint("elbow", JointType::kRevolute, "upper", "lower", {0, 0, -l1}, kY)});
  Random random(171);
  for (int trial = 0; trial < 20; ++trial) {
    const double q1 = uniform(random, -3, 3), q2 = uniform(random, -3, 3);
    const double v1 = uniform(random, -4, 4), v2 = uniform(random, -4, 4), t1 = uniform(random),
                 t2 = uniform(random);
    const double h = m2 * l1 * c2, cos2 = std::cos(q2), sin2 = std::sin(q2);
    Eigen::Matrix2d M;
    M << I1 + I2 + m2 * l1 * l1 + 2 * h * cos2, I2 + h * cos2, I2 + h * cos2, I2;
    const Eigen::Vector2d bias(-h * sin2 * (2 * v1 * v2 + v2 * v2), h * sin2 * v1 * v1);
    const Eigen::Vector2d gravity(
        m1 * kG * c1 * std::sin(q1) + m2 * kG * (l1 * std::sin(q1) + c2 * std::sin(q1 + q2)),
        m2 * kG * c2 * std::sin(q1 + q2));
    const Eigen::Vector2d expected = M.inverse() * (Eigen::Vector2d(t1, t2) - bias - gravity);
    const DofVector a = accelerations(
        robot, support_of(JointKind::kFixed), [&](State& s, DofVector& effort) {
          s.q[7] = q1, s.q[8] = q2, s.v[6] = v1, s.v[7] = v2, effort[6] = t1, effort[7] = t2;
        });
    EXPECT_NEAR(a[6], expected[0], 10 * kRounding);  // up to 200 rad/s²
    EXPECT_NEAR(a[7], expected[1], 10 * kRounding);
  }
}

// Pole hanging from a cart on a rail along x: its centre is at (x - l sin q, -l cos q).
TEST(ClosedForm, CartPole) {
  const double M = 2.2, m = 0.5, l = 0.6, I = 0.04;
  const Description robot = on_a_wall(
      {link("cart", M, {0.1, 0.2, 0}, {1, 1, 1}), link("pole", m, {0, 0, -l}, {1, I, 1})},
      {joint("rail", JointType::kPrismatic, "wall", "cart", {0, 0, 1}, kX),
       joint("pivot", JointType::kContinuous, "cart", "pole", {0, 0, 0}, kY)});
  Random random(172);
  for (int trial = 0; trial < 20; ++trial) {
    const double q = uniform(random, -3, 3), v = uniform(random, -4, 4), F = uniform(random, -9, 9),
                 t = uniform(random);
    Eigen::Matrix2d A;
    A << M + m, -m * l * std::cos(q), -m * l * std::cos(q), I + m * l * l;
    const Eigen::Vector2d expected = A.inverse() * Eigen::Vector2d(F - m * l * std::sin(q) * v * v,
                                                                   t - m * kG * l * std::sin(q));
    const DofVector a = accelerations(
        robot, support_of(JointKind::kFixed), [&](State& s, DofVector& effort) {
          s.q[7] = 0.3, s.q[8] = q, s.v[6] = -2, s.v[7] = v, effort[6] = F, effort[7] = t;
        });
    EXPECT_NEAR(a[6], expected[0], kRounding);
    EXPECT_NEAR(a[7], expected[1], kRounding);
  }
}

// Rolling on a plane that falls by `slope` along x; the centre of mass is d away from the arc's centre, at an angle phi
// on the body. Centre of mass in the plane: (-rho q + d cos(q + phi), d sin(q + phi)), y along the normal.
TEST(ClosedForm, RollingDiscWithOffsetMass) {
  const double m = 1.7, rho = 0.3, I = 0.08, phi = 0.5;
  for (const double d : {0.0, 0.11}) {
    Description robot;
    robot.name = "disc";
    robot.links = {link("disc", m, {d * std::cos(phi), d * std::sin(phi), 0}, {1, 1, I})};
    for (const double slope : {0.0, 0.2, -0.4}) {
      Support support = support_of(JointKind::kRoll);
      support.radius = rho;
      // x downhill, y normal, z = x × y
      support.X_WA.R = {{std::cos(slope), 0, -std::sin(slope)},
                        {std::sin(slope), 0, std::cos(slope)},
                        {0, -1, 0}};
      support.X_WA.p = {3, 1, 2};
      for (const double q : {-4.0, -0.7, 0.0, 1.0, 8.0}) {
        const double v = 3, tau = 0.4, angle = q + phi;
        const double inertia = I + m * (rho * rho + d * d + 2 * rho * d * std::sin(angle));
        const double uphill = m * kG *
                              (std::sin(slope) * (rho + d * std::sin(angle)) +
                               std::cos(slope) * d * std::cos(angle));
        const double expected = (tau - m * rho * d * std::cos(angle) * v * v - uphill) / inertia;
        const DofVector a = accelerations(robot, support, [&](State& s, DofVector& effort) {
          s.q[0] = q, s.v[0] = v, effort[0] = tau;
        });
        EXPECT_NEAR(a[0], expected, kRounding) << "slope " << slope << " angle " << q;
      }
    }
  }
}

// Euler's equations for a body whose centre is its origin; it falls meanwhile.
TEST(ClosedForm, SpinningBodyInFlight) {
  const Eigen::Vector3d I(0.3, 0.5, 0.7);
  Description robot;
  robot.name = "body";
  robot.links = {link("body", 2, {0, 0, 0}, I)};
  Random random(173);
  for (int trial = 0; trial < 20; ++trial) {
    const Eigen::Vector3d w = random_vector(random, 5).eigen(), v = random_vector(random).eigen();
    const Eigen::Vector3d torque = random_vector(random).eigen();
    Eigen::Quaterniond orientation(random_rotation(random));
    const DofVector a = accelerations(robot, support_of(JointKind::kFree),
                                      [&](State& s, DofVector& effort) {
                                        Eigen::Map<Eigen::Vector4d>(&s.q[3]) = orientation.coeffs();
                                        Eigen::Map<Eigen::Vector3d>(s.v.data()) = w;
                                        Eigen::Map<Eigen::Vector3d>(&s.v[3]) = v;
                                        Eigen::Map<Eigen::Vector3d>(effort.data()) = torque;
                                      });
    const Eigen::Vector3d Iw = I.cwiseProduct(w);
    const Eigen::Vector3d spin = (torque - w.cross(Iw)).cwiseQuotient(I);
    // the velocity is in body axes, so its rate lacks w × v
    const Eigen::Vector3d fall = orientation.conjugate() * Eigen::Vector3d(0, 0, -kG) - w.cross(v);
    for (int k = 0; k < 3; ++k) {
      EXPECT_NEAR(a[k], spin[k], kRounding);
      EXPECT_NEAR(a[3 + k], fall[k], kRounding);
    }
  }
}

}  // namespace
}  // namespace stance
