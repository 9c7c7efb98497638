#include "dynamics/mimic.hpp"

namespace stance {

WalkDof walk_dof(const Tree& tree, JointId joint) noexcept {
  // joint j enters body j when walked forwards, and its parent in the file when walked backwards; only the link
  // that is entered through it names it
  const Link& own = tree.links[joint];
  if (own.joint == joint) return {own.dof, own.sign};
  for (int i = 0; i < tree.body_count; ++i) {
    if (tree.links[i].joint == joint) return {tree.links[i].dof, tree.links[i].sign};
  }
  return {0, 0};
}

void carry_accelerations(const Model& model, const Tree& tree, const PerDof<double>& x,
                         Workspace& w) noexcept {
  const Motion<double> a_world{{}, -model.gravity};
  for (int k = 0; k < tree.body_count; ++k) {
    const int i = tree.order[k];
    const Link& link = tree.links[i];
    w.a[i] = to_child(w.X_PB[i], link.parent.valid() ? w.a[link.parent] : a_world) + w.c[i];
    for_each_axis(link.kind, w, [&](auto axis, int j) { move(axis, w.a[i], x[link.dof + j]); });
  }
}

Status accelerations_out(const Tree& tree, std::span<const BodyId> bodies, const Workspace& w,
                         const PerDof<double>& x, DofVector& a) noexcept {
  double zero = 0;  // NaN if one is not finite
  for (const int i : bodies) {
    const Link& link = tree.links[i];
    if (link.kind == JointKind::kRevolute) {
      zero += 0 * x[link.dof];
    } else {
      for (int j = 0; j < dof_count(link.kind); ++j) zero += 0 * x[link.dof + j];
    }
  }
  if (zero != 0) return Status::kNonFinite;
  for (int j = dof_count(tree.support.kind); j < kSupportDofs; ++j) a[j] = 0;
  for (const int i : bodies) {
    const Link& link = tree.links[i];
    if (link.kind == JointKind::kRevolute) {
      a[link.v_index] = link.sign * x[link.dof];
      continue;
    }
    if (link.kind == JointKind::kFixed && link.joint.valid()) a[link.v_index] = 0;  // locked
    accelerations_to_user(link, w.X_J[i], &x[link.dof], &a[link.v_index]);
  }
  return Status::kOk;
}

}  // namespace stance
