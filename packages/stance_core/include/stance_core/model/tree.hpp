// Which body is the root, how it meets the world, and so in which direction each joint is walked.
//
// The sign rule, stated once: what the user sees of a joint (name, order, q, v, effort, limits) never changes with
// the root. A joint walked backwards is the same joint read the other way round: the walk goes from the body the
// joint moves in the file to that body's parent, with the inverse transform and the opposite velocity. For one
// degree of freedom that is a change of sign; for the others see reversed_motion below.
//
// Each body has a kernel frame B in which the algorithms work: the frame, on that body, of the joint through which
// the walk enters it. Entered forwards, B is the home frame; entered backwards, B is the joint's near frame N; the
// root's kernel frame is the support's contact frame.
#pragma once

#include <algorithm>
#include <array>
#include <span>
#include <type_traits>

#include "stance_core/model/model.hpp"
#include "stance_core/model/state.hpp"

namespace stance {

// How the root body meets the world: frame C on the body moves on frame A of the world as the joint allows.
//   free (flight), planar (flight of a planar robot), revolute (pin), ball, roll, fixed (weld)
struct Support {
  JointKind kind = JointKind::kFree;
  Transform<double> X_WA;  // where on the world
  Transform<double> X_HC;  // where on the root body, in its home frame
  double radius = 0;       // of roll
};

// One body as the walk meets it.
struct Link {
  Transform<double> X_T;   // the joint's frame on the parent, in the parent's kernel frame
  RigidInertia<double> I;  // of the body, in its kernel frame
  Transform<double> X_HB;  // kernel frame in the home frame
  double armature = 0;
  double sign = 1;  // -1 where the joint is walked backwards
  BodyId parent;    // none for the root
  JointId joint;    // through which the walk enters; none for the root
  JointKind kind = JointKind::kFree;
  bool reversed = false;
  int q_index = 0, v_index = 0;  // of the joint in State
  int dof = 0;  // first degree of freedom in walking order: rows of the mass matrix in crba
};

// The walk with limbs in lanes: first the trunk body by body, then the groups of limbs (Model::lanes). Without groups
// it is empty.
struct LaneWalk {
  int trunk_count = 0;
  std::array<BodyId, kMaxBodies> trunk;  // parents before children
  // of the trunk's bodies, those that have children besides, or other than, the one that follows them there
  std::array<bool, kMaxBodies> branches;
  int group_count = 0;
  // of the groups that are walked in lanes, inwards:
  std::array<LimbGroup, kMaxLimbGroups> groups;
  std::array<std::uint8_t, kMaxLimbGroups> active;  // a bit per lane: the limb is walked there
  std::array<LimbLanes, kMaxLimbGroups> weight;     // the same: 1 or 0
  std::array<bool, kMaxLimbGroups> one_parent;      // all of its limbs hang on the same body
  std::array<Transform<LimbLanes>, kMaxLimbGroups>
      X_T;  // of the first joints, in the parents' kernel frames
};

struct Tree {
  BodyId root;
  Support support;
  std::array<bool, kMaxBodies> locked{};  // by joint: held at locked_position, with no freedom
  std::array<double, kMaxBodies> locked_position{};
  int body_count = 0;
  int dof_count = 0;                     // of the walk: support's own and all joints'
  std::array<BodyId, kMaxBodies> order;  // parents before children
  // those that have children besides, or other than, the one that follows them in the order
  std::array<bool, kMaxBodies> branches;
  std::array<Link, kMaxBodies> links;  // by body
  std::array<std::int16_t, kMaxDofs>
      dof_parent;  // the next degree of freedom towards the root, or -1
  LaneWalk lanes;

  std::span<const BodyId> bodies() const noexcept {  // in walking order
    return {order.data(), static_cast<std::size_t>(body_count)};
  }
};

static_assert(std::is_trivially_copyable_v<Tree>);

// The tree of `model` rooted at `root`. Linear in bodies; no allocation.
Tree make_tree(const Model& model, BodyId root = BodyId(0), const Support& support = {}) noexcept;

// The same tree rooted elsewhere, in place: the joints between the two roots change direction, and only they and
// what hangs on them is touched; the new walking order is a pass over small integers.
void change_root(const Model& model, BodyId root, const Support& support, Tree& tree) noexcept;

// Holds a joint of one degree of freedom at a position, or lets it go again; joints geared to it by mimic with it.
void lock_joint(const Model& model, JointId joint, double position, Tree& tree) noexcept;
void release_joint(const Model& model, JointId joint, Tree& tree) noexcept;

// All joints at zero, the support at its identity, at rest.
State neutral_state(const Model& model, const Tree& tree) noexcept;

// Pose of a body's home frame at a state, and the velocity of that frame in its own coordinates, by walking the
// chain from the root to it.
struct PoseTwist {
  Transform<double> X_WH;
  Motion<double> V_H;
};
PoseTwist body_motion(const Model& model, const Tree& tree, const State& state,
                      BodyId body) noexcept;

// Sets the support's coordinates and velocities so that the root body's home frame has this pose and twist, as far
// as the support allows.
void set_root_motion(const Tree& tree, const Transform<double>& X_WH, const Motion<double>& V_H,
                     State& state) noexcept;

// The same for a support of one degree of freedom whose coordinate and velocity are known.
STANCE_INLINE void set_support(double q, double v, State& state) noexcept {
  std::fill_n(state.q.begin(), kSupportCoordinates, 0.0);
  std::fill_n(state.v.begin(), kSupportDofs, 0.0);
  state.q[0] = q, state.v[0] = v;
}

// Mimic joints take position and velocity from their leaders.
void apply_mimic(const Model& model, State& state) noexcept;

// A joint as the walk crosses it: where the body's kernel frame is in its parent's, the joint's own transform in the
// file's direction, and the velocity across the joint in the kernel frame.
struct Crossing {
  Transform<double> X_PB, X_J;
  Motion<double> v_J;
};
Crossing cross_joint(const Tree& tree, const Link& link, const State& state) noexcept;

// What the walk reads of a joint with more than one degree of freedom when it goes backwards. With X_J the joint's
// transform and m = S v the velocity of the far frame relative to the near one, in far coordinates, the near frame
// moves relative to the far one with -m in far coordinates, so -to_parent(X_J, m) in its own:
//   (1) m' = -to_parent(X_J, m)       (2) m = -to_child(X_J, m')
// The same holds for accelerations, as the derivative of (1) adds -to_parent(X_J, m × m) = 0, and by power for forces.
inline Motion<double> reversed_motion(const Transform<double>& X_J,
                                      const Motion<double>& m) noexcept {
  return -to_parent(X_J, m);
}
inline Force<double> reversed_force(const Transform<double>& X_J, const Force<double>& f) noexcept {
  return -to_parent(X_J, f);
}
inline Motion<double> restored_motion(const Transform<double>& X_J,
                                      const Motion<double>& m) noexcept {
  return -to_child(X_J, m);
}
inline Force<double> restored_force(const Transform<double>& X_J, const Force<double>& f) noexcept {
  return -to_child(X_J, f);
}

}  // namespace stance
