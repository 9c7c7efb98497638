#include "stance_core/spatial/transform.hpp"

#include <gtest/gtest.h>

#include "support/random_robot.hpp"
#include "support/spatial_matrices.hpp"

namespace stance {
namespace {

using namespace test;

constexpr double kRounding = 1e-14;  // two or three 3x3 products of numbers up to 1

TEST(Transform, TimesItsInverseIsOne) {
  Random random(31);
  for (int trial = 0; trial < 50; ++trial) {
    const Transform<double> X = random_transform(random);
    EXPECT_LT(distance(X * inverse(X), Transform<double>{}), kRounding);
    EXPECT_LT(distance(inverse(X) * X, Transform<double>{}), kRounding);
    const Motion<double> m = random_motion(random);
    const Force<double> f = random_force(random);
    EXPECT_LT(distance(to_child(X, to_parent(X, m)), m), kRounding);
    const Motion<double> e = random_motion(random);
    EXPECT_LT(distance(plus_to_child(e, X, m), e + to_child(X, m)), kRounding);
    EXPECT_LT(distance(to_child(X, to_parent(X, f)), f), kRounding);
    EXPECT_LT(distance(to_child(inverse(X), m), to_parent(X, m)), kRounding);
    EXPECT_LT(distance(to_child(inverse(X), f), to_parent(X, f)), kRounding);
  }
}

TEST(Transform, ComposesAsHomogeneousMatrices) {
  Random random(32);
  for (int trial = 0; trial < 50; ++trial) {
    const Transform<double> X_AB = random_transform(random), X_BC = random_transform(random);
    EXPECT_LT(distance(homogeneous(X_AB * X_BC), homogeneous(X_AB) * homogeneous(X_BC)), kRounding);
    const Vec3<double> x = random_vector(random);
    const Eigen::Vector4d x_A = homogeneous(X_AB) * x.eigen().homogeneous();
    EXPECT_LT(distance((X_AB * x).eigen(), x_A.head<3>()), kRounding);
    const Motion<double> m = random_motion(random);
    const Force<double> f = random_force(random);
    EXPECT_LT(distance(to_parent(X_AB * X_BC, m), to_parent(X_AB, to_parent(X_BC, m))), kRounding);
    EXPECT_LT(distance(to_parent(X_AB * X_BC, f), to_parent(X_AB, to_parent(X_BC, f))), kRounding);
  }
}

TEST(Transform, IsThePlueckerMatrix) {
  Random random(33);
  for (int trial = 0; trial < 50; ++trial) {
    const Transform<double> X = random_transform(random);
    const Motion<double> m = random_motion(random);
    const Force<double> f = random_force(random);
    EXPECT_LT(distance(vector(to_parent(X, m)), motion_matrix(X) * vector(m)), kRounding);
    EXPECT_LT(distance(vector(to_parent(X, f)), force_matrix(X) * vector(f)), kRounding);
    // RBDA 2.26: the force transform is the inverse transpose of the motion transform
    EXPECT_LT(distance(force_matrix(X).transpose() * motion_matrix(X), Matrix6::Identity()),
              kRounding);
  }
}

// The linear part belongs to the frame's origin: a body that turns moves points away from it.
TEST(Transform, ShiftsVelocityToTheNewOrigin) {
  const Transform<double> X_PB{Mat3<double>::identity(), {1, 0, 0}};
  const Motion<double> spin{{0, 0, 2}, {}};  // about P's z
  EXPECT_EQ(to_child(X_PB, spin), (Motion<double>{{0, 0, 2}, {0, 2, 0}}));
  const Force<double> push{{}, {0, 3, 0}};  // through B's origin
  EXPECT_EQ(to_parent(X_PB, push), (Force<double>{{0, 0, 3}, {0, 3, 0}}));
}

TEST(Transform, LeavesPowerAlone) {
  Random random(34);
  for (int trial = 0; trial < 50; ++trial) {
    const Transform<double> X = random_transform(random);
    const Motion<double> m = random_motion(random);
    const Force<double> f = random_force(random);
    EXPECT_NEAR(dot(to_child(X, f), to_child(X, m)), dot(f, m), kRounding);
    EXPECT_NEAR(dot(to_parent(X, f), to_parent(X, m)), dot(f, m), kRounding);
    // products move along: X (v × m) = X v × X m, and so for forces
    const Motion<double> v = random_motion(random);
    EXPECT_LT(distance(to_child(X, cross(v, m)), cross(to_child(X, v), to_child(X, m))),
              3 * kRounding);
    EXPECT_LT(distance(to_child(X, cross(v, f)), cross(to_child(X, v), to_child(X, f))),
              3 * kRounding);
  }
}

}  // namespace
}  // namespace stance
