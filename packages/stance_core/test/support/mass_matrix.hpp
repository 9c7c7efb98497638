// The mass matrix with the memory it takes, for tests that are not about that memory.
#pragma once

#include <Eigen/Core>
#include <memory>

#include "stance_core/dynamics/crba.hpp"

namespace stance::test {

// In the layout of State::v. Needs X_PB: call kinematics first.
inline Eigen::MatrixXd user_matrix(const Model& model, const Tree& tree, Workspace& w) {
  const auto M = std::make_unique<MassMatrix>();
  crba(tree, w, *M);
  Eigen::MatrixXd M_user(model.dof_count, model.dof_count);
  mass_matrix(model, tree, w, *M, M_user);
  return M_user;
}

// Forward dynamics with it, called as aba is.
inline Status crba_dynamics(const Model& model, const Tree& tree, const State& state,
                            const DofVector& tau, std::span<const Force<double>> f_ext,
                            Workspace& w, DofVector& a) noexcept {
  static const auto M = std::make_unique<MassMatrix>();
  return crba_forward_dynamics(model, tree, state, tau, f_ext, w, *M, a);
}

}  // namespace stance::test
