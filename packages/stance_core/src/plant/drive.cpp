#include "stance_core/plant/drive.hpp"

#include <algorithm>
#include <cmath>

namespace stance {
namespace {

// The law (1) of one joint with everything that acts in it: motor kp, kd, and the damping of friction.
struct Law {
  double q_target, v_target, kp, kd, constant;
  double low, high;  // what the motor may give in the end
  double drag;       // friction as a damping
};

// The effort of the motor if the joint accelerates with a. (1)
double motor_effort(const Law& law, double q, double v, double a, double h, double theta) noexcept {
  const double v_ahead = v + theta * h * a;
  const double q_ahead = q + theta * h * v_ahead;
  return law.kp * (law.q_target - q_ahead) + law.kd * (law.v_target - v_ahead) + law.constant;
}

// The body that the walk enters through a joint.
BodyId entered(const Model& model, const Tree& tree, int joint) noexcept {
  const BodyId child(joint);
  return tree.links[child].joint == JointId(joint) ? child : model.bodies[child].parent;
}

}  // namespace

EffortRange effort_range(const Actuator& actuator, double v) noexcept {
  const double limit = actuator.effort_limit;
  if (!std::isfinite(actuator.stall_effort)) return {-limit, limit};
  const auto line = [&](double speed) {
    return std::clamp(actuator.stall_effort * (1 - speed / actuator.no_load_speed), 0.0, limit);
  };
  return {-line(-v), line(v)};
}

Status drive_efforts(const Model& model, const Tree& tree, const State& state,
                     std::span<const Drive> drives, std::span<const Actuator> actuators, double h,
                     double theta, Dynamics& dynamics, Tree& scratch,
                     DriveEfforts& efforts) noexcept {
  std::array<Law, kMaxBodies> laws;
  DofVector a{};
  bool implicit = false;
  efforts = {};
  for (int i = 1; i < model.body_count; ++i) {
    const Drive& drive = drives[i];
    if (!drive.active) continue;
    const Actuator& actuator = actuators[i];
    const double v = state.v[model.joints[i].v_index];
    const double drag = actuator.viscous +
                        actuator.friction / std::max(std::abs(v), actuator.friction_speed);
    laws[i] = {
        drive.q_target,         drive.v_target,        drive.kp, drive.kd, drive.feed_forward,
        -actuator.effort_limit, actuator.effort_limit, drag};
    implicit = implicit || drive.kp != 0 || drive.kd != 0 || drag != 0;
  }

  // (2) with the armatures of (1)
  const auto solve = [&]() noexcept {
    ++efforts.solves;
    scratch = tree;
    DofVector tau{};
    for (int i = 1; i < model.body_count; ++i) {
      const Joint& joint = model.joints[i];
      for (int j = 0; j < dof_count(joint.kind); ++j)
        tau[joint.v_index + j] = -joint.damping * state.v[joint.v_index + j];
      if (!drives[i].active || tree.locked[i]) continue;
      const Law& law = laws[i];
      const double s = drives[i].strength, v = state.v[joint.v_index];
      scratch.links[entered(model, tree, i)].armature += theta * h *
                                                         (theta * h * s * law.kp + s * law.kd +
                                                          law.drag);
      tau[joint.v_index] += s * motor_effort(law, state.q[joint.q_index], v, 0, h, theta) -
                            law.drag * v;
    }
    return dynamics.solve(scratch, tau, a);
  };
  if (implicit) {
    if (const Status status = solve(); status != Status::kOk) return status;
  }

  // joints beyond what their drive can give
  bool again = false;
  for (int i = 1; i < model.body_count; ++i) {
    if (!drives[i].active) continue;
    const Joint& joint = model.joints[i];
    const double q = state.q[joint.q_index], v = state.v[joint.v_index];
    const double a_i = tree.locked[i] ? 0 : a[joint.v_index];
    Law& law = laws[i];
    const double effort = motor_effort(law, q, v, a_i, h, theta);
    const EffortRange range = effort_range(actuators[i], v + theta * h * a_i);
    if (effort >= range.low && effort <= range.high) continue;
    efforts.saturated[i] = true;
    again = again || implicit;
    const double limit = actuators[i].effort_limit;
    const double sign = effort > range.high ? 1 : -1;
    const double bound = sign > 0 ? range.high : -range.low;
    if (bound < limit && sign * v < actuators[i].no_load_speed) {  // on the motor's line
      again = true;
      const double slope = actuators[i].stall_effort / actuators[i].no_load_speed;
      law = {0,
             sign * actuators[i].no_load_speed,
             0,
             slope,
             0,
             sign > 0 ? 0 : -limit,
             sign > 0 ? limit : 0,
             law.drag};
    } else {
      law = {0, 0, 0, 0, sign * bound, -limit, limit, law.drag};
    }
  }
  if (again) {
    if (const Status status = solve(); status != Status::kOk) return status;
  }

  for (int i = 1; i < model.body_count; ++i) {
    if (!drives[i].active) continue;
    const Joint& joint = model.joints[i];
    const double q = state.q[joint.q_index], v = state.v[joint.v_index];
    const double a_i = tree.locked[i] ? 0 : a[joint.v_index];
    const Law& law = laws[i];
    const double motor = drives[i].strength *
                         std::clamp(motor_effort(law, q, v, a_i, h, theta), law.low, law.high);
    const double v_ahead = v + theta * h * a_i;
    const double dry = (law.drag - actuators[i].viscous) * v_ahead;
    efforts.motor[i] = motor;
    efforts.total[joint.v_index] = motor - actuators[i].viscous * v_ahead -
                                   std::clamp(dry, -actuators[i].friction, actuators[i].friction);
  }
  return Status::kOk;
}

}  // namespace stance
