// Joint-space inertia matrix: composite-rigid-body algorithm (RBDA Table 6.2), and the sparse factorisation
// M = LᵀL that keeps the branches' zeros (RBDA Tables 6.3 and 6.5).
#pragma once

#include <Eigen/Core>
#include <array>
#include <span>

#include "stance_core/base/status.hpp"
#include "stance_core/model/tree.hpp"
#include "stance_core/model/workspace.hpp"

namespace stance {

// Rows and columns in walking order; of the lower triangle, only what the branches leave. M after crba, L after factorize.
// Large: kMaxDofs squared.
struct MassMatrix {
  double* operator[](int row) noexcept {
    return &entries[static_cast<std::size_t>(row) * kMaxDofs];
  }
  const double* operator[](int row) const noexcept {
    return &entries[static_cast<std::size_t>(row) * kMaxDofs];
  }
  std::array<double, static_cast<std::size_t>(kMaxDofs) * kMaxDofs> entries;
};

// M, armature included. Needs X_PB: call kinematics first.
void crba(const Tree& tree, Workspace& w, MassMatrix& M) noexcept;

// M in the layout of State::v, symmetric and whole, for users and tests. Rows of unused support axes are zero.
void mass_matrix(const Model& model, const Tree& tree, const Workspace& w, const MassMatrix& M,
                 Eigen::Ref<Eigen::MatrixXd> M_user) noexcept;

// M -> L in place.
Status factorize(const Tree& tree, MassMatrix& M) noexcept;

// After factorize: x = M⁻¹ b, both in walking order.
void ltl_solve(const Tree& tree, const MassMatrix& L, const PerDof<double>& b,
               PerDof<double>& x) noexcept;

// Forward dynamics the cubic way: the same question as aba, answered by M a = tau - bias.
Status crba_forward_dynamics(const Model& model, const Tree& tree, const State& state,
                             const DofVector& tau, std::span<const Force<double>> f_ext,
                             Workspace& w, MassMatrix& M, DofVector& a) noexcept;

}  // namespace stance
