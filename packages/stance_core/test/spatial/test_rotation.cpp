#include "stance_core/spatial/rotation.hpp"

#include <gtest/gtest.h>

#include <Eigen/Geometry>

#include "support/random_robot.hpp"
#include "support/spatial_matrices.hpp"

namespace stance {
namespace {

using namespace test;

constexpr double kRounding = 1e-15;  // entries are at most 1, from a handful of operations

Eigen::Quaterniond eigen(const Quaternion& q) { return {q.w, q.x, q.y, q.z}; }
Eigen::Vector4d coefficients(const Quaternion& q) { return {q.x, q.y, q.z, q.w}; }

// The same rotation has two quaternions: the distance to the nearer one.
double distance_of_rotations(const Quaternion& a, const Quaternion& b) {
  return std::min((coefficients(a) - coefficients(b)).norm(),
                  (coefficients(a) + coefficients(b)).norm());
}

TEST(Rotation, OfAQuaternionIsEigens) {
  Random random(51);
  for (int trial = 0; trial < 100; ++trial) {
    const Quaternion a = normalized(
        {uniform(random), uniform(random), uniform(random), uniform(random)});
    const Quaternion b = normalized(
        {uniform(random), uniform(random), uniform(random), uniform(random)});
    EXPECT_NEAR(norm(a), 1, kRounding);
    EXPECT_LT(distance(rotation(a).eigen(), eigen(a).toRotationMatrix()), 2 * kRounding);
    EXPECT_LT(distance((eigen(a) * eigen(b)).coeffs(), coefficients(a * b)), kRounding);
    EXPECT_LT(distance(rotation(a * b).eigen(), rotation(a).eigen() * rotation(b).eigen()),
              4 * kRounding);
  }
}

// Round trips through all four branches: axes in every direction, each component largest in its turn, by angles up to
// pi.
TEST(Rotation, QuaternionOfAMatrixInAllBranches) {
  const double angles[] = {0, 1e-9, 0.1, 1.5, 2.2, 3, M_PI - 1e-7, M_PI - 1e-15, M_PI};
  for (int x = -2; x <= 2; ++x) {
    for (int y = -2; y <= 2; ++y) {
      for (int z = -2; z <= 2; ++z) {
        const Eigen::Vector3d direction(x, y, z);
        if (direction.norm() == 0) continue;
        const Eigen::Vector3d axis = direction.normalized();
        for (const double angle : angles) {
          const double s = std::sin(angle / 2);
          const Quaternion q{axis.x() * s, axis.y() * s, axis.z() * s, std::cos(angle / 2)};
          const Quaternion back = quaternion(rotation(q));
          // the branch divides by a component of at least 1/2, so nothing is lost
          EXPECT_LT(distance_of_rotations(back, q), 4 * kRounding)
              << direction.transpose() << " by " << angle;
          EXPECT_NEAR(norm(back), 1, kRounding);
        }
      }
    }
  }
}

TEST(Rotation, ExponentialOfSmallAndLargeAngles) {
  Random random(52);
  // both sides of the switch to the series at 1e-4, and beyond a turn
  for (const double angle : {1e-12, 1e-6, 0.99e-4, 1.01e-4, 1e-2, 1.0, 3.1, M_PI, 5.0, 20.0}) {
    const Eigen::Vector3d axis = random_vector(random).eigen().normalized();
    const Eigen::Vector3d r = axis * angle;
    const Quaternion q = exponential(Vec3<double>(r));
    const Eigen::Quaterniond expected(Eigen::AngleAxisd(angle, axis));
    EXPECT_LT(distance(coefficients(q), expected.coeffs()), 2 * kRounding) << angle;
    // small angles keep their relative accuracy
    const Eigen::Vector3d vector_part(q.x, q.y, q.z);
    EXPECT_NEAR(vector_part.norm() / std::abs(std::sin(angle / 2)), 1, 4 * kRounding) << angle;
  }
  const Quaternion one = exponential({});
  EXPECT_EQ(coefficients(one), Eigen::Vector4d(0, 0, 0, 1));
}

TEST(Rotation, ZOntoAnAxisIsARotation) {
  Random random(53);
  for (int trial = 0; trial < 200; ++trial) {
    // some of them almost along a coordinate axis
    Eigen::Vector3d axis = random_vector(random).eigen();
    if (trial % 4 == 0) axis[trial / 4 % 3] *= 1e8;
    axis.normalize();
    const Eigen::Matrix3d R = z_onto(Vec3<double>(axis)).eigen();
    EXPECT_EQ(R.col(2), axis);
    EXPECT_LT(distance(R.transpose() * R, Eigen::Matrix3d::Identity()), 4 * kRounding);
    EXPECT_NEAR(R.determinant(), 1, 4 * kRounding);
    // x is as near as it can be to the coordinate axis farthest from `axis`: users of planar joints rely on it
    int farthest = 0;
    axis.cwiseAbs().minCoeff(&farthest);
    EXPECT_NEAR(R(farthest, 1), 0, kRounding);
    EXPECT_GT(R(farthest, 0), 0.5);
  }
}

TEST(Rotation, ZOntoACoordinateAxisIsExact) {
  for (int k = 0; k < 3; ++k) {
    for (const double sign : {1.0, -1.0}) {
      Eigen::Vector3d axis = Eigen::Vector3d::Zero();
      axis[k] = sign;
      const Eigen::Matrix3d R = z_onto(Vec3<double>(axis)).eigen();
      EXPECT_EQ(R.col(2), axis);
      EXPECT_EQ(R.cwiseAbs().colwise().sum(), Eigen::RowVector3d::Ones());
      EXPECT_EQ(R.cwiseAbs().rowwise().sum(), Eigen::Vector3d::Ones());
      EXPECT_EQ(R.cwiseAbs().maxCoeff(), 1);
      EXPECT_EQ(R.determinant(), 1);
    }
  }
  EXPECT_EQ(z_onto({0, 0, 1}), Mat3<double>::identity());
}

}  // namespace
}  // namespace stance
