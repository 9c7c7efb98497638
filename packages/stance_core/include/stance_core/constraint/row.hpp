// Row: one scalar condition on accelerations (or velocities, in an impact) with the force that keeps it.
//
// A row's force is a wrench on one body and the opposite one on another (or on the world), or efforts of joints in a fixed
// ratio. By power the same numbers measure its motion: with J the row, its acceleration is J a + bias.
#pragma once

#include <array>

#include "stance_core/model/tree.hpp"
#include "stance_core/model/workspace.hpp"

namespace stance {

// Rows that one forward dynamics can hold.
inline constexpr int kMaxRows = 96;

struct Row {
  // Bodies, and the wrench of a unit of the row's force on each, in their kernel frames. Not valid: none, or the world.
  BodyId on, from;
  Force<double> F_on, F_from;
  // Efforts of a unit of the row's force on degrees of freedom of the walk (Link::dof), in the walk's direction.
  struct Effort {
    int dof = -1;  // none
    double share = 0;
  };
  std::array<Effort, 2> efforts{};
  // What the row's acceleration is beside J a, gravity included (the workspace's accelerations leave it out), less what
  // is asked for: 0 in an impact.
  double bias = 0;
};

// Where two bodies touch, seen by one of them: a point fixed in the body's home frame, with a sphere of `radius` about it.
// The lowest point of the sphere, at distance `radius` against the normal, is what touches and where the force acts.
struct ContactPoint {
  BodyId body;
  Vec3<double> p_H;
  double radius = 0;
};

// Axes of a contact: the normal out of the ground, and two tangents.
struct ContactFrame {
  Vec3<double> normal{0, 0, 1}, t1{1, 0, 0}, t2{0, 1, 0};
};

// A frame with this normal whose first tangent lies as near as may be to `forward`.
ContactFrame contact_frame(const Vec3<double>& normal, const Vec3<double>& forward) noexcept;

// A contact as the kinematics has it, in world axes.
struct ContactMotion {
  Vec3<double> center_W;    // of the sphere
  Vec3<double> velocity_W;  // of the material that touches
  // What the acceleration of that material is when the spatial acceleration is zero, gravity given back
  //   (1) u = v_c + w × r, r = -radius n           u̇ = v̇_c + ẇ × r, as r keeps its direction while the sphere rolls
  //   (2) v̇_c = a.v + a.w × c + w × (v + w × c)    of the centre c, in the body's kernel frame
  // so the bias is w × v_c + g.
  Vec3<double> bias_W;
};

// All need kinematics (X_WB and v of the workspace).
ContactMotion contact_motion(const Model& model, const Tree& tree, const Workspace& w,
                             const ContactPoint& contact, const Vec3<double>& normal) noexcept;

// The rows of a contact with the world along n, t1 and t2: the first `count` of them.
void contact_rows(const Tree& tree, const Workspace& w, const ContactPoint& contact,
                  const ContactFrame& frame, const ContactMotion& motion, int count,
                  Row* rows) noexcept;

// The row of a gear: follower - multiplier leader, both of one degree of freedom.
Row gear_row(const Tree& tree, const Mimic& mimic) noexcept;

// The row of a joint of one degree of freedom that is held, or driven with an acceleration.
Row joint_row(const Tree& tree, JointId joint, double acceleration = 0) noexcept;

}  // namespace stance
