// The drive of one joint: what it can give, what it loses, and the servo that makes positions of efforts.
//
// Defaults change nothing but this: the effort limit of the robot file holds.
#pragma once

#include <limits>

#include "stance_core/base/capacity.hpp"

namespace stance {

// Gains of a joint that is commanded by position or velocity alone.
struct Servo {
  // A critically damped servo of this bandwidth (rad/s): kp = I w², kd = 2 I w, where I is the inertia that the joint
  // moves at the bind pose: the larger of its two sides, so that a stance leg carries the trunk as well as a free leg
  // itself. At 100 rad/s a limb of 0.5 m sags by 2 mrad under its own weight.
  double bandwidth = 100;
  // Given gains come before the bandwidth; below zero: not given.
  double kp = -1, kd = -1;
};

struct Actuator {
  // N m or N. Below zero: the robot file's, where it has one; infinite: none.
  double effort_limit = -1;
  // The line of a direct-current motor: at speed v it gives no more than stall_effort (1 - v / no_load_speed) in the
  // direction of v, nothing beyond no_load_speed, and more than stall_effort when it brakes; effort_limit cuts it off.
  double stall_effort = std::numeric_limits<double>::infinity();
  double no_load_speed = std::numeric_limits<double>::infinity();
  // Dry friction, N m or N, and viscous friction beside the robot file's damping. Below friction_speed a dry joint
  // creeps: its friction is friction v / friction_speed there. Both are integrated implicitly and cannot chatter.
  double friction = 0;
  double viscous = 0;
  double friction_speed = 1e-3;
  // Inertia of the drive as seen by the joint, kg m² or kg. Below zero: the robot file's.
  double armature = -1;
  // Seconds until a command acts; rounded to whole sub-steps.
  double delay = 0;
  Servo servo;
};

// The efforts that a drive can give at speed v, from low to high.
struct EffortRange {
  double low, high;
};
EffortRange effort_range(const Actuator& actuator, double v) noexcept;

}  // namespace stance
