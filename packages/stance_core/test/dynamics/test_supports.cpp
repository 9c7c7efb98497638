// A support is a constraint: the robot on it moves as the free robot does with the contact held by reaction forces.
//   M a = tau - bias + Jᵀ lambda,   J a + J̇ v = 0        (for the free base; rows of J are what the support forbids)
// Nothing of the support joints is used on this side, so it checks them independently.
#include <gtest/gtest.h>

#include <Eigen/Dense>

#include "stance_core/dynamics/aba.hpp"
#include "stance_core/dynamics/jacobian.hpp"
#include "stance_core/dynamics/kinematics.hpp"
#include "stance_core/dynamics/rnea.hpp"
#include "support/mass_matrix.hpp"
#include "support/random_case.hpp"
#include "support/spatial_matrices.hpp"

namespace stance {
namespace {

using namespace test;

// What the support forbids of the velocity of the contact frame's origin, written in the axes of A: rows of a matrix
// that takes (wx wy wz vx vy vz) to numbers that must be zero.
Eigen::MatrixXd forbidden(const Support& support) {
  const auto rows = [](std::initializer_list<int> axes) {
    Eigen::MatrixXd C = Eigen::MatrixXd::Zero(axes.size(), 6);
    int r = 0;
    for (const int axis : axes) C(r++, axis) = 1;
    return C;
  };
  switch (support.kind) {
    case JointKind::kFixed: return rows({0, 1, 2, 3, 4, 5});
    case JointKind::kRevolute: return rows({0, 1, 3, 4, 5});
    case JointKind::kBall: return rows({3, 4, 5});
    case JointKind::kPlanar: return rows({0, 1, 5});
    case JointKind::kRoll: {
      // the arc's centre stays at its height and moves by -rho for each radian
      Eigen::MatrixXd C = rows({0, 1, 3, 4, 5});
      C(2, 2) = support.radius;
      return C;
    }
    default: return Eigen::MatrixXd(0, 6);
  }
}

class SupportTest : public testing::TestWithParam<JointKind> {
 protected:
  Random random{161};
};
INSTANTIATE_TEST_SUITE_P(Supports, SupportTest, testing::ValuesIn(kSupports),
                         [](const auto& row) { return std::string(to_string(row.param)); });

TEST_P(SupportTest, MovesAsTheFreeRobotHeldByReactions) {
  for (int trial = 0; trial < 10; ++trial) {
    Case c = random_case(random, {.bodies = 8}, GetParam());
    for (int j = 0; j < kSupportDofs; ++j) c.tau[j] = 0;  // the ground has no motor
    DofVector a{};
    ASSERT_EQ(aba(*c.model, *c.tree, c.state, c.tau, c.f_ext, *c.w, a), Status::kOk);
    kinematics(*c.model, *c.tree, c.state, *c.w);
    const Vec3<double> p_W = c.w->X_WB[c.tree->root].p;  // origin of the contact frame

    const FreeBase base = as_free_base(c);
    const int n = c.model->dof_count;
    const BodyId root = c.tree->root;
    DofVector bias{};
    ASSERT_EQ(rnea(*c.model, *base.tree, base.state, {}, c.f_ext, *c.w, bias), Status::kOk);
    kinematics(*c.model, *base.tree, base.state, *c.w);
    const Eigen::MatrixXd M = user_matrix(*c.model, *base.tree, *c.w);

    // velocity of the contact frame: turning of the root's link, moving of the point, both in the axes of A
    Eigen::Matrix<double, 6, Eigen::Dynamic> J(6, n);
    Eigen::Matrix<double, 3, Eigen::Dynamic> J_point(3, n);
    const FrameId link = c.model->bodies[root].link;
    frame_jacobian(*c.model, *base.tree, *c.w, link, J);
    point_jacobian(*c.model, *base.tree, *c.w, root, p_W, J_point);
    J.bottomRows<3>() = J_point;
    Vector6 drift = frame_bias(*c.model, *base.tree, *c.w, link);
    drift.tail<3>() = point_bias(*base.tree, *c.w, root, p_W).eigen();
    const Eigen::Matrix3d R_AW = c.tree->support.X_WA.R.eigen().transpose();
    Matrix6 to_A = Matrix6::Zero();
    to_A.topLeftCorner<3, 3>() = to_A.bottomRightCorner<3, 3>() = R_AW;
    const Eigen::MatrixXd C = forbidden(c.tree->support) * to_A;

    const Eigen::Map<const Eigen::VectorXd> v(base.state.v.data(), n);
    if (C.rows() > 0) {
      EXPECT_LT((C * (J * v)).cwiseAbs().maxCoeff(), 1e-11) << "velocities do not fit the support";
    }

    const int m = static_cast<int>(C.rows());
    Eigen::MatrixXd K = Eigen::MatrixXd::Zero(n + m, n + m);
    K.topLeftCorner(n, n) = M;
    K.bottomLeftCorner(m, n) = C * J;
    K.topRightCorner(n, m) = K.bottomLeftCorner(m, n).transpose();
    Eigen::VectorXd b(n + m);
    b.head(n) = Eigen::Map<const Eigen::VectorXd>(c.tau.data(), n) -
                Eigen::Map<const Eigen::VectorXd>(bias.data(), n);
    b.tail(m) = -C * drift;
    const Eigen::VectorXd expected = K.fullPivLu().solve(b);
    const double size = 1 + expected.head(n).cwiseAbs().maxCoeff();
    for (int d = kSupportDofs; d < n; ++d) {
      EXPECT_NEAR(a[d], expected[d], 1e-8 * size);  // the bordered matrix has a condition up to 1e7
    }
  }
}

// The axes a support leaves free are as many as the constraints leave.
TEST_P(SupportTest, CountsFit) {
  Support support;
  support.kind = GetParam();
  EXPECT_EQ(forbidden(support).rows() + dof_count(GetParam()), 6);
}

// The contact point, seen from the world: at rest on a pin, a ball and a weld.
TEST_P(SupportTest, ContactPointDoesNotAccelerateWhereItIsHeld) {
  const Case c = random_case(random, {.bodies = 8}, GetParam());
  DofVector a{};
  ASSERT_EQ(aba(*c.model, *c.tree, c.state, c.tau, c.f_ext, *c.w, a), Status::kOk);
  kinematics(*c.model, *c.tree, c.state, *c.w);
  const int root = c.tree->root;
  const Transform<double>& X_WC = c.w->X_WB[root];
  const Motion<double>& v = c.w->v[root];
  Motion<double> spatial = c.w->a[root];
  spatial.v += transpose_times(X_WC.R, c.model->gravity);
  const Vec3<double> point = spatial.v + cross(v.w, v.v);
  const bool held = GetParam() == JointKind::kFixed || GetParam() == JointKind::kRevolute ||
                    GetParam() == JointKind::kBall;
  if (held) {
    EXPECT_LT(norm(point), 1e-11);  // gravity went in and out again
  } else {
    EXPECT_GT(norm(point), 0.01);
  }
}

}  // namespace
}  // namespace stance
