#include "stance_core/dynamics/aba.hpp"

#include "dynamics/aba_kernel.hpp"
#include "dynamics/mimic.hpp"
#include "processor/kernels.hpp"

namespace stance {

Status aba(const Model& model, const Tree& tree, const State& state, const DofVector& tau,
           std::span<const Force<double>> f_ext, Workspace& w, DofVector& a) noexcept {
  PerDof<double> x;
  const Walk walk = plain_walk(tree);
  Status status = kernels(model.processor).aba(model, tree, walk, state, tau, f_ext, w, x);
  if (status != Status::kOk) return status;
  if (model.mimic_count > 0) {
    const auto solve = [&](const PerDof<double>& b, PerDof<double>& y) {
      aba_solve(tree, w, b, y);
    };
    if ((status = tie_mimics(model, tree, solve, x)) != Status::kOk) return status;
    carry_accelerations(model, tree, x, w);
  }
  return accelerations_out(tree, walk.trunk, w, x, a);
}

Status aba_lanes(const Model& model, const Tree& tree, const State& state, const DofVector& tau,
                 std::span<const Force<double>> f_ext, Workspace& w, DofVector& a) noexcept {
  const bool geared = model.gear_count > 0;
  if (geared ? !model.gears_are_joined : tree.lanes.group_count == 0)
    return aba(model, tree, state, tau, f_ext, w, a);
  PerDof<double> x;
  const Walk walk = lane_walk(tree);
  const Kernels& compiled = kernels(model.processor);
  Status status = (geared ? compiled.aba_geared : compiled.aba)(model, tree, walk, state, tau,
                                                                f_ext, w, x);
  if (status == Status::kOk) status = accelerations_out(tree, walk.trunk, w, x, a);
  if (status == Status::kOk) limbs_to_user(model.lanes, tree, walk, w, a);
  // what went wrong is told by the plain walk: the lanes know only that something did
  return status == Status::kOk ? status : aba(model, tree, state, tau, f_ext, w, a);
}

void aba_solve(const Tree& tree, Workspace& w, const PerDof<double>& b,
               PerDof<double>& x) noexcept {
  PerBody<Force<double>> p{};
  for (int k = tree.body_count - 1; k >= 0; --k) {
    const int i = tree.order[k];
    const Link& link = tree.links[i];
    for_each_axis(link.kind, w, [&](auto axis, int j) {
      const int d = link.dof + j;
      x[d] = b[d] - project(axis, p[i]);
      p[i] += w.L[d] * x[d];
    });
    if (link.parent.valid()) p[link.parent] += to_parent(w.X_PB[i], p[i]);
  }
  aba_respond(tree, w, x);
}

void aba_respond(const Tree& tree, const Workspace& w, PerDof<double>& x) noexcept {
  PerBody<Motion<double>> a;
  for (int k = 0; k < tree.body_count; ++k) {
    const int i = tree.order[k];
    const Link& link = tree.links[i];
    a[i] = link.parent.valid() ? to_child(w.X_PB[i], a[link.parent]) : Motion<double>{};
    for_each_axis_backwards(link.kind, w, [&](auto axis, int j) {
      const int d = link.dof + j;
      x[d] = accelerate(axis, w.L[d], w.D_inverse[d] * x[d], a[i]);
    });
  }
}

}  // namespace stance
