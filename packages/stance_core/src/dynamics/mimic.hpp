// Mimic joints: ideal gears between two joints, and what comes after every forward dynamics.
//
// A follower m of a leader l satisfies g = a_m - mu a_l = 0. With G the matrix of these rows and x = M⁻¹ (tau - bias)
// the accelerations of the joints left to themselves, the gears' forces are Gᵀ lambda and
//   (1) a = x + M⁻¹ Gᵀ lambda,    (2) G M⁻¹ Gᵀ lambda = -G x.
// M⁻¹ Gᵀ is found by one linear solve a follower, with the articulated inertias (aba) or LᵀL (crba) already there.
#pragma once

#include <Eigen/Cholesky>

#include "stance_core/base/status.hpp"
#include "stance_core/dynamics/joint_axes.hpp"
#include "stance_core/dynamics/walk_vector.hpp"

namespace stance {

// A degree of freedom of the walk and the sign with which the user sees it.
struct WalkDof {
  int index;
  double sign;
};
WalkDof walk_dof(const Tree& tree, JointId joint) noexcept;

// x <- a of (1). `solve(b, y)` sets y = M⁻¹ b.
template <class Solve>
Status tie_mimics(const Model& model, const Tree& tree, const Solve& solve, Workspace& w,
                  PerDof<double>& x) noexcept {
  const int n = model.mimic_count;
  using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, kMaxMimics, kMaxMimics>;
  using Vector = Eigen::Matrix<double, Eigen::Dynamic, 1, 0, kMaxMimics, 1>;
  const auto row = [&](int k, const PerDof<double>& y) {  // G_k y
    const Mimic& mimic = model.mimics[k];
    const WalkDof m = walk_dof(tree, mimic.joint), l = walk_dof(tree, mimic.leader);
    return m.sign * y[m.index] - mimic.multiplier * l.sign * y[l.index];
  };
  Vector g(n);
  for (int k = 0; k < n; ++k) {
    const Mimic& mimic = model.mimics[k];
    const WalkDof m = walk_dof(tree, mimic.joint), l = walk_dof(tree, mimic.leader);
    PerDof<double> b{};
    b[m.index] = m.sign;
    b[l.index] = -mimic.multiplier * l.sign;
    solve(b, w.Minv_Gt[k]);
    g[k] = -row(k, x);
  }
  Matrix K(n, n);
  for (int r = 0; r < n; ++r) {
    for (int c = 0; c < n; ++c) K(r, c) = row(r, w.Minv_Gt[c]);
  }
  const Eigen::LLT<Matrix> llt(K);
  if (llt.info() != Eigen::Success) return Status::kSingularInertia;
  llt.solveInPlace(g);
  for (int k = 0; k < n; ++k) {
    for (int d = 0; d < tree.dof_count; ++d) x[d] += g[k] * w.Minv_Gt[k][d];
  }
  // exactly, not only to rounding
  for (int k = 0; k < n; ++k) {
    const Mimic& mimic = model.mimics[k];
    const WalkDof m = walk_dof(tree, mimic.joint), l = walk_dof(tree, mimic.leader);
    x[m.index] = m.sign * mimic.multiplier * l.sign * x[l.index];
  }
  return Status::kOk;
}

// Body accelerations a of the workspace (minus gravity's) that the joint accelerations x give.
void carry_accelerations(const Model& model, const Tree& tree, const PerDof<double>& x,
                         Workspace& w) noexcept;

// x in the user's layout; fails if a number is not finite.
Status accelerations_out(const Tree& tree, const Workspace& w, const PerDof<double>& x,
                         DofVector& a) noexcept;

}  // namespace stance
