// Sensors: how well they see, and what they say. Noise, bias and latency are off unless set.
//
// Vectors of an IMU and of force-torque sensors are in the axes of the link they sit on, about its origin. An impact is an
// instant: its impulse is in the event and in the force of the foot, and neither accelerations nor forces of joints show it.
#pragma once

#include <string>

#include "stance_core/base/index.hpp"
#include "stance_core/spatial/motion_force.hpp"
#include "stance_core/spatial/rotation.hpp"

namespace stance {

// ---- how well they see: reading = truth + bias + deviation · normal, each component with its own normal number

struct ScalarError {
  double bias = 0;
  double deviation = 0;
};
struct VectorError {
  Vec3<double> bias;
  double deviation = 0;
};

struct JointSensor {
  ScalarError position{}, velocity{}, effort{};
};

struct BaseSensor {
  VectorError position{};     // m, world axes
  VectorError orientation{};  // rad: a small turn about the base's axes
  VectorError linear_velocity{}, angular_velocity{};
  double latency = 0;  // s, rounded to whole sub-steps, as below
};

struct ImuSettings {
  std::string name{};
  FrameId frame{};
  VectorError orientation{};
  VectorError angular_velocity{};
  VectorError linear_acceleration{};
  double latency = 0;
};

// Across a joint that moves, of any kind.
struct ForceTorqueSettings {
  std::string name{};
  JointId joint{};
  VectorError force{}, torque{};
  double latency = 0;
};

// At a foot of the simulator's settings.
struct FootSensor {
  // Seconds that the raw contact must last before `contact` follows it.
  double on_time = 0, off_time = 0;
  VectorError force{}, torque{};
  double latency = 0;
};

// ---- what they say

struct JointReading {
  double position = 0;
  double velocity = 0;
  double effort = 0;  // of the motor, after its limits and before friction
};

// The file's root link in the world, whatever the root of the walk.
struct BaseReading {
  Vec3<double> position;   // world axes
  Quaternion orientation;  // base to world
  Vec3<double>
      linear_velocity;  // of the link's origin, in the base's axes (the child frame of an Odometry)
  Vec3<double> angular_velocity;  // in the base's axes
};

struct ImuReading {
  Quaternion orientation;  // link to world
  Vec3<double> angular_velocity;
  Vec3<double>
      linear_acceleration;  // specific force: at rest it reads g upwards, in free fall zero
};

// What the side of the joint's child does to the side of its parent, in the child link's frame: a foot on the ground
// pushes its ankle up.
struct ForceTorqueReading {
  Vec3<double> force;
  Vec3<double> torque;
};

enum class ContactState : unsigned char { kUnknown, kInactive, kActive, kSlipping };

// Forces are zero in the air. The force is what the ground gave the foot in the controller's period, impacts included, over
// the period: a sum over readings misses nothing and counts nothing twice, and a foot that stands never reads zero or double.
// Beside it the force at the instant of the reading. With a latency it is the period that ended so long ago.
struct FootReading {
  double contact = 0;      // 0 or 1, once it has lasted
  double contact_raw = 0;  // 0 or 1: the foot is on the ground now
  Vec3<double> force;      // of the ground on the foot, in the foot's axes
  Vec3<double> torque;     // about the foot's origin
  Vec3<double> force_now;  // at the instant of the reading
  double slip = 0;         // m/s along the ground
  double support = 0;      // 1 for the foot at which the tree is rooted
  Vec3<double> position;   // of the foot's origin, in the world, as all below
  Quaternion orientation;  // foot to world
  Vec3<double> linear_velocity, angular_velocity;
  Vec3<double> normal;  // of the ground, out of it

  ContactState state() const noexcept {
    if (contact_raw == 0) return ContactState::kInactive;
    return slip == 0 ? ContactState::kActive : ContactState::kSlipping;
  }
};

}  // namespace stance
