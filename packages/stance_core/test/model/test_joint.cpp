// jcalc, its inverse, and the velocities that belong to it, for every kind of joint.
#include "stance_core/model/joint.hpp"

#include <gtest/gtest.h>

#include "support/random_robot.hpp"
#include "support/spatial_matrices.hpp"

namespace stance {
namespace {

using namespace test;

constexpr double kRadius = 0.35;
constexpr double kRounding = 2e-14;  // rotations and displacements of a few units

class JointTest : public testing::TestWithParam<JointKind> {
 protected:
  JointKind kind = GetParam();
  Random random{61};

  struct Coordinates {
    double q[7] = {};
  };
  Coordinates neutral() const {
    Coordinates c;
    joint_neutral(kind, c.q);
    return c;
  }
  Coordinates random_coordinates(double size = 3) {
    Coordinates c = neutral();
    const auto step = random_velocities(size);
    joint_integrate(kind, c.q, step.data(), 1);
    return c;
  }
  std::array<double, 6> random_velocities(double size = 1) {
    std::array<double, 6> v;
    for (double& x : v) x = uniform(random, -size, size);
    return v;
  }
  Transform<double> transform(const Coordinates& c) const {
    return joint_transform(kind, c.q, kRadius);
  }
  Coordinates moved(Coordinates c, const std::array<double, 6>& v, double dt) const {
    joint_integrate(kind, c.q, v.data(), dt);
    return c;
  }
};

INSTANTIATE_TEST_SUITE_P(Kinds, JointTest,
                         testing::Values(JointKind::kFixed, JointKind::kRevolute,
                                         JointKind::kPrismatic, JointKind::kBall,
                                         JointKind::kPlanar, JointKind::kFree, JointKind::kRoll),
                         [](const auto& row) { return std::string(to_string(row.param)); });

TEST_P(JointTest, NeutralIsTheIdentity) {
  EXPECT_EQ(distance(transform(neutral()), Transform<double>{}), 0);
}

TEST_P(JointTest, CoordinatesComeBackFromTheTransform) {
  for (int trial = 0; trial < 200; ++trial) {
    const Transform<double> X = transform(random_coordinates());
    Coordinates back;
    joint_coordinates(kind, X, back.q, kRadius);
    EXPECT_LT(distance(transform(back), X), kRounding);
  }
}

// Whatever a joint cannot do is ignored: a frame that is off still gives the nearest coordinates.
TEST_P(JointTest, CoordinatesIgnoreWhatTheJointCannotDo) {
  const Coordinates c = random_coordinates(1);
  Transform<double> X = transform(c);
  const bool slides_z = kind == JointKind::kPrismatic || kind == JointKind::kFree;
  if (!slides_z) X.p.z += 0.3;
  if (kind == JointKind::kPrismatic || kind == JointKind::kRevolute || kind == JointKind::kBall)
    X.p.x += 0.2;
  if (kind == JointKind::kPrismatic) X.R = Mat3<double>(random_rotation(random));
  Coordinates back;
  joint_coordinates(kind, X, back.q, kRadius);
  EXPECT_LT(distance(transform(back), transform(c)), kRounding);
}

// Central differences have an error of second order: a tenth of the step, a hundredth of the error.
TEST_P(JointTest, MotionIsTheDerivativeOfTheTransform) {
  for (int trial = 0; trial < 20; ++trial) {
    const Coordinates c = random_coordinates();
    const auto v = random_velocities();
    const Motion<double> expected = joint_motion(kind, c.q, v.data(), kRadius);
    double error[2];
    for (int k = 0; k < 2; ++k) {
      const double h = k == 0 ? 1e-2 : 1e-3;
      error[k] = distance(expected, difference_quotient(transform(c), transform(moved(c, v, -h)),
                                                        transform(moved(c, v, h)), 2 * h));
    }
    // |v| up to 2.5 rad/s and 2 m/s give third derivatives up to |v|³: h²/6 of that
    EXPECT_LT(error[0], 5e-4);
    if (error[0] > 1e-9) {
      EXPECT_NEAR(error[0] / error[1], 100, 2);
    }
  }
}

TEST_P(JointTest, IntegrationIsExactForAConstantTwist) {
  for (const double size : {1e-6, 0.01, 0.3, 4.0}) {  // both sides of every series switch
    const Coordinates c = random_coordinates();
    const auto v = random_velocities(size);
    Coordinates by_steps = c;
    for (int k = 0; k < 64; ++k) by_steps = moved(by_steps, v, 1.0 / 64);
    // 64 roundings of numbers up to 10
    EXPECT_LT(distance(transform(by_steps), transform(moved(c, v, 1))), 2e-13) << size;
    EXPECT_LT(distance(transform(moved(moved(c, v, 1), v, -1)), transform(c)), kRounding) << size;
  }
}

// Central differences of second order over 2e-4: 1e-8 times third derivatives of up to 20.
TEST_P(JointTest, CoordinateDerivativeIsThatOfTheIntegral) {
  const double h = 1e-4;
  for (int trial = 0; trial < 20; ++trial) {
    const Coordinates c = random_coordinates();
    const auto v = random_velocities();
    double q_dot[7] = {};
    joint_derivative(kind, c.q, v.data(), q_dot);
    const Coordinates before = moved(c, v, -h), after = moved(c, v, h);
    for (int k = 0; k < coordinate_count(kind); ++k) {
      EXPECT_NEAR(q_dot[k], (after.q[k] - before.q[k]) / (2 * h), 1e-7);
    }
  }
}

TEST_P(JointTest, NormalizeMendsQuaternionsAndNothingElse) {
  const Coordinates c = random_coordinates();
  Coordinates off = c;
  const int first = kind == JointKind::kFree ? 3 : 0;
  if (kind == JointKind::kFree || kind == JointKind::kBall) {
    for (int k = first; k < first + 4; ++k) off.q[k] *= 1.25;
  }
  joint_normalize(kind, off.q);
  for (int k = 0; k < coordinate_count(kind); ++k) EXPECT_NEAR(off.q[k], c.q[k], 1e-15);
}

TEST_P(JointTest, ComponentsUndoMotion) {
  for (int trial = 0; trial < 20; ++trial) {
    const Coordinates c = random_coordinates();
    const auto v = random_velocities();
    const Motion<double> m = joint_motion(kind, c.q, v.data(), kRadius);
    std::array<double, 6> back{};
    joint_components(kind, m, back.data());
    for (int j = 0; j < dof_count(kind); ++j) EXPECT_EQ(back[j], v[j]);
  }
}

// Power: tauᵀ v = (S tau as a force) · (S v).
TEST_P(JointTest, ForceAndMotionGiveThePower) {
  if (kind == JointKind::kRoll) return;  // no joint_force for roll
  const auto v = random_velocities(), tau = random_velocities();
  double power = 0;
  for (int j = 0; j < dof_count(kind); ++j) power += tau[j] * v[j];
  const Force<double> f = joint_force(kind, tau.data());
  EXPECT_NEAR(dot(f, joint_motion(kind, nullptr, v.data())), power, kRounding);
  std::array<double, 6> back{};
  joint_components(kind, f, back.data());
  for (int j = 0; j < dof_count(kind); ++j) EXPECT_EQ(back[j], tau[j]);
}

TEST(Joint, RevoluteAnglesWrapAndRollAnglesDoNot) {
  for (const double angle : {-20.0, -3.5, -3.0, -0.2, 0.0, 1.0, 3.1, 3.2, 6.5, 40.0}) {
    double q = 0;
    joint_coordinates(JointKind::kRevolute, joint_transform(JointKind::kRevolute, &angle), &q);
    EXPECT_NEAR(q, std::remainder(angle, 2 * M_PI), 1e-14);
    joint_coordinates(JointKind::kRoll, joint_transform(JointKind::kRoll, &angle, kRadius), &q,
                      kRadius);
    EXPECT_NEAR(q, angle, 1e-14);  // the distance rolled counts the turns
  }
}

TEST(Joint, RollKeepsItsContactPointStill) {
  const double q = 0.7, v = 1.3;
  const Motion<double> m = joint_motion(JointKind::kRoll, &q, &v, kRadius);
  const Transform<double> X = joint_transform(JointKind::kRoll, &q, kRadius);
  const Vec3<double> contact_in_near{-kRadius * q, -kRadius, 0};
  const Vec3<double> contact = inverse(X) * contact_in_near;  // the touching point of the arc
  EXPECT_LT(norm(m.v + cross(m.w, contact)), 1e-15);
}

TEST(Joint, CountsAndNames) {
  EXPECT_EQ(dof_count(JointKind::kFree), 6);
  EXPECT_EQ(coordinate_count(JointKind::kFree), 7);
  EXPECT_EQ(dof_count(JointKind::kBall), 3);
  EXPECT_EQ(coordinate_count(JointKind::kBall), 4);
  EXPECT_STREQ(to_string(JointKind::kFixed), "fixed");
  EXPECT_STREQ(to_string(JointKind::kRoll), "roll");
}

}  // namespace
}  // namespace stance
