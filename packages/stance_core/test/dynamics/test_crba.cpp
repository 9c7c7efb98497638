// The mass matrix and its sparse factors.
#include "stance_core/dynamics/crba.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>

#include "stance_core/dynamics/kinematics.hpp"
#include "stance_core/dynamics/momentum.hpp"
#include "stance_core/dynamics/rnea.hpp"
#include "support/mass_matrix.hpp"
#include "support/random_case.hpp"
#include "support/spatial_matrices.hpp"

namespace stance {
namespace {

using namespace test;

constexpr double kRelative = 1e-12;  // sums over some ten bodies, relative to the largest entry

Eigen::MatrixXd user_matrix(const Model& model, const Tree& tree, const State& state,
                            Workspace& w) {
  kinematics(model, tree, state, w);
  return test::user_matrix(model, tree, w);
}
Eigen::MatrixXd user_matrix(const Case& c) { return user_matrix(*c.model, *c.tree, c.state, *c.w); }

class MassMatrixTest : public testing::TestWithParam<JointKind> {
 protected:
  Random random{111};

  // The whole matrix in walking order: below the diagonal where one freedom is above the other, zero elsewhere.
  static Eigen::MatrixXd from_lower(const Tree& tree, const MassMatrix& M) {
    Eigen::MatrixXd L = Eigen::MatrixXd::Zero(tree.dof_count, tree.dof_count);
    for (int d = 0; d < tree.dof_count; ++d) {
      for (int e = d; e >= 0; e = tree.dof_parent[e]) L(d, e) = M[d][e];
    }
    return L;
  }
};

INSTANTIATE_TEST_SUITE_P(Supports, MassMatrixTest, testing::ValuesIn(kSupports),
                         [](const auto& row) { return std::string(to_string(row.param)); });

TEST_P(MassMatrixTest, ColumnsComeFromInverseDynamics) {
  for (int trial = 0; trial < 8; ++trial) {
    const Case c = random_case(random, {.bodies = 10}, GetParam());
    const Eigen::MatrixXd M = user_matrix(c);
    const double size = M.cwiseAbs().maxCoeff();
    DofVector bias{};
    ASSERT_EQ(rnea(*c.model, *c.tree, c.state, {}, {}, *c.w, bias), Status::kOk);
    for (const int d : used_dofs(*c.model, *c.tree)) {
      DofVector unit{}, tau{};
      unit[d] = 1;
      ASSERT_EQ(rnea(*c.model, *c.tree, c.state, unit, {}, *c.w, tau), Status::kOk);
      for (int e = 0; e < c.model->dof_count; ++e) {
        // the difference loses what the bias has in common: a few hundred at most
        EXPECT_NEAR(M(e, d), tau[e] - bias[e], 100 * kRelative * size);
      }
    }
  }
}

TEST_P(MassMatrixTest, IsSymmetricPositiveDefiniteOnWhatCanMove) {
  const Case c = random_case(random, {.bodies = 12}, GetParam());
  const Eigen::MatrixXd M = user_matrix(c);
  EXPECT_EQ(M, M.transpose());
  const auto used = used_dofs(*c.model, *c.tree);
  const Eigen::MatrixXd inner = M(used, used);
  EXPECT_GT(Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(inner).eigenvalues()[0], 1e-6);
  for (int d = dof_count(GetParam()); d < kSupportDofs; ++d) {
    EXPECT_TRUE(M.row(d).isZero(0) && M.col(d).isZero(0));
  }
}

TEST_P(MassMatrixTest, GivesTheKineticEnergy) {
  for (int trial = 0; trial < 8; ++trial) {
    const Case c = random_case(random, {.bodies = 10}, GetParam());
    const Eigen::MatrixXd M = user_matrix(c);
    const Eigen::Map<const Eigen::VectorXd> v(c.state.v.data(), c.model->dof_count);
    const double energy = kinetic_energy(*c.tree, c.state, *c.w);
    EXPECT_GT(energy, 0.1);
    EXPECT_NEAR(0.5 * v.dot(M * v), energy, 10 * kRelative * energy);
  }
}

TEST_P(MassMatrixTest, FactorsAreSparseAndSolve) {
  for (int trial = 0; trial < 8; ++trial) {
    const Case c = random_case(random, {.bodies = 16, .branching = 0.8}, GetParam());
    constexpr double kUntouched = 12345;
    const auto lower = std::make_unique<MassMatrix>();
    lower->entries.fill(kUntouched);
    kinematics(*c.model, *c.tree, c.state, *c.w);
    crba(*c.tree, *c.w, *lower);
    const int n = c.tree->dof_count;
    Eigen::MatrixXd M = from_lower(*c.tree, *lower);
    M = Eigen::MatrixXd(M.selfadjointView<Eigen::Lower>());
    ASSERT_EQ(factorize(*c.tree, *lower), Status::kOk);

    const Eigen::MatrixXd L = from_lower(*c.tree, *lower);
    EXPECT_LT(distance(L.transpose() * L, M), kRelative * M.cwiseAbs().maxCoeff());
    int zeros = 0;
    for (int d = 0; d < n; ++d) {
      for (int e = 0; e < d; ++e) {
        bool above = false;
        for (int f = d; f >= 0; f = c.tree->dof_parent[f]) above |= f == e;
        if (above) continue;
        ++zeros;
        EXPECT_EQ((*lower)[d][e], kUntouched) << "branches " << d << " and " << e << " do not meet";
      }
    }
    EXPECT_GT(zeros, 0);

    PerDof<double> b{}, x{};
    for (int d = 0; d < n; ++d) b[d] = uniform(random);
    ltl_solve(*c.tree, *lower, b, x);
    const Eigen::VectorXd expected = M.ldlt().solve(Eigen::Map<Eigen::VectorXd>(b.data(), n));
    // condition numbers reach 1e6
    EXPECT_LT(distance(Eigen::Map<Eigen::VectorXd>(x.data(), n), expected),
              1e-9 * (1 + expected.cwiseAbs().maxCoeff()));
  }
}

// M of one root is the congruence of M of another: v_other = T v, with T found from the motion each velocity gives.
TEST(MassMatrix, OfTwoRootsAreCongruent) {
  Random random(112);
  for (int trial = 0; trial < 12; ++trial) {
    const Case c = random_case(random, {.bodies = 10}, JointKind::kFree);
    const FreeBase base = as_free_base(c);
    const int n = c.model->dof_count;
    Eigen::MatrixXd T = Eigen::MatrixXd::Identity(n, n);
    for (int d = 0; d < n; ++d) {
      State unit = c.state;
      unit.v.fill(0);
      unit.v[d] = 1;
      const Motion<double> V = body_motion(*c.model, *c.tree, unit, BodyId(0)).V_H;
      T.col(d).head<6>() = vector(V);
    }
    const Eigen::MatrixXd M = user_matrix(c);
    const Eigen::MatrixXd M_base = user_matrix(*c.model, *base.tree, base.state, *c.w);
    EXPECT_LT(distance(M, T.transpose() * M_base * T), 100 * kRelative * M.cwiseAbs().maxCoeff());
    EXPECT_TRUE(c.tree->root == BodyId(0) || distance(T, Eigen::MatrixXd::Identity(n, n)) > 0.1);
  }
}

}  // namespace
}  // namespace stance
