#include "stance_core/dynamics/rnea.hpp"

#include "dynamics/limb_walk.hpp"
#include "processor/kernels.hpp"
#include "stance_core/dynamics/walk_vector.hpp"

namespace stance {
namespace {

Status rnea_on(const Walk& walk, const Model& model, const Tree& tree, const State& state,
               const DofVector& a, std::span<const Force<double>> f_ext, Workspace& w,
               DofVector& tau) noexcept {
  PerDof<double> x;
  kernels(model.processor).rnea(model, tree, walk, state, a, f_ext, w, x);
  // NaN where one is not finite
  double zero = 0;
  for (const int i : walk.trunk) {
    const Link& link = tree.links[i];
    for (int j = 0; j < dof_count(link.kind); ++j) zero += 0 * x[link.dof + j];
  }
  LimbLanes zeros(0);
  for (int g = 0; g < walk.group_count; ++g) {
    const LimbGroup& group = tree.lanes.groups[g];
    for (int k = 0; k < group.pack_count; ++k)
      zeros += w.packs[group.first_scratch + k].u * LimbLanes(0);
  }
  if (zero != 0 || !is_zero(zeros)) return Status::kNonFinite;
  for (int j = dof_count(tree.support.kind); j < kSupportDofs; ++j) tau[j] = 0;
  for (const int i : walk.trunk) {
    const Link& link = tree.links[i];
    efforts_to_user(link, w.X_J[i], &x[link.dof], &tau[link.v_index]);
  }
  limbs_to_user(model.lanes, tree, walk, w, tau);
  return Status::kOk;
}

Status tied_rnea_on(const Walk& walk, const Model& model, const Tree& tree, const State& state,
                    const DofVector& a, std::span<const Force<double>> f_ext, Workspace& w,
                    DofVector& tau) noexcept {
  if (model.mimic_count == 0) return rnea_on(walk, model, tree, state, a, f_ext, w, tau);
  // followers accelerate with their leaders, and the leaders drive them
  DofVector tied = a;
  for (int k = 0; k < model.mimic_count; ++k) {
    const Mimic& mimic = model.mimics[k];
    tied[model.joints[mimic.joint].v_index] = mimic.multiplier *
                                              a[model.joints[mimic.leader].v_index];
  }
  const Status status = rnea_on(walk, model, tree, state, tied, f_ext, w, tau);
  if (status != Status::kOk) return status;
  for (int k = 0; k < model.mimic_count; ++k) {
    const Mimic& mimic = model.mimics[k];
    double& follower = tau[model.joints[mimic.joint].v_index];
    tau[model.joints[mimic.leader].v_index] += mimic.multiplier * follower;
    follower = 0;
  }
  return Status::kOk;
}

}  // namespace

Status rnea(const Model& model, const Tree& tree, const State& state, const DofVector& a,
            std::span<const Force<double>> f_ext, Workspace& w, DofVector& tau) noexcept {
  return tied_rnea_on(plain_walk(tree), model, tree, state, a, f_ext, w, tau);
}

Status rnea_lanes(const Model& model, const Tree& tree, const State& state, const DofVector& a,
                  std::span<const Force<double>> f_ext, Workspace& w, DofVector& tau) noexcept {
  return tied_rnea_on(lane_walk(tree), model, tree, state, a, f_ext, w, tau);
}

}  // namespace stance
