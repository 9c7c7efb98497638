// Mimic joints: ideal gears between two joints, and what comes after every forward dynamics.
//
// A follower m of a leader l satisfies g = a_m - mu a_l = 0. With G the matrix of these rows and x = M⁻¹ (tau - bias)
// the accelerations of the joints left to themselves, the gears' forces are Gᵀ lambda and
//   (1) a = x + M⁻¹ Gᵀ lambda,    (2) G M⁻¹ Gᵀ lambda = -G x.
// Each column of M⁻¹ Gᵀ takes one linear solve with the articulated inertias (aba) or LᵀL (crba) already there, and serves
// only for its entries of (2); M⁻¹ Gᵀ lambda is one solve more.
#pragma once

#include "dynamics/cholesky.hpp"
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
Status tie_mimics(const Model& model, const Tree& tree, const Solve& solve,
                  PerDof<double>& x) noexcept {
  // the gears that move: a locked group has no degrees of freedom in the walk
  struct Gear {
    WalkDof follower, leader;
    double multiplier;
    double apply(const PerDof<double>& y) const {  // G_k y
      return follower.sign * y[follower.index] - multiplier * leader.sign * y[leader.index];
    }
    void add_transpose(double lambda, PerDof<double>& b) const {  // b += G_kᵀ lambda
      b[follower.index] += follower.sign * lambda;
      b[leader.index] -= multiplier * leader.sign * lambda;
    }
  };
  std::array<Gear, kMaxMimics> gears;
  int n = 0;
  for (int k = 0; k < model.mimic_count; ++k) {
    const Mimic& mimic = model.mimics[k];
    if (tree.locked[mimic.joint]) continue;
    gears[n++] = {walk_dof(tree, mimic.joint), walk_dof(tree, mimic.leader), mimic.multiplier};
  }
  if (n == 0) return Status::kOk;
  SmallSystem<kMaxMimics> system;  // (2)
  PerDof<double> y;
  for (int c = 0; c < n; ++c) {
    PerDof<double> b{};
    gears[c].add_transpose(1, b);
    solve(b, y);
    for (int r = c; r < n; ++r) system.K[r][c] = gears[r].apply(y);
    system.b[c] = -gears[c].apply(x);
  }
  if (!cholesky_solve(n, system)) return Status::kSingularInertia;
  PerDof<double> b{};
  for (int k = 0; k < n; ++k) gears[k].add_transpose(system.b[k], b);
  solve(b, y);
  for (int d = 0; d < tree.dof_count; ++d) x[d] += y[d];  // (1)
  // exactly, not only to rounding
  for (int k = 0; k < n; ++k) {
    const Gear& gear = gears[k];
    x[gear.follower.index] = gear.follower.sign * gear.multiplier * gear.leader.sign *
                             x[gear.leader.index];
  }
  return Status::kOk;
}

// Body accelerations a of the workspace (minus gravity's) that the joint accelerations x give.
void carry_accelerations(const Model& model, const Tree& tree, const PerDof<double>& x,
                         Workspace& w) noexcept;

// x of these bodies in the user's layout; fails if a number is not finite.
Status accelerations_out(const Tree& tree, std::span<const BodyId> bodies, const Workspace& w,
                         const PerDof<double>& x, DofVector& a) noexcept;

}  // namespace stance
