// Recursive Newton-Euler algorithm, RBDA Table 5.1, in kernel frames. Differs: armature is added to tau.
#include "stance_core/dynamics/rnea.hpp"

#include "dynamics/mimic.hpp"
#include "dynamics/rnea_walk.hpp"
#include "stance_core/dynamics/joint_axes.hpp"
#include "stance_core/dynamics/outward_step.hpp"
#include "stance_core/dynamics/walk_vector.hpp"

namespace stance {

void rnea_forces(const Model& model, const Tree& tree, const PerDof<double>& x,
                 std::span<const Force<double>> f_ext, Workspace& w, PerDof<double>& tau) noexcept {
  // root to leaves: accelerations, and the force each body needs
  carry_accelerations(model, tree, x, w);
  for (int i = 0; i < tree.body_count; ++i) {
    const Link& link = tree.links[i];
    w.f[i] = link.I * w.a[i] + cross(w.v[i], link.I * w.v[i]);  // RBDA 5.9
    if (!f_ext.empty()) w.f[i] -= to_child(link.X_HB, f_ext[i]);
  }
  // leaves to root: forces across the joints
  for (int k = tree.body_count - 1; k >= 0; --k) {
    const int i = tree.order[k];
    const Link& link = tree.links[i];
    for_each_axis(link.kind, w, [&](auto axis, int j) {
      const int d = link.dof + j;
      tau[d] = project(axis, w.f[i]) + link.armature * x[d];  // RBDA 5.11
    });
    if (link.parent.valid()) w.f[link.parent] += to_parent(w.X_PB[i], w.f[i]);  // RBDA 5.10
  }
}

Status rnea(const Model& model, const Tree& tree, const State& state, const DofVector& a,
            std::span<const Force<double>> f_ext, Workspace& w, DofVector& tau) noexcept {
  PerDof<double> x;
  for (int k = 0; k < tree.body_count; ++k) {
    const int i = tree.order[k];
    const Link& link = tree.links[i];
    outward_step(tree, state, i, w);
    accelerations_to_walk(link, w.X_J[i], &a[link.v_index], &x[link.dof]);
  }
  for (int k = 0; k < model.mimic_count; ++k) {
    const Mimic& mimic = model.mimics[k];
    if (tree.locked[mimic.joint]) continue;
    const WalkDof m = walk_dof(tree, mimic.joint), l = walk_dof(tree, mimic.leader);
    x[m.index] = m.sign * mimic.multiplier * l.sign * x[l.index];
  }
  PerDof<double> tau_walk;
  rnea_forces(model, tree, x, f_ext, w, tau_walk);

  double zero = 0;
  for (int d = 0; d < tree.dof_count; ++d) zero += 0 * tau_walk[d];
  if (zero != 0) return Status::kNonFinite;
  for (int j = dof_count(tree.support.kind); j < kSupportDofs; ++j) tau[j] = 0;
  for (int k = 0; k < tree.body_count; ++k) {
    const int i = tree.order[k];
    const Link& link = tree.links[i];
    efforts_to_user(link, w.X_J[i], &tau_walk[link.dof], &tau[link.v_index]);
  }
  // the leader drives its followers: Gᵀ-free efforts
  for (int k = 0; k < model.mimic_count; ++k) {
    const Mimic& mimic = model.mimics[k];
    double& follower = tau[model.joints[mimic.joint].v_index];
    tau[model.joints[mimic.leader].v_index] += mimic.multiplier * follower;
    follower = 0;
  }
  return Status::kOk;
}

}  // namespace stance
