#include "stance_core/model/tree.hpp"

#include <algorithm>

namespace stance {
namespace {

// Kernel frame and inertia of a body, and the joint that enters it, in one direction or the other.
void enter_forwards(const Model& model, int body, Link& link) noexcept {
  const Joint& joint = model.joints[body];
  link.parent = model.bodies[body].parent;
  link.joint = JointId(body);
  link.kind = joint.kind;
  link.reversed = false;
  link.sign = 1;
  link.X_HB = {};
  link.I = model.bodies[body].I;
  link.armature = joint.armature;
  link.q_index = joint.q_index, link.v_index = joint.v_index;
}

void enter_backwards(const Model& model, int child, Link& link) noexcept {
  const Joint& joint = model.joints[child];
  link.parent = BodyId(child);
  link.joint = JointId(child);
  link.kind = joint.kind;
  link.reversed = true;
  link.sign = -1;
  link.X_HB = joint.X_PN;
  link.I = joint.I_near;
  link.armature = joint.armature;
  link.q_index = joint.q_index, link.v_index = joint.v_index;
}

void enter_from_world(const Model& model, int body, const Support& support, Link& link) noexcept {
  link.parent = BodyId();
  link.joint = JointId();
  link.kind = support.kind;
  link.reversed = false;
  link.sign = 1;
  link.X_T = support.X_WA;
  link.X_HB = support.X_HC;
  link.I = to_parent(inverse(support.X_HC), model.bodies[body].I);
  link.armature = 0;
  link.q_index = 0, link.v_index = 0;
}

// The joint's frame on the parent, in the parent's kernel frame. On the parent's home frame that is N for a joint
// walked forwards, and the home frame itself for one walked backwards (joint i moves body i's home frame).
void place_in_parent(const Model& model, const Link& parent, Link& link) noexcept {
  const Transform<double> X_BH = inverse(parent.X_HB);
  link.X_T = link.reversed ? X_BH : X_BH * model.joints[link.joint].X_PN;
}

}  // namespace

Tree make_tree(const Model& model, BodyId root, const Support& support) noexcept {
  Tree tree;
  tree.root = root;
  tree.support = support;
  tree.body_count = model.body_count;

  // every joint forwards, then the chain of inversion from the root to body 0 backwards (Stepien 6.1, choice ii)
  for (int i = 1; i < model.body_count; ++i) enter_forwards(model, i, tree.links[i]);
  std::array<bool, kMaxBodies> on_chain{};
  int count = 0;
  enter_from_world(model, root, support, tree.links[root]);
  tree.order[count++] = root;
  on_chain[root] = true;
  for (int i = root; i != 0;) {
    const BodyId next = model.bodies[i].parent;
    enter_backwards(model, i, tree.links[next]);
    tree.order[count++] = next;
    on_chain[next] = true;
    i = next;
  }
  // bodies off the chain keep their parents, which come first in the file's order
  for (int i = 0; i < model.body_count; ++i) {
    if (!on_chain[i]) tree.order[count++] = BodyId(i);
  }

  for (int k = 1; k < count; ++k) {
    Link& link = tree.links[tree.order[k]];
    place_in_parent(model, tree.links[link.parent], link);
  }

  // degrees of freedom in walking order; those of one joint follow each other
  for (int k = 0; k < count; ++k) {
    Link& link = tree.links[tree.order[k]];
    link.dof = tree.dof_count;
    int towards_root = -1;
    for (BodyId i = link.parent; i.valid() && towards_root < 0; i = tree.links[i].parent) {
      const int n = dof_count(tree.links[i].kind);
      if (n > 0) towards_root = tree.links[i].dof + n - 1;
    }
    for (int j = 0; j < dof_count(link.kind); ++j) {
      tree.dof_parent[tree.dof_count] = static_cast<std::int16_t>(towards_root);
      towards_root = tree.dof_count++;
    }
  }
  return tree;
}

State neutral_state(const Model& model, const Tree& tree) noexcept {
  State state;
  joint_neutral(tree.support.kind, state.q.data());
  for (int i = 1; i < model.body_count; ++i) {
    joint_neutral(model.joints[i].kind, &state.q[model.joints[i].q_index]);
  }
  apply_mimic(model, state);
  return state;
}

PoseTwist body_motion(const Model& /*model*/, const Tree& tree, const State& state,
                      BodyId body) noexcept {
  std::array<BodyId, kMaxBodies> chain;  // from the body to the root
  int length = 0;
  for (BodyId i = body; i.valid(); i = tree.links[i].parent) chain[length++] = i;

  Transform<double> X_WB;
  Motion<double> v;
  while (length > 0) {
    const Link& link = tree.links[chain[--length]];
    const Crossing crossing = cross_joint(tree, link, state);
    X_WB = X_WB * crossing.X_PB;
    v = to_child(crossing.X_PB, v) + crossing.v_J;
  }
  const Transform<double>& X_HB = tree.links[body].X_HB;
  return {X_WB * inverse(X_HB), to_parent(X_HB, v)};
}

void set_root_motion(const Tree& tree, const Transform<double>& X_WH, const Motion<double>& V_H,
                     State& state) noexcept {
  const Support& s = tree.support;
  const Transform<double> X_J = inverse(s.X_WA) * X_WH * s.X_HC;  // Stepien (22)
  std::fill_n(state.q.begin(), kSupportCoordinates, 0.0);
  std::fill_n(state.v.begin(), kSupportDofs, 0.0);
  joint_coordinates(s.kind, X_J, state.q.data(), s.radius);
  joint_components(s.kind, to_child(s.X_HC, V_H), state.v.data());
}

void apply_mimic(const Model& model, State& state) noexcept {
  for (int k = 0; k < model.mimic_count; ++k) {
    const Mimic& mimic = model.mimics[k];
    const Joint& joint = model.joints[mimic.joint];
    const Joint& leader = model.joints[mimic.leader];
    state.q[joint.q_index] = mimic.multiplier * state.q[leader.q_index] + mimic.offset;
    state.v[joint.v_index] = mimic.multiplier * state.v[leader.v_index];
  }
}

Crossing cross_joint(const Tree& tree, const Link& link, const State& state) noexcept {
  const double* q = &state.q[link.q_index];
  const double* v = &state.v[link.v_index];
  const Transform<double> X_J = joint_transform(link.kind, q, tree.support.radius);
  const Motion<double> v_J = joint_motion(link.kind, q, v, tree.support.radius);
  if (!link.reversed) return {link.X_T * X_J, X_J, v_J};
  return {link.X_T * inverse(X_J), X_J, reversed_motion(X_J, v_J)};
}

}  // namespace stance
