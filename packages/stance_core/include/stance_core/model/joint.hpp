// The kinds of joint: what each lets move, and its two procedures, from coordinates to a transform and back.
//
// Frames are canonical: a one-degree-of-freedom joint turns or slides about its own z (RBDA Table 4.1). With X_J
// the pose of the moved frame in the joint's near frame:
//
//   kind       coordinates q          velocities v (in the moved frame)   free axes of (wx wy wz vx vy vz)
//   fixed      -                      -                                   -
//   revolute   angle                  rate                                wz
//   prismatic  distance               rate                                vz
//   ball       quaternion x y z w     angular velocity                    wx wy wz
//   planar     x y angle              angular rate, vx vy                 wz vx vy
//   free       x y z, x y z w         angular, linear velocity            all
//   roll       angle                  rate                                see below
//
// In every kind but roll the free axes are axes of the moved frame, so the motion subspace S is constant and made
// of unit vectors. roll is a support joint only: a circular arc of radius rho, with centre at the moved frame's
// origin, rolls without slip on the near frame's x axis, its normal y, its axle z: X_J = trn(-rho q, 0, 0) rot_z(q).
#pragma once

#include "stance_core/spatial/rotation.hpp"
#include "stance_core/spatial/transform.hpp"

namespace stance {

enum class JointKind : unsigned char {
  kFixed,
  kRevolute,
  kPrismatic,
  kBall,
  kPlanar,
  kFree,
  kRoll
};

constexpr int dof_count(JointKind kind) noexcept {
  constexpr int kCounts[] = {0, 1, 1, 3, 3, 6, 1};
  return kCounts[static_cast<int>(kind)];
}

constexpr int coordinate_count(JointKind kind) noexcept {
  constexpr int kCounts[] = {0, 1, 1, 4, 3, 7, 1};
  return kCounts[static_cast<int>(kind)];
}

constexpr const char* to_string(JointKind kind) noexcept {
  constexpr const char* kNames[] = {"fixed",  "revolute", "prismatic", "ball",
                                    "planar", "free",     "roll"};
  return kNames[static_cast<int>(kind)];
}

// jcalc: the pose of the moved frame in the near frame. `radius` matters to roll alone.
Transform<double> joint_transform(JointKind kind, const double* q, double radius = 0) noexcept;

// The inverse of jcalc: the coordinates that give X_J. Whatever part of X_J the joint cannot do is ignored.
void joint_coordinates(JointKind kind, const Transform<double>& X_J, double* q,
                       double radius = 0) noexcept;

// S v: the velocity across the joint in the moved frame. roll needs q, as its S turns with the angle.
Motion<double> joint_motion(JointKind kind, const double* q, const double* v,
                            double radius = 0) noexcept;

// The inverse: the velocities (or accelerations, efforts) that give m. What the joint cannot do is ignored.
void joint_components(JointKind kind, const Motion<double>& m, double* v) noexcept;
void joint_components(JointKind kind, const Force<double>& f, double* tau) noexcept;

// S tau read as a force: the generalised forces of the joint as a spatial force in the moved frame. Not for roll.
Force<double> joint_force(JointKind kind, const double* tau) noexcept;

// q moved along v for a time dt, exactly for constant v.
void joint_integrate(JointKind kind, double* q, const double* v, double dt) noexcept;

// The derivatives of the coordinates at velocity v: what an integrator of ordinary differential equations needs.
void joint_derivative(JointKind kind, const double* q, const double* v, double* q_dot) noexcept;

// Quaternions back to unit length.
void joint_normalize(JointKind kind, double* q) noexcept;

// The coordinates of the identity (zeros, and the identity quaternion).
void joint_neutral(JointKind kind, double* q) noexcept;

}  // namespace stance
