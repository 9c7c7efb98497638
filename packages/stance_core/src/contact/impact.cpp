#include "stance_core/contact/impact.hpp"

#include "dynamics/mimic.hpp"
#include "stance_core/dynamics/aba.hpp"
#include "stance_core/dynamics/crba.hpp"
#include "stance_core/dynamics/joint_axes.hpp"
#include "stance_core/dynamics/kinematics.hpp"
#include "stance_core/dynamics/momentum.hpp"
#include "stance_core/dynamics/walk_vector.hpp"

namespace stance {

Status impact(const Model& model, const Tree& before, const State& state_before, const Tree& after,
              const Push* push, MassMatrix* M, Workspace& w, State& state,
              Impact& result) noexcept {
  // the motion before: velocities of the bodies, momentum of the whole
  kinematics(model, before, state_before, w);
  const Vec3<double> contact_W = w.X_WB[after.root].p;
  result.energy_before = kinetic_energy(before, state_before, w);
  const Force<double> momentum_before = momentum(before, w, contact_W);
  Force<double> pushed_W;
  PerBody<Force<double>> h;  // momentum of each body, then of everything beyond it
  for (int i = 0; i < before.body_count; ++i) {
    h[i] = before.links[i].I * w.v[i];
    if (push != nullptr && push->body == BodyId(i)) {
      const Force<double> impulse = to_child(before.links[i].X_HB, push->impulse_H);
      h[i] += impulse;
      pushed_W = to_parent(w.X_WB[i], impulse);
      pushed_W.n -= cross(contact_W, pushed_W.f);
    }
  }

  // positions are kept; the articulated inertias (or M) of `after` at them
  for (int d = 0; d < model.dof_count; ++d) state.v[d] = 0;
  DofVector at_rest{};
  if (const Status status = aba(model, after, state, at_rest, {}, w, at_rest);
      status != Status::kOk)
    return status;

  // (1), leaves to root
  PerDof<double> p, v;
  for (int k = after.body_count - 1; k >= 0; --k) {
    const int i = after.order[k];
    const Link& link = after.links[i];
    for_each_axis(link.kind, w, [&](auto axis, int j) { p[link.dof + j] = project(axis, h[i]); });
    if (link.armature > 0 && link.joint.valid()) {
      double rate[6];
      accelerations_to_walk(link, w.X_J[i], &state_before.v[link.v_index], rate);
      for (int j = 0; j < dof_count(link.kind); ++j) p[link.dof + j] += link.armature * rate[j];
    }
    if (link.parent.valid()) h[link.parent] += to_parent(w.X_PB[i], h[i]);
  }

  // (2)
  if (M != nullptr) {
    crba(after, w, *M);
    if (const Status status = factorize(after, *M); status != Status::kOk) return status;
  }
  const auto solve = [&](const PerDof<double>& b, PerDof<double>& x) {
    if (M != nullptr) {
      ltl_solve(after, *M, b, x);
    } else {
      aba_solve(after, w, b, x);
    }
  };
  solve(p, v);
  if (model.mimic_count > 0) {
    if (const Status status = tie_mimics(model, after, solve, v); status != Status::kOk)
      return status;
  }
  if (const Status status = accelerations_out(after, after.bodies(), w, v, state.v);
      status != Status::kOk)
    return status;

  // the motion after: the constraints gave the difference of the momenta
  kinematics(model, after, state, w);
  result.energy_after = kinetic_energy(after, state, w);
  result.impulse_W = momentum(after, w, contact_W) - momentum_before - pushed_W;
  return Status::kOk;
}

}  // namespace stance
