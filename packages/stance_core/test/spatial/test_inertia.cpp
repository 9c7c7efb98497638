// Against the congruence Xᵀ I X with 6x6 matrices.
#include "stance_core/spatial/inertia.hpp"

#include <gtest/gtest.h>

#include "support/random_robot.hpp"
#include "support/spatial_matrices.hpp"

namespace stance {
namespace {

using namespace test;

constexpr double kRounding = 1e-13;  // congruences of 6x6 matrices with entries up to about 5

RigidInertia<double> random_rigid(Random& random) {
  const InertialDescription b = random_inertial(random);
  const Eigen::Matrix3d I_c = b.rotation * b.inertia * b.rotation.transpose();
  return rigid_inertia(b.mass, Vec3<double>(b.center), symmetric<double>(I_c));
}

// I_P = X* I_B X⁻¹, RBDA 2.66.
Matrix6 congruence(const Transform<double>& X_PB, const Matrix6& I_B) {
  return force_matrix(X_PB) * I_B * motion_matrix(inverse(X_PB));
}

TEST(RigidInertia, IsTheBooksMatrix) {
  Random random(41);
  for (int trial = 0; trial < 50; ++trial) {
    const RigidInertia<double> b = random_rigid(random), other = random_rigid(random);
    const Motion<double> v = random_motion(random);
    EXPECT_LT(distance(vector(b * v), matrix(b) * vector(v)), kRounding);
    EXPECT_LT(distance(matrix(b + other), matrix(b) + matrix(other)), kRounding);
    EXPECT_LT(distance(matrix(articulated(b)), matrix(b)), kRounding);
  }
}

// Twice the kinetic energy of three point masses, each with its own velocity w × r + v.
TEST(RigidInertia, GivesTheEnergyOfPointMasses) {
  Random random(42);
  for (int trial = 0; trial < 20; ++trial) {
    RigidInertia<double> b;
    const Motion<double> v = random_motion(random);
    double twice_energy = 0;
    for (int k = 0; k < 3; ++k) {
      const double m = uniform(random, 0.5, 2);
      const Vec3<double> r = random_vector(random), speed = cross(v.w, r) + v.v;
      b += rigid_inertia(m, r, Sym3<double>{});
      twice_energy += m * dot(speed, speed);
    }
    EXPECT_NEAR(dot(b * v, v), twice_energy, kRounding);
  }
}

TEST(RigidInertia, TransformIsTheCongruence) {
  Random random(43);
  for (int trial = 0; trial < 50; ++trial) {
    const RigidInertia<double> b = random_rigid(random);
    const Transform<double> X = random_transform(random);
    EXPECT_LT(distance(matrix(to_parent(X, b)), congruence(X, matrix(b))), kRounding);
    EXPECT_LT(distance(matrix(to_parent(inverse(X), to_parent(X, b))), matrix(b)), kRounding);
    EXPECT_LT(distance(matrix(to_child(X, b)), congruence(inverse(X), matrix(b))), kRounding);
  }
}

TEST(ArticulatedInertia, IsTheBooksMatrix) {
  Random random(44);
  for (int trial = 0; trial < 50; ++trial) {
    ArticulatedInertia<double> A = random_articulated(random);
    const ArticulatedInertia<double> B = random_articulated(random);
    const Motion<double> v = random_motion(random);
    EXPECT_LT(distance(vector(A * v), matrix(A) * vector(v)), kRounding);
    const Matrix6 sum = matrix(A) + matrix(B);
    A += B;
    EXPECT_LT(distance(matrix(A), sum), kRounding);
  }
}

TEST(ArticulatedInertia, TransformIsTheCongruence) {
  Random random(45);
  for (int trial = 0; trial < 50; ++trial) {
    const ArticulatedInertia<double> A = random_articulated(random);
    const Transform<double> X = random_transform(random);
    EXPECT_LT(distance(matrix(to_parent(X, A)), congruence(X, matrix(A))), kRounding);
  }
}

TEST(ArticulatedInertia, SubtractOuterFreesAMotion) {
  Random random(46);
  for (int trial = 0; trial < 50; ++trial) {
    ArticulatedInertia<double> A = random_articulated(random);
    const Matrix6 before = matrix(A);
    const Motion<double> S = random_motion(random);
    const Force<double> U = A * S;
    const double k = 1 / dot(U, S);
    subtract_outer(A, U * k, U);
    EXPECT_LT(distance(matrix(A), before - k * vector(U) * vector(U).transpose()), kRounding);
    EXPECT_LT(vector(A * S).norm(), kRounding);  // the motion S costs nothing any more
  }
}

// The short form of the same, where the freed motion is a turn about z: its z row is exactly zero.
TEST(HingedInertia, IsTheArticulatedOneWithZFreed) {
  Random random(47);
  for (int trial = 0; trial < 50; ++trial) {
    ArticulatedInertia<double> A = random_articulated(random);
    const Motion<double> S{{0, 0, 1}, {}};
    Motion<double> c = random_motion(random);
    c.w.z = c.v.z = 0;
    const Force<double> U = A * S, e = random_force(random);
    const HingedInertia<double> hinged = without_z(A, U * (1 / U.n.z), U);
    subtract_outer(A, U * (1 / U.n.z), U);
    EXPECT_LT(distance(vector(plus_times(e, hinged, c)), vector(e) + matrix(A) * vector(c)),
              kRounding);
    EXPECT_EQ(plus_times(e, hinged, c).n.z, e.n.z);
    const Transform<double> X = random_transform(random);
    EXPECT_LT(distance(matrix(to_parent(X, hinged)), congruence(X, matrix(A))), kRounding);
  }
}

}  // namespace
}  // namespace stance
