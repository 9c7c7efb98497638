// The efforts of all joints in one sub-step: command law, friction and limits, implicitly.
//
// A law kp (q* - q) + kd (v* - v) evaluated once per sub-step of length h and held is unstable where h² kp or h kd comes
// near the inertia that the joint moves, and a legged robot has light feet. So the law is evaluated where the joint will
// be (Tan, Liu, Turk, "Stable proportional-derivative controllers", IEEE CG&A 2011), theta h ahead:
//   (1) tau = kp (q* - q - theta h v - theta² h² a) + kd (v* - v - theta h a) + feed-forward
//   (2) M a + bias = tau
// Put (1) into (2): the terms in a are an armature of theta² h² kp + theta h kd more, so one forward dynamics of the robot
// with these armatures, under the contacts that it has, gives a, and (1) the effort to hold. theta = 1 is stable for all gains and never rings; theta = 1/2 is the
// midpoint rule: second order in h and no artificial damping, but stiff joints ring.
//
// Dry friction c is a damping c / max(|v|, friction_speed) in (1): sliding it is c, it stops a joint without reversing
// it, and holds it but for a creep. A joint beyond what its drive can give gets the limit, or the motor's line, which is
// a damping stall / no_load towards no_load_speed; then (2) is solved once more.
#pragma once

#include <span>

#include "stance_core/base/status.hpp"
#include "stance_core/model/tree.hpp"
#include "stance_core/plant/actuator.hpp"

namespace stance {

// One joint's law in one sub-step.
struct Drive {
  bool active = false;  // a joint of one degree of freedom that goes its own way
  double q_target = 0;  // q*
  double v_target = 0;  // v*
  double kp = 0, kd = 0;
  double feed_forward = 0;
  double strength = 1;  // the share of the motor's effort that arrives: below one with a fault
};

struct DriveEfforts {
  DofVector total{};                         // on the joints, friction included: for the simulator
  std::array<double, kMaxBodies> motor{};    // by joint: what the drive gives
  std::array<bool, kMaxBodies> saturated{};  // by joint
  int solves = 0;                            // of (2): at most kMaxDriveSolves
};

inline constexpr int kMaxDriveSolves = 2;

// What answers (2): the robot as it stands on its contacts, with the armatures of this tree.
class Dynamics {
 public:
  virtual Status solve(const Tree& tree, const DofVector& tau, DofVector& a) noexcept = 0;

 protected:
  ~Dynamics() = default;
};

// `scratch` is a tree to overwrite. Joints that are locked or not active get no effort.
Status drive_efforts(const Model& model, const Tree& tree, const State& state,
                     std::span<const Drive> drives, std::span<const Actuator> actuators, double h,
                     double theta, Dynamics& dynamics, Tree& scratch,
                     DriveEfforts& efforts) noexcept;

}  // namespace stance
