// Against Eigen. 1e-14: sums of a few products of numbers up to about 1.
#include "stance_core/spatial/vec3.hpp"

#include <gtest/gtest.h>

#include <Eigen/Geometry>

#include "support/random_robot.hpp"
#include "support/spatial_matrices.hpp"

namespace stance {
namespace {

using namespace test;

constexpr double kRounding = 1e-14;

Eigen::Matrix3d random_matrix(Random& random) {
  return Eigen::Matrix3d::NullaryExpr([&] { return uniform(random); });
}

TEST(Vec3, AgreesWithEigen) {
  Random random(11);
  for (int trial = 0; trial < 20; ++trial) {
    const Vec3<double> a = random_vector(random), b = random_vector(random);
    const Eigen::Vector3d ea = a.eigen(), eb = b.eigen();
    EXPECT_LT(distance((a + b * 2.0 - (-a)).eigen(), ea + 2 * eb + ea), kRounding);
    EXPECT_LT(distance(cross(a, b).eigen(), ea.cross(eb)), kRounding);
    EXPECT_NEAR(dot(a, b), ea.dot(eb), kRounding);
    EXPECT_NEAR(norm(a), ea.norm(), kRounding);
    EXPECT_EQ(Vec3<double>(ea), a);
    EXPECT_EQ(3.0 * a, a * 3.0);
    Vec3<double> c = a;
    c += b;
    c -= a * 0.5;
    EXPECT_LT(distance(c.eigen(), 0.5 * ea + eb), kRounding);
  }
}

TEST(Mat3, AgreesWithEigen) {
  Random random(12);
  for (int trial = 0; trial < 20; ++trial) {
    const Eigen::Matrix3d em = random_matrix(random), en = random_matrix(random);
    const Mat3<double> m(em), n(en);
    const Vec3<double> v = random_vector(random);
    EXPECT_EQ(m.eigen(), em);
    EXPECT_LT(distance((m * n).eigen(), em * en), kRounding);
    EXPECT_LT(distance((m + n).eigen(), em + en), kRounding);
    EXPECT_LT(distance((m * v).eigen(), em * v.eigen()), kRounding);
    EXPECT_LT(distance(transpose_times(m, v).eigen(), em.transpose() * v.eigen()), kRounding);
    EXPECT_EQ(transpose(m).eigen(), em.transpose());
    EXPECT_EQ((Mat3<double>::identity() * m), m);
  }
}

TEST(Sym3, AgreesWithEigen) {
  Random random(13);
  for (int trial = 0; trial < 20; ++trial) {
    const Eigen::Matrix3d half = random_matrix(random), em = half + half.transpose();
    const Sym3<double> m = symmetric<double>(em);
    const Vec3<double> v = random_vector(random);
    EXPECT_EQ(m.eigen(), em);
    EXPECT_LT(distance((m * v).eigen(), em * v.eigen()), kRounding);
    EXPECT_EQ(m.col_x().eigen(), em.col(0));
    EXPECT_EQ(m.col_y().eigen(), em.col(1));
    EXPECT_EQ(m.col_z().eigen(), em.col(2));
    EXPECT_LT(distance((m + m).eigen(), 2 * em), kRounding);
    const Eigen::Matrix3d R = random_rotation(random), general = random_matrix(random);
    EXPECT_LT(distance(rotate(Mat3<double>(R), m).eigen(), R * em * R.transpose()), kRounding);
    EXPECT_LT(distance(rotate(Mat3<double>(R), Mat3<double>(general)).eigen(),
                       R * general * R.transpose()),
              kRounding);
  }
}

}  // namespace
}  // namespace stance
