#include "stance_core/dynamics/jacobian.hpp"

#include <gtest/gtest.h>

#include "stance_core/dynamics/kinematics.hpp"
#include "support/random_case.hpp"
#include "support/spatial_matrices.hpp"

namespace stance {
namespace {

using namespace test;

// As in test_kinematics: truncation and rounding of a central difference over 2e-5 s.
constexpr double kStep = 1e-5;
constexpr double kTolerance = 1e-6;

using Jacobian6 = Eigen::Matrix<double, 6, Eigen::Dynamic>;
using Jacobian3 = Eigen::Matrix<double, 3, Eigen::Dynamic>;

// Supports, and robots of ten bodies by seed.
class JacobianTest : public testing::TestWithParam<std::tuple<JointKind, int>> {
 protected:
  const JointKind kind = std::get<0>(GetParam());
  Random random = Random(std::get<1>(GetParam()));
  Case c = random_case(random, {.bodies = 10}, kind);
  const int dofs = c.model->dof_count;
  std::unique_ptr<Workspace> w_before = std::make_unique<Workspace>();
  std::unique_ptr<Workspace> w_after = std::make_unique<Workspace>();

  Eigen::VectorXd velocities() const {
    return Eigen::Map<const Eigen::VectorXd>(c.state.v.data(), dofs);
  }
  Jacobian6 jacobian(const Workspace& w, FrameId f) const {
    Jacobian6 J = Jacobian6::Constant(6, dofs, 7);  // what was in it before does not matter
    frame_jacobian(*c.model, *c.tree, w, f, J);
    return J;
  }
  // Both sides of the present state, along v.
  void look_around(const DofVector& v) {
    kinematics(*c.model, *c.tree, moved(*c.model, *c.tree, c.state, v, -kStep), *w_before);
    kinematics(*c.model, *c.tree, moved(*c.model, *c.tree, c.state, v, kStep), *w_after);
  }
};

INSTANTIATE_TEST_SUITE_P(Supports, JacobianTest,
                         testing::Combine(testing::ValuesIn(kSupports), testing::Range(101, 105)),
                         [](const auto& row) {
                           return to_string(std::get<0>(row.param)) +
                                  std::to_string(std::get<1>(row.param));
                         });

// Or else the tests below would not see how such a joint is read backwards.
TEST(Jacobian, RobotsHaveReversedJointsOfSeveralAxes) {
  int reversed = 0;
  for (int seed = 101; seed < 105; ++seed) {
    Random random(seed);
    const Case c = random_case(random, {.bodies = 10}, JointKind::kFree);
    for (int i = 0; i < c.model->body_count; ++i) {
      const Link& link = c.tree->links[i];
      reversed += link.reversed && dof_count(link.kind) > 1;
    }
  }
  EXPECT_GT(reversed, 1);
}

TEST_P(JacobianTest, TimesVelocityIsTheFramesVelocity) {
  kinematics(*c.model, *c.tree, c.state, *c.w);
  for (int k = 0; k < c.model->frame_count; ++k) {
    const FrameId f(k);
    const Eigen::Matrix3d R = frame_pose(*c.model, *c.tree, *c.w, f).R.eigen();
    const Motion<double> V = frame_velocity(*c.model, *c.tree, *c.w, f);
    Vector6 expected;  // in world axes
    expected << R * V.w.eigen(), R * V.v.eigen();
    EXPECT_LT(distance(jacobian(*c.w, f) * velocities(), expected), 1e-12);  // ten sums
  }
}

TEST_P(JacobianTest, ColumnsAreDerivativesOfThePose) {
  kinematics(*c.model, *c.tree, c.state, *c.w);
  for (const int d : used_dofs(*c.model, *c.tree)) {
    DofVector unit{};
    unit[d] = 1;
    look_around(unit);
    for (int k = 0; k < c.model->frame_count; ++k) {
      const FrameId f(k);
      const Transform<double> X = frame_pose(*c.model, *c.tree, *c.w, f);
      const Motion<double> V = difference_quotient(X, frame_pose(*c.model, *c.tree, *w_before, f),
                                                   frame_pose(*c.model, *c.tree, *w_after, f),
                                                   2 * kStep);
      Vector6 expected;
      expected << X.R.eigen() * V.w.eigen(), X.R.eigen() * V.v.eigen();
      EXPECT_LT(distance(jacobian(*c.w, f).col(d), expected), kTolerance);
    }
  }
}

// Unused axes of the support do nothing.
TEST_P(JacobianTest, ColumnsOfUnusedAxesAreZero) {
  kinematics(*c.model, *c.tree, c.state, *c.w);
  const Jacobian6 J = jacobian(*c.w, FrameId(c.model->frame_count - 1));
  for (int d = dof_count(kind); d < kSupportDofs; ++d) EXPECT_TRUE(J.col(d).isZero(0));
}

TEST_P(JacobianTest, BiasIsTheChangeOfJTimesConstantV) {
  kinematics(*c.model, *c.tree, c.state, *c.w);
  look_around(c.state.v);
  for (int k = 0; k < c.model->frame_count; ++k) {
    const FrameId f(k);
    const Vector6 change = (jacobian(*w_after, f) - jacobian(*w_before, f)) * velocities() /
                           (2 * kStep);
    EXPECT_LT(distance(frame_bias(*c.model, *c.tree, *c.w, f), change), 10 * kTolerance);
  }
}

TEST_P(JacobianTest, PointsMoveWithTheirBody) {
  kinematics(*c.model, *c.tree, c.state, *c.w);
  look_around(c.state.v);
  for (int i = 0; i < c.model->body_count; ++i) {
    const BodyId body(i);
    const Vec3<double> p_B = random_vector(random);
    const auto at = [&](const Workspace& w) { return w.X_WB[i] * p_B; };
    const auto velocity_of = [&](const Workspace& w) -> Eigen::Vector3d {
      Jacobian3 J = Jacobian3::Constant(3, dofs, 7);
      point_jacobian(*c.model, *c.tree, w, body, at(w), J);
      return J * velocities();
    };
    const Eigen::Vector3d moved_by = (at(*w_after) - at(*w_before)).eigen() / (2 * kStep);
    EXPECT_LT(distance(velocity_of(*c.w), moved_by), kTolerance);
    const Eigen::Vector3d change = (velocity_of(*w_after) - velocity_of(*w_before)) / (2 * kStep);
    EXPECT_LT(distance(point_bias(*c.tree, *c.w, body, at(*c.w)).eigen(), change), 10 * kTolerance);
  }
}

}  // namespace
}  // namespace stance
