// A random robot at a random state, on a support and at a root, with what the algorithms need around it.
#pragma once

#include <memory>
#include <vector>

#include "stance_core/model/workspace.hpp"
#include "support/random_robot.hpp"

namespace stance::test {

inline constexpr JointKind kSupports[] = {JointKind::kFixed, JointKind::kRevolute,
                                          JointKind::kBall,  JointKind::kPlanar,
                                          JointKind::kFree,  JointKind::kRoll};

// The large parts are on the heap, where a test has room for them.
struct Case {
  std::unique_ptr<Model> model;
  std::unique_ptr<Tree> tree = std::make_unique<Tree>();
  std::unique_ptr<Workspace> w = std::make_unique<Workspace>();
  State state;
  DofVector tau{};
  std::vector<Force<double>> f_ext;
};

inline Case random_case(Random& random, const RobotKind& kind, JointKind support) {
  Case c;
  c.model = random_model(random, kind);
  const BodyId root(pick(random, c.model->body_count));
  *c.tree = make_tree(*c.model, root, random_support(random, support));
  c.state = random_state(random, *c.model, *c.tree);
  c.tau = random_dofs(random, *c.model);
  for (int j = dof_count(support); j < kSupportDofs; ++j) c.tau[j] = 0;
  for (int i = 0; i < c.model->body_count; ++i) c.f_ext.push_back(random_force(random));
  return c;
}

// Indices in State::v that exist: those of the support's own axes and of all joints.
inline std::vector<int> used_dofs(const Model& model, const Tree& tree) {
  std::vector<int> used;
  for (int d = 0; d < model.dof_count; ++d) {
    if (d < dof_count(tree.support.kind) || d >= kSupportDofs) used.push_back(d);
  }
  return used;
}

// The positions moved along velocities v for a time dt; the state keeps its own velocities.
inline State moved(const Model& model, const Tree& tree, const State& state, const DofVector& v,
                   double dt) {
  State out = state;
  joint_integrate(tree.support.kind, out.q.data(), v.data(), dt);
  for (int i = 1; i < model.body_count; ++i) {
    const Joint& joint = model.joints[i];
    joint_integrate(joint.kind, &out.q[joint.q_index], &v[joint.v_index], dt);
  }
  return out;
}

// The state a time dt later under accelerations a, to first order in velocities and second in central differences:
// the term a dt²/2 of the positions is the same on both sides and cancels.
inline State flowed(const Model& model, const Tree& tree, const State& state, const DofVector& a,
                    double dt) {
  State out = moved(model, tree, state, state.v, dt);
  for (int d = 0; d < model.dof_count; ++d) out.v[d] += a[d] * dt;
  return out;
}

// Another root for the same robot in the same physical state: the base link free in the world.
struct FreeBase {
  std::unique_ptr<Tree> tree;
  State state;
};
inline FreeBase as_free_base(const Case& c, BodyId root = BodyId(0)) {
  FreeBase out{std::make_unique<Tree>(make_tree(*c.model, root)), c.state};
  const PoseTwist motion = body_motion(*c.model, *c.tree, c.state, root);
  set_root_motion(*out.tree, motion.X_WH, motion.V_H, out.state);
  return out;
}

}  // namespace stance::test
