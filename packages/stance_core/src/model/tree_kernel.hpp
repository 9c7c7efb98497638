// What a change of root computes, and the motion of one body. The text; tree.hpp says what it does, and processor files
// compile it.
#pragma once

#include "stance_core/model/tree.hpp"
#include "stance_core/spatial/sine_cosine.hpp"

namespace stance {

// The walking order and the lanes of a tree whose links stand; the order is the same where root and kind of support are.
void walk_anew(const Model& model, bool same_order, Tree& tree) noexcept;

// Is the body entered in its home frame?
STANCE_INLINE bool enters_at_home(const Link& link) noexcept {
  return link.joint.valid() && !link.reversed;
}

// rot_z(angle) X
STANCE_INLINE Transform<double> turned_z(double cosine, double sine,
                                         const Transform<double>& X) noexcept {
  const auto turned = [&](const Vec3<double>& a) __attribute__((always_inline)) {
    return Vec3<double>{cosine * a.x - sine * a.y, sine * a.x + cosine * a.y, a.z};
  };
  return {{turned(X.R.a), turned(X.R.b), turned(X.R.c)}, turned(X.p)};
}

// to_child(X, m) for m a turn about z at this rate.
STANCE_INLINE Motion<double> turn_seen_from(const Transform<double>& X, double rate) noexcept {
  const auto& [a, b, c] = X.R;
  const double x = -rate * X.p.y, y = rate * X.p.x;
  return {{a.z * rate, b.z * rate, c.z * rate},
          {a.x * x + a.y * y, b.x * x + b.y * y, c.x * x + c.y * y}};
}

// Body `body` entered through `joint`, forwards if the joint moves it in the file.
STANCE_INLINE void enter(const Model& model, BodyId body, JointId joint, Tree& tree) noexcept {
  const Joint& j = model.joints[joint];
  Link& link = tree.links[body];
  link.reversed = static_cast<int>(joint) != static_cast<int>(body);
  link.parent = link.reversed ? BodyId(joint) : model.bodies[body].parent;
  link.joint = joint;
  link.kind = tree.locked[joint] ? JointKind::kFixed : j.kind;
  link.sign = link.reversed ? -1 : 1;
  link.X_HB = link.reversed ? j.X_PN
                            : Transform<double>{};  // Stepien (10): the joint stays where it is
  link.I = link.reversed ? j.I_near : model.bodies[body].I;  // Stepien (19)
  link.armature = j.armature;
  link.q_index = j.q_index, link.v_index = j.v_index;
}

STANCE_INLINE void enter_from_world(const Model& model, Tree& tree) noexcept {
  const Support& support = tree.support;
  Link& link = tree.links[tree.root];
  link.parent = BodyId();
  link.joint = JointId();
  link.kind = support.kind;
  link.reversed = false;
  link.sign = 1;
  link.X_T = support.X_WA;
  link.X_HB = support.X_HC;
  link.I = to_child(support.X_HC, model.bodies[tree.root].I);  // Stepien (20)
  link.armature = 0;
  link.q_index = 0, link.v_index = 0;
}

// The joint's frame on the parent, in the parent's kernel frame. In the parent's home frame that is N for a joint
// walked forwards, and the home frame itself for one walked backwards (joint i moves body i's home frame).
// A locked joint's own transform is constant and goes in here.
STANCE_INLINE void place_in_parent(const Model& model, Link& link, const Tree& tree) noexcept {
  const Joint& joint = model.joints[link.joint];
  const Link& parent = tree.links[link.parent];
  if (enters_at_home(parent)) {  // then the joint between them is walked forwards
    link.X_T = joint.X_PN;
  } else {
    const Transform<double> X_BH = inverse(parent.X_HB);
    link.X_T = link.reversed ? X_BH : X_BH * joint.X_PN;  // Stepien (11), (12)
  }
  if (tree.locked[link.joint]) {
    const Transform<double> X_J = joint_transform(joint.kind, &tree.locked_position[link.joint]);
    link.X_T = link.X_T * (link.reversed ? inverse(X_J) : X_J);
  }
}

template <class CompiledFor>
void place_in_parent_kernel(const Model& model, Link& link, const Tree& tree) noexcept {
  place_in_parent(model, link, tree);
}

// change_root, for the support that the tree has already.
template <class CompiledFor>
void turn_links_kernel(const Model& model, BodyId root, Tree& tree) noexcept {
  // the chain of inversion: each body on it is now entered through the joint by which its child was
  std::array<bool, kMaxBodies> moved{};  // bodies whose kernel frame is another one
  JointId through;  // the joint between the body and its former child on the chain
  for (BodyId body = root; body.valid();) {
    const JointId joint = tree.links[body].joint;
    const BodyId parent = tree.links[body].parent;
    moved[body] = true;
    if (through.valid()) enter(model, body, through, tree);
    through = joint;
    body = parent;
  }
  const bool same_order = tree.root == root && tree.links[root].kind == tree.support.kind;
  tree.root = root;
  enter_from_world(model, tree);
  // siblings become grandchildren (Stepien 6.1, ii): they keep their parent, whose frame may have moved
  for (int i = 0; i < tree.body_count; ++i) {
    Link& link = tree.links[i];
    if (link.parent.valid() && (moved[i] || moved[link.parent])) place_in_parent(model, link, tree);
  }
  walk_anew(model, same_order, tree);
}

// From the body to the root, with X the pose of its home frame in the kernel frame that the walk has come to: each joint
// adds what it moves the body by, and X then goes across it.
template <class CompiledFor>
PoseTwist body_motion_kernel(const Tree& tree, const State& state, BodyId body) noexcept {
  Transform<double> X;
  Motion<double> V_H;
  BodyId i = body;
  if (const Link& link = tree.links[body]; !enters_at_home(link)) {
    X = inverse(link.X_HB);
  } else if (link.kind == JointKind::kRevolute) {  // X is still the identity: nothing to multiply
    const auto [sine, cosine] = sine_cosine(state.q[link.q_index]);
    const auto& [a, b, c] = link.X_T.R;
    X = {{a * cosine + b * sine, b * cosine - a * sine, c}, link.X_T.p};
    V_H.w.z = state.v[link.v_index];
    i = link.parent;
  }
  for (; i.valid(); i = tree.links[i].parent) {
    const Link& link = tree.links[i];
    if (link.kind == JointKind::kRevolute) {
      const auto [sine, cosine] = sine_cosine(link.sign * state.q[link.q_index]);
      V_H += turn_seen_from(X, link.sign * state.v[link.v_index]);
      X = link.X_T * turned_z(cosine, sine, X);
    } else {
      const Crossing crossing = cross_joint(tree, link, state);
      V_H += to_child(X, crossing.v_J);
      X = crossing.X_PB * X;
    }
  }
  return {X, V_H};
}

}  // namespace stance
