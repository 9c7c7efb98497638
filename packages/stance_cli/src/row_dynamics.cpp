#include "row_dynamics.hpp"

#include <algorithm>

#include "stance_core/dynamics/aba.hpp"
#include "stance_core/dynamics/kinematics.hpp"
#include "stance_core/dynamics/rnea.hpp"

namespace stance {
namespace {

Support weld(const double* q) {
  Support support;
  support.kind = JointKind::kFixed;
  support.X_WA = joint_transform(JointKind::kFree, q);
  return support;
}

}  // namespace

RowDynamics::RowDynamics(const Model& model, const RowDynamicsOptions& options)
    : model_(model),
      options_(options),
      base_(model.bodies[0].link),
      base_tree_(new Tree(make_tree(model))),
      tree_(new Tree(make_tree(model, options.root))),
      base_state_(new State),
      state_(new State),
      workspace_(new Workspace),
      mass_matrix_(options.algorithm == Algorithm::kCrba ? new MassMatrix : nullptr),
      f_ext_(model.body_count) {}

// Tree and state of the robot in this row, rooted at body 0.
void RowDynamics::place(const StateRow& row) {
  base_state_->q = row.q;
  base_state_->v = row.v;
  if (!options_.fixed_base) return;
  *base_tree_ = make_tree(model_, BodyId(0), weld(row.q.data()));
  std::fill_n(base_state_->q.begin(), kSupportCoordinates, 0.0);
  std::fill_n(base_state_->v.begin(), kSupportDofs, 0.0);
}

// The same robot in the same motion, rooted at options_.root. Nothing of a joint changes.
void RowDynamics::reroot() {
  *state_ = *base_state_;
  if (options_.root == BodyId(0)) {
    *tree_ = *base_tree_;
    return;
  }
  const PoseTwist root = body_motion(model_, *base_tree_, *base_state_, options_.root);
  set_root_motion(*tree_, root.X_WH, root.V_H, *state_);
}

// What damping takes from each effort. A follower's works through its leader.
DofVector RowDynamics::damping(const StateRow& row) const {
  DofVector loss{};
  if (!options_.damping) return loss;
  for (int i = 1; i < model_.body_count; ++i) {
    const Joint& joint = model_.joints[i];
    for (int k = joint.v_index; k < joint.v_index + dof_count(joint.kind); ++k)
      loss[k] = joint.damping * row.v[k];
  }
  for (int i = 0; i < model_.mimic_count; ++i) {
    const Mimic& mimic = model_.mimics[i];
    double& follower = loss[model_.joints[mimic.joint].v_index];
    loss[model_.joints[mimic.leader].v_index] += mimic.multiplier * follower;
    follower = 0;
  }
  return loss;
}

void RowDynamics::prepare(const StateRow& row, DofVector& tau) {
  place(row);
  reroot();
  const DofVector loss = damping(row);
  tau = {};
  for (int k = kSupportDofs; k < model_.dof_count; ++k) tau[k] = row.tau[k] - loss[k];
  // The wrench acts on body 0, whose home frame is the base, whichever body is the root.
  f_ext_[0] = joint_force(JointKind::kFree, row.tau.data());
}

void RowDynamics::read_base_acceleration(const Workspace& w, StateRow& row) const {
  joint_components(JointKind::kFree, frame_acceleration(model_, *tree_, w, base_), row.a.data());
}

void RowDynamics::read_velocities(StateRow& row) const {
  row.v = state_->v;
  const Motion<double> base = to_child(model_.frames[base_].X_HF,
                                       body_motion(model_, *tree_, *state_, BodyId(0)).V_H);
  joint_components(JointKind::kFree, base, row.v.data());
}

Status RowDynamics::forward(StateRow& row) {
  DofVector tau;
  prepare(row, tau);
  const Status status = mass_matrix_ == nullptr
                            ? aba(model_, *tree_, *state_, tau, f_ext_, *workspace_, row.a)
                            : crba_forward_dynamics(model_, *tree_, *state_, tau, f_ext_,
                                                    *workspace_, *mass_matrix_, row.a);
  if (status != Status::kOk) return status;
  read_base_acceleration(*workspace_, row);
  return Status::kOk;
}

// With the tree rooted at another body than the base, the wrench that keeps the motion going would act there, and the
// efforts of the joints between the two would be other ones. What is asked for is the wrench on the base:
//   (1) the recursion from the base gives the acceleration of the new root
//   (2) the recursion from the new root gives the wrench W on it; any place will do to learn what the whole robot needs
//   (3) with W moved to the base and acting there, the same recursion gives the efforts, and nothing is left at its root
Status RowDynamics::inverse(StateRow& row) {
  place(row);
  reroot();
  const DofVector loss = damping(row);
  f_ext_[0] = {};
  Status status = rnea(model_, *base_tree_, *base_state_, row.a, f_ext_, *workspace_, row.tau);
  if (status != Status::kOk) return status;

  if (options_.root != BodyId(0)) {
    const FrameId link = model_.bodies[options_.root].link;
    const Motion<double> a_root = to_parent(
        model_.frames[link].X_HF,
        frame_acceleration(model_, *base_tree_, *workspace_, link));  // (1)
    DofVector a = row.a;
    joint_components(JointKind::kFree, a_root, a.data());
    status = rnea(model_, *tree_, *state_, a, f_ext_, *workspace_, row.tau);  // (2)
    if (status != Status::kOk) return status;

    const Transform<double> X_BR = stance::inverse(
                                       body_motion(model_, *tree_, *state_, BodyId(0)).X_WH) *
                                   body_motion(model_, *tree_, *state_, options_.root).X_WH;
    f_ext_[0] = to_parent(X_BR, joint_force(JointKind::kFree, row.tau.data()));
    status = rnea(model_, *tree_, *state_, a, f_ext_, *workspace_, row.tau);  // (3)
    if (status != Status::kOk) return status;
    joint_components(JointKind::kFree, f_ext_[0], row.tau.data());
  }
  if (options_.fixed_base) std::fill_n(row.tau.begin(), kSupportDofs, 0.0);
  for (int k = kSupportDofs; k < model_.dof_count; ++k) row.tau[k] += loss[k];
  return Status::kOk;
}

}  // namespace stance
