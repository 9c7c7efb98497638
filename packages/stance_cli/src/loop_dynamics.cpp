#include "loop_dynamics.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "stance_core/dynamics/kinematics.hpp"

namespace stance {
namespace {

constexpr double kNoNumber = std::numeric_limits<double>::quiet_NaN();

}  // namespace

LoopDynamics::LoopDynamics(const Model& model, const RowDynamicsOptions& options,
                           std::vector<Loop> loops, std::optional<Plan> plan)
    : model_(model),
      dynamics_(model, options),
      loops_(std::move(loops)),
      plan_(std::move(plan)),
      closure_rows_(new ClosureRows),
      workspace_(new Workspace),
      loop_forces_(loops_.size()) {
  for (const Loop& loop : loops_) closures_.push_back(loop.closure);
  if (plan_) {
    memory_ = std::make_unique<AssemblyMemory>(*plan_);
  } else {
    system_ = std::make_unique<RowSystem>();
  }
}

const char* LoopDynamics::status() const {
  if (!consistent_) return "inconsistent";
  return rank_ == rows_count_ ? "unique" : "redundant";
}

Status LoopDynamics::by_assembly(const DofVector& tau, StateRow& row) {
  ClosureForces forces;
  const Status status = assembly_dynamics(model_, dynamics_.tree(), *plan_, dynamics_.state(), tau,
                                          dynamics_.f_ext(), closures_, *workspace_, *memory_,
                                          row.a, forces);
  rank_ = forces.rank, rows_count_ = forces.rows;
  if (status != Status::kOk) return status;
  for (std::size_t k = 0; k < loops_.size(); ++k) {
    loop_forces_[k] = closure_wrench(dynamics_.tree(), *workspace_, closures_[k],
                                     &forces.multipliers[memory_->rows->first[k]]);
  }
  return status;
}

Status LoopDynamics::by_rows(const DofVector& tau, StateRow& row) {
  const Tree& tree = dynamics_.tree();
  Workspace& w = *workspace_;
  if (!closure_rows(model_, tree, w, closures_, *closure_rows_)) return Status::kFull;
  RowSystem& r = *system_;
  r.clear();
  r.row_count = closure_rows_->count;
  std::copy_n(closure_rows_->rows.begin(), r.row_count, r.rows.begin());
  rows_count_ = closure_rows_->first[loops_.size()];
  const Status status = forward_dynamics(model_, tree, dynamics_.state(), tau, dynamics_.f_ext(),
                                         Modes::kGiven, r, w, row.a);
  rank_ = r.row_count == 0 ? 0 : r.result.rank - (r.row_count - rows_count_);
  if (status != Status::kOk) return status;
  for (std::size_t k = 0; k < loops_.size(); ++k) {
    loop_forces_[k] = closure_wrench(tree, w, closures_[k], &r.lambda[closure_rows_->first[k]]);
  }
  const auto count = static_cast<std::size_t>(rows_count_);
  joint_forces(tree, dynamics_.f_ext(), {r.rows.data(), count}, {r.lambda.data(), count}, w);
  return status;
}

std::optional<Error> LoopDynamics::forward(StateRow& row, const std::string& where) {
  DofVector tau;
  dynamics_.prepare(row, tau);
  const Tree& tree = dynamics_.tree();
  kinematics(model_, tree, dynamics_.state(), *workspace_);
  for (std::size_t k = 0; k < loops_.size(); ++k) {
    const ClosureResidual open = closure_residual(tree, *workspace_, closures_[k]);
    if (open.position <= kOpen && open.velocity <= kOpen) continue;
    return Error{
        ErrorCode::kValue, where,
        fmt::format("loop '{}' is open by {:.3g} (m, rad) and opens with {:.3g} (m/s, rad/s); a "
                    "state satisfies its loops to {:.0e}",
                    loops_[k].name, open.position, open.velocity, kOpen)};
  }
  const Status status = plan_ ? by_assembly(tau, row) : by_rows(tau, row);
  consistent_ = status != Status::kInconsistent;
  if (!consistent_) {  // an answer, not a mistake of the row's
    row.a.fill(kNoNumber);
    for (Force<double>& f : loop_forces_) {
      f = {{kNoNumber, kNoNumber, kNoNumber}, {kNoNumber, kNoNumber, kNoNumber}};
    }
    return std::nullopt;
  }
  if (status != Status::kOk) return Error{ErrorCode::kValue, where, to_string(status)};
  dynamics_.read_base_acceleration(*workspace_, row);
  return std::nullopt;
}

Force<double> LoopDynamics::joint_force(JointId joint) const {
  if (!consistent_) return {{kNoNumber, kNoNumber, kNoNumber}, {kNoNumber, kNoNumber, kNoNumber}};
  const Tree& tree = dynamics_.tree();
  const Workspace& w = *workspace_;
  // the body that the walk enters through it: the child in the file, or the parent where it goes the other way
  BodyId entered = joint == JointId(0) ? tree.root : BodyId(joint);
  const bool reversed = joint != JointId(0) && tree.links[entered].joint != joint;
  if (reversed) entered = model_.bodies[joint].parent;
  Force<double> f = to_parent(w.X_WB[entered], w.f[entered]);
  if (reversed) f = -f;
  const BodyId child = joint == JointId(0) ? tree.root : BodyId(joint);
  const Vec3<double> p = frame_pose(model_, tree, w, model_.bodies[child].link).p;
  f.n = plus_cross(f.n, f.f, p);  // n - p × f
  return f;
}

}  // namespace stance
