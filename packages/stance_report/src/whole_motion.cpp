#include "whole_motion.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

#include "stance_core/dynamics/kinematics.hpp"
#include "stance_core/dynamics/reroot.hpp"
#include "stance_core/dynamics/rnea.hpp"
#include "stance_core/spatial/rotation.hpp"

namespace stance::report {

MotionReader::MotionReader(const Model& model, const SimulatorSettings& settings,
                           std::vector<Wrench> pushes)
    : model_(model),
      pushes_(std::move(pushes)),
      forces_(static_cast<std::size_t>(model.body_count)),
      base_tree_(make_tree(model)),
      simulator_(std::make_unique<Simulator>(model, settings)) {}

Status MotionReader::read(const SimulatorSnapshot& snapshot, const DofVector& tau,
                          WholeMotion& motion) {
  simulator_->restore(snapshot);
  const Tree& tree = simulator_->tree();
  const State& state = simulator_->state();
  Workspace& w = simulator_->workspace();
  const auto [X, V] = body_motion(model_, tree, state, BodyId(0));
  const Quaternion r = quaternion(X.R);
  StateRow& row = motion.row;
  row.q = state.q, row.v = state.v, row.tau = tau;
  std::ranges::copy(std::array{X.p.x, X.p.y, X.p.z, r.x, r.y, r.z, r.w}, row.q.begin());
  std::ranges::copy(std::array{V.w.x, V.w.y, V.w.z, V.v.x, V.v.y, V.v.z}, row.v.begin());

  constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
  row.a.fill(kNone);
  motion.ground_W = {kNone, kNone, kNone};
  const SimulatorSettings& settings = simulator_->settings();
  for (int f = 0; f < settings.foot_count; ++f) {
    motion.feet[f].mode = simulator_->foot_mode(f);
    motion.feet[f].force_W = motion.ground_W;
  }
  for (int i = 0; i < simulator_->site_count(); ++i)
    motion.sites[i] = {simulator_->mode().sites[i].mode, motion.ground_W};
  std::span<const Force<double>> f_ext;
  if (wrench_forces(model_, tree, state, pushes_, state.time, settings.step, forces_))
    f_ext = forces_;
  DofVector a{}, a_base{}, effort{};
  Load load;
  if (const Status status = simulator_->observe(tau, f_ext, a, load); status != Status::kOk)
    return status;
  for (int f = 0; f < settings.foot_count; ++f) motion.feet[f].force_W = {};
  for (int i = 0; i < simulator_->site_count(); ++i) {
    motion.feet[simulator_->site(i).foot].force_W += load.force_W[i];
    motion.sites[i].force_W = load.force_W[i];
  }
  State base = state;
  base.q = row.q, base.v = row.v;
  reroot_accelerations(model_, tree, state, a, base_tree_, base, w, a_base);
  if (const Status status = rnea(model_, base_tree_, base, a_base, f_ext, w, effort);
      status != Status::kOk)
    return status;
  row.a = a_base;
  motion.ground_W = X.R * Vec3<double>{effort[3], effort[4], effort[5]};
  kinematics(model_, tree, state, w);
  return Status::kOk;
}

}  // namespace stance::report
