#include "whole_motion.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

#include "stance_core/dynamics/aba.hpp"
#include "stance_core/dynamics/reroot.hpp"
#include "stance_core/dynamics/rnea.hpp"
#include "stance_core/spatial/rotation.hpp"

namespace stance::report {

MotionReader::MotionReader(const Model& model, std::vector<Wrench> pushes, double step)
    : model_(model),
      pushes_(std::move(pushes)),
      step_(step),
      forces_(static_cast<std::size_t>(model.body_count)),
      base_tree_(make_tree(model)) {}

Status MotionReader::read(const Tree& tree, const State& state, WholeMotion& motion) {
  const auto [X, V] = body_motion(model_, tree, state, BodyId(0));
  const Quaternion r = quaternion(X.R);
  StateRow& row = motion.row;
  row.q = state.q, row.v = state.v;
  std::ranges::copy(std::array{X.p.x, X.p.y, X.p.z, r.x, r.y, r.z, r.w}, row.q.begin());
  std::ranges::copy(std::array{V.w.x, V.w.y, V.w.z, V.v.x, V.v.y, V.v.z}, row.v.begin());

  constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
  row.a.fill(kNone);
  motion.ground_W = {kNone, kNone, kNone};
  std::span<const Force<double>> f_ext;
  if (wrench_forces(model_, tree, state, pushes_, state.time, step_, forces_)) f_ext = forces_;
  DofVector tau{}, a{}, a_base{}, effort{};
  for (int k = 0; k < model_.dof_count; ++k) tau[k] = -model_.damping[k] * state.v[k];
  if (const Status status = aba(model_, tree, state, tau, f_ext, *w_, a); status != Status::kOk)
    return status;
  State base = state;
  base.q = row.q, base.v = row.v;
  reroot_accelerations(model_, tree, state, a, base_tree_, base, *w_, a_base);
  if (const Status status = rnea(model_, base_tree_, base, a_base, f_ext, *w_, effort);
      status != Status::kOk)
    return status;
  row.a = a_base;
  motion.ground_W = X.R * Vec3<double>{effort[3], effort[4], effort[5]};
  return Status::kOk;
}

}  // namespace stance::report
