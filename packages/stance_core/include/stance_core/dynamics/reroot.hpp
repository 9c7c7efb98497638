// Re-rooting on the fly: the same physical robot, rooted at the body that meets the ground.
// Stepien, Polanski, Wojciechowski, "A general on-the-fly algorithm for modifying the kinematic tree hierarchy".
//
// What the paper rebuilds, and where it is here. Its model keeps absolute bind transforms X_T^abs and must recover
// relative ones after each switch; ours keeps everything in body-fixed home frames, made at load, so most of it is
// a look-up:
//   connectivity (6.1)        change_root walks the chain of inversion; siblings become grandchildren (choice ii)
//   (9), (10)                 Joint::X_PN: a joint stays where it is on both bodies; only its user changes
//   (11), (12)                place_in_parent. (12) as printed rotates with E_{n lambda(i)}, the new parent's
//                             orientation relative to *its* parent. The vector it rotates is absolute, so the
//                             absolute bind orientation ori(X_T^abs of the parent) is meant: with the relative one
//                             A2 fails as soon as the parent is not the top body.
//   (13) to (18), g_T         Support::X_HC.p is the marker fixed to the new top body, (**) of (14); g_T would be that
//                             marker in the bind pose, and is needed only to get relative transforms back out of
//                             absolute ones
//   (19)                      Joint::I_near. As printed it rotates with the new relative orientation again; the vector
//                             is absolute, so the body's absolute bind orientation is meant
//   (20)                      enter_from_world in tree.cpp
//   (21), (22)                set_root_motion, through joint_coordinates, the inverse of jcalc
//   7.1                       root velocity and acceleration by accumulation along the chain
// Joint coordinates are not touched: a joint walked backwards is read with the opposite sign (tree.hpp).
#pragma once

#include "stance_core/model/tree.hpp"
#include "stance_core/model/workspace.hpp"

namespace stance {

// How and where the new root meets the world.
struct Footing {
  JointKind kind = JointKind::kFree;
  Vec3<double> point_W;  // the contact point; not read for free and planar
  Mat3<double> R_WA = Mat3<
      double>::identity();  // axes of the support: z is the pin's or the roll's axis, y its normal
  double radius = 0;        // of roll: the arc's centre is at point + radius y
};

// The support that holds `root` as `footing` says at the body's present pose X_WH. The body's bind orientation is the
// zero of the support's angle wherever the support can turn there: for a pin q[0] is the angle by which the body is
// turned from the bind pose.
Support make_support(const Model& model, BodyId root, const Transform<double>& X_WH,
                     const Footing& footing) noexcept;

// Rewrites tree and state for the new root. Returns the velocity of the contact frame in its own coordinates as the
// body has it: the support keeps the part it can do, and the rest is what an impact has to take away.
// A root that stands on a pin with the same axes already keeps the zero of its angle: only the point moves.
Motion<double> reroot(const Model& model, BodyId root, const Footing& footing, Tree& tree,
                      State& state) noexcept;

// The accelerations `a` of a motion of the robot in (old_tree, old_state), for the new root. Joints keep theirs; the
// support gets the root body's. Needs a workspace; both trees describe the same robot at the same instant.
void reroot_accelerations(const Model& model, const Tree& old_tree, const State& old_state,
                          const DofVector& a, const Tree& tree, const State& state, Workspace& w,
                          DofVector& a_new) noexcept;

}  // namespace stance
