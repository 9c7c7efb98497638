#include "stance_core/constraint/keep_closed.hpp"

#include <cmath>

#include "dynamics/mimic.hpp"
#include "stance_core/constraint/solve.hpp"
#include "stance_core/dynamics/aba.hpp"
#include "stance_core/dynamics/kinematics.hpp"
#include "stance_core/dynamics/momentum.hpp"

namespace stance {
namespace {

// What of the rows moves: x = -M⁻¹ Jᵀ G⁺ c for the c in keeper.d, as the user sees it.
Status answer(const Tree& tree, const Workspace& w, ClosureKeeper& keeper,
              DofVector& out) noexcept {
  std::array<int, kMaxRows> active;
  const int n = keeper.rows.count;
  for (int r = 0; r < n; ++r) active[r] = r;
  int rank = 0;
  // rows that contradict each other in the last digits are answered as well as may be
  (void)solve_rows(tree, w, keeper.d, {active.data(), static_cast<std::size_t>(n)}, keeper.stage,
                   keeper.lambda, rank);
  PerDof<double> x;
  for (int d = 0; d < tree.dof_count; ++d) x[d] = 0;
  respond(tree, w, keeper.d, keeper.lambda, x);
  return accelerations_out(tree, tree.bodies(), w, x, out);
}

// The rows and their factors at the state that kinematics has.
Status prepare(const Model& model, const Tree& tree, std::span<const Closure> closures,
               const State& state, Workspace& w, ClosureKeeper& keeper) noexcept {
  if (!closure_rows(model, tree, w, closures, keeper.rows)) return Status::kFull;
  DofVector a;
  const Status status = aba(model, tree, state, {}, {}, w, a);
  if (status != Status::kOk) return status;
  build_delassus(tree, w, {keeper.rows.rows.data(), static_cast<std::size_t>(keeper.rows.count)},
                 keeper.d);
  return Status::kOk;
}

// (2) with the factors that there are, and kinematics at the state.
Status project_velocities(const Model& model, const Tree& tree, State& state, Workspace& w,
                          ClosureKeeper& keeper) noexcept {
  PerDof<double> x;
  for (const BodyId i : tree.bodies()) {
    const Link& link = tree.links[i];
    accelerations_to_walk(link, w.X_J[i], &state.v[link.v_index], &x[link.dof]);
  }
  for (int r = 0; r < keeper.rows.count; ++r)
    keeper.d.c[r] = row_motion(keeper.rows.rows[r], w.v, x);
  DofVector dv{};
  const Status status = answer(tree, w, keeper, dv);
  if (status != Status::kOk) return status;
  for (int d = 0; d < model.dof_count; ++d) state.v[d] += dv[d];
  return Status::kOk;
}

double energy(const Model& model, const Tree& tree, const State& state, const Workspace& w) {
  return kinetic_energy(tree, state, w) + potential_energy(model, tree, w);
}

}  // namespace

void closure_gap(const Tree& tree, const Workspace& w, const Closure& closure,
                 double* gap) noexcept {
  const Transform<double> X_ab = relative_pose(tree, w, closure);
  gap[0] = X_ab.p.x, gap[1] = X_ab.p.y, gap[2] = X_ab.p.z;
  if (closure.kind == ClosureKind::kPoint) return;
  // z_b = z_a + turn × z_a for a small turn, along the axes of a
  const Vec3<double>& z_b = X_ab.R.c;
  gap[3] = -z_b.y, gap[4] = z_b.x;
  if (closure.kind == ClosureKind::kPin) return;
  const Quaternion q = quaternion(X_ab.R);
  const double s = q.w < 0 ? -2 : 2;
  gap[3] = s * q.x, gap[4] = s * q.y, gap[5] = s * q.z;
}

Status close_velocities(const Model& model, const Tree& tree, std::span<const Closure> closures,
                        State& state, Workspace& w, ClosureKeeper& keeper) noexcept {
  kinematics(model, tree, state, w);
  const Status status = prepare(model, tree, closures, state, w, keeper);
  if (status != Status::kOk || keeper.rows.count == 0) return status;
  return project_velocities(model, tree, state, w, keeper);
}

Status keep_closed(const Model& model, const Tree& tree, std::span<const Closure> closures,
                   State& state, Workspace& w, ClosureKeeper& keeper) noexcept {
  kinematics(model, tree, state, w);
  Status status = prepare(model, tree, closures, state, w, keeper);
  if (status != Status::kOk || keeper.rows.count == 0) return status;
  const double E = energy(model, tree, state, w);
  for (int r = 0; r < keeper.rows.count; ++r) keeper.d.c[r] = 0;  // of gears: kept by the state
  for (std::size_t k = 0; k < closures.size(); ++k) {
    if (closures[k].active) closure_gap(tree, w, closures[k], &keeper.d.c[keeper.rows.first[k]]);
  }
  DofVector dq{};
  status = answer(tree, w, keeper, dq);  // (1)
  if (status != Status::kOk) return status;
  State moved = state;
  joint_integrate(tree.support.kind, moved.q.data(), dq.data(), 1);
  for (int i = 1; i < model.body_count; ++i) {
    const Joint& joint = model.joints[i];
    if (!tree.locked[i])
      joint_integrate(joint.kind, &moved.q[joint.q_index], &dq[joint.v_index], 1);
  }
  kinematics(model, tree, moved, w);
  // the rows are those of the new place; their factors, which only say along which way, may stay
  if (!closure_rows(model, tree, w, closures, keeper.rows)) return Status::kFull;
  status = project_velocities(model, tree, moved, w, keeper);
  if (status != Status::kOk) return status;
  kinematics(model, tree, moved, w);
  const double T = kinetic_energy(tree, moved, w), dE = energy(model, tree, moved, w) - E;
  if (dE > 0 && dE < T) {  // (3)
    const double scale = std::sqrt(1 - dE / T);
    for (int d = 0; d < model.dof_count; ++d) moved.v[d] *= scale;
    kinematics(model, tree, moved, w);
  }
  state = moved;
  return Status::kOk;
}

}  // namespace stance
