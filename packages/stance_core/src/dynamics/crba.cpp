// Composite-rigid-body algorithm, RBDA Table 6.2, and the LᵀL factorisation, RBDA Tables 6.3 and 6.5.
#include "stance_core/dynamics/crba.hpp"

#include <cmath>

#include "dynamics/limb_walk.hpp"
#include "dynamics/mimic.hpp"
#include "processor/kernels.hpp"
#include "stance_core/dynamics/joint_axes.hpp"
#include "stance_core/dynamics/outward_step.hpp"
#include "stance_core/dynamics/walk_vector.hpp"

namespace stance {

void crba(const Tree& tree, Workspace& w, MassMatrix& M) noexcept {
  for (int i = 0; i < tree.body_count; ++i) w.Ic[i] = tree.links[i].I;
  for (int k = tree.body_count - 1; k >= 0; --k) {
    const int i = tree.order[k];
    const Link& link = tree.links[i];
    if (link.parent.valid()) w.Ic[link.parent] += to_parent(w.X_PB[i], w.Ic[i]);
    for_each_axis(link.kind, w, [&](auto axis, int j) {
      Force<double> F = column(axis, w.Ic[i]);
      const int row = link.dof + j;
      // the joint's own axes up to this one, then those of every joint on the way to the root
      for_each_axis(link.kind, w, [&](auto other, int c) {
        if (c <= j) M[row][link.dof + c] = project(other, F);
      });
      M[row][row] += link.armature;
      for (BodyId b(i); tree.links[b].parent.valid();) {
        F = to_parent(w.X_PB[b], F);
        b = tree.links[b].parent;
        const Link& above = tree.links[b];
        for_each_axis(above.kind, w,
                      [&](auto other, int c) { M[row][above.dof + c] = project(other, F); });
      }
    });
  }
}

void mass_matrix(const Model& model, const Tree& tree, const Workspace& w, const MassMatrix& M,
                 Eigen::Ref<Eigen::MatrixXd> M_user) noexcept {
  // P maps the user's velocities of a joint to the walk's; M_user = Pᵀ M P, block by block
  const auto to_walk = [&](int i, int j, double* column) {
    double unit[6] = {};
    unit[j] = 1;
    accelerations_to_walk(tree.links[i], w.X_J[i], unit, column);
  };
  M_user.topLeftCorner(model.dof_count, model.dof_count).setZero();
  for (int k = 0; k < tree.body_count; ++k) {
    const int i = tree.order[k];
    const Link& row = tree.links[i];
    for (BodyId b(i); b.valid(); b = tree.links[b].parent) {
      const Link& col = tree.links[b];
      for (int r = 0; r < dof_count(row.kind); ++r) {
        for (int c = 0; c < dof_count(col.kind); ++c) {
          double p[6] = {}, s[6] = {};
          to_walk(i, r, p);
          to_walk(b, c, s);
          double sum = 0;
          for (int d = 0; d < dof_count(row.kind); ++d) {
            for (int e = 0; e < dof_count(col.kind); ++e) {
              const int m = row.dof + d, n = col.dof + e;
              sum += p[d] * (m >= n ? M[m][n] : M[n][m]) * s[e];
            }
          }
          M_user(row.v_index + r, col.v_index + c) = M_user(col.v_index + c, row.v_index + r) = sum;
        }
      }
    }
  }
}

Status factorize(const Tree& tree, MassMatrix& M) noexcept {
  const auto& lambda = tree.dof_parent;
  for (int k = tree.dof_count - 1; k >= 0; --k) {
    if (!(M[k][k] >= kMinInertia)) {
      return M[k][k] < kMinInertia ? Status::kSingularInertia : Status::kNonFinite;
    }
    M[k][k] = std::sqrt(M[k][k]);
    const double inverse = 1 / M[k][k];
    for (int i = lambda[k]; i >= 0; i = lambda[i]) M[k][i] *= inverse;
    for (int i = lambda[k]; i >= 0; i = lambda[i]) {
      for (int j = i; j >= 0; j = lambda[j]) M[i][j] -= M[k][i] * M[k][j];
    }
  }
  return Status::kOk;
}

void ltl_solve(const Tree& tree, const MassMatrix& L, const PerDof<double>& b,
               PerDof<double>& x) noexcept {
  const auto& lambda = tree.dof_parent;
  for (int i = 0; i < tree.dof_count; ++i) x[i] = b[i];
  for (int i = tree.dof_count - 1; i >= 0; --i) {  // L⁻ᵀ
    x[i] /= L[i][i];
    for (int j = lambda[i]; j >= 0; j = lambda[j]) x[j] -= L[i][j] * x[i];
  }
  for (int i = 0; i < tree.dof_count; ++i) {  // L⁻¹
    for (int j = lambda[i]; j >= 0; j = lambda[j]) x[i] -= L[i][j] * x[j];
    x[i] /= L[i][i];
  }
}

Status crba_forward_dynamics(const Model& model, const Tree& tree, const State& state,
                             const DofVector& tau, std::span<const Force<double>> f_ext,
                             Workspace& w, MassMatrix& M, DofVector& a) noexcept {
  PerDof<double> b, x, bias;
  const DofVector none{};
  kernels(model.processor).rnea(model, tree, plain_walk(tree), state, none, f_ext, w, bias);
  for (const int i : tree.bodies()) {
    const Link& link = tree.links[i];
    efforts_to_walk(link, w.X_J[i], &tau[link.v_index], &b[link.dof]);
  }
  for (int d = 0; d < tree.dof_count; ++d) b[d] -= bias[d];

  crba(tree, w, M);
  if (const Status status = factorize(tree, M); status != Status::kOk) return status;
  ltl_solve(tree, M, b, x);
  if (model.mimic_count > 0) {
    const auto solve = [&](const PerDof<double>& c, PerDof<double>& y) {
      ltl_solve(tree, M, c, y);
    };
    if (const Status status = tie_mimics(model, tree, solve, x); status != Status::kOk)
      return status;
  }
  carry_accelerations(model, tree, x, w);
  return accelerations_out(tree, tree.bodies(), w, x, a);
}

}  // namespace stance
