#include "stance_model/scenario.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string>
#include <utility>

#include "stance_core/model/tree.hpp"

namespace stance {
namespace {

// Roll, pitch and yaw about the fixed x, then y, then z.
Mat3<double> rotation_from(const Vec3<double>& rpy) noexcept {
  const double sr = std::sin(rpy.x), cr = std::cos(rpy.x);
  const double sp = std::sin(rpy.y), cp = std::cos(rpy.y);
  const double sy = std::sin(rpy.z), cy = std::cos(rpy.z);
  return {{cy * cp, sy * cp, -sp},
          {cy * sp * sr - sy * cr, sy * sp * sr + cy * cr, cp * sr},
          {cy * sp * cr + sy * sr, sy * sp * cr - cy * sr, cp * cr}};
}

State joint_state(const InitialState& initial, const Simulator& simulator) noexcept {
  State state = neutral_state(simulator.model(), simulator.tree());
  for (const JointStart& start : initial.joints) {
    const Joint& joint = simulator.model().joints[start.joint];
    state.q[joint.q_index] = start.position;
    state.v[joint.v_index] = start.velocity;
  }
  apply_mimic(simulator.model(), state);
  return state;
}

void start_in_flight(const InitialState& initial, State state, Simulator& simulator) noexcept {
  simulator.start_in_flight(state, initial.flight);  // for its tree
  const Mat3<double> R = rotation_from(initial.orientation);
  const Motion<double> V_H{transpose_times(R, initial.angular_velocity),
                           transpose_times(R, initial.velocity)};
  set_root_motion(simulator.tree(), {R, initial.position}, V_H, state);
  simulator.start_in_flight(state, initial.flight);
  if (initial.stand.empty()) return;
  double lowest = std::numeric_limits<double>::infinity();
  for (const int foot : initial.stand) lowest = std::min(lowest, simulator.foot_height(foot));
  const Vec3<double> down = simulator.settings().ground.normal * -lowest;
  set_root_motion(simulator.tree(), {R, initial.position + down}, V_H, state);
  simulator.start_in_flight(state, initial.flight);
}

// The foot is at the world's origin and turned by the given orientation.
void start_on_ball(const InitialState& initial, State state, Simulator& simulator) noexcept {
  const double q[4] = {0, 0, 0, 1}, v[3] = {0, 0, 0};
  simulator.start_on_foot(initial.foot, {}, state, q, v);  // for its tree
  const Tree& tree = simulator.tree();
  const Mat3<double> R = rotation_from(initial.orientation) *
                         simulator.model().bodies[tree.root].R_bind;
  const Vec3<double> p = -(R * tree.support.X_HC.p);
  const Motion<double> V_H{transpose_times(R, initial.angular_velocity),
                           transpose_times(R, cross(initial.angular_velocity, p))};
  set_root_motion(tree, {R, p}, V_H, state);
  simulator.start_on_foot(initial.foot, {}, state, state.q.data(), state.v.data());
}

}  // namespace

Status start(const Scenario& scenario, Simulator& simulator) noexcept {
  return start(scenario.initial, simulator);
}

Status start(const InitialState& initial, Simulator& simulator) noexcept {
  const State state = joint_state(initial, simulator);
  if (initial.foot < 0) {
    start_in_flight(initial, state, simulator);
  } else if (simulator.settings().feet[static_cast<std::size_t>(initial.foot)].support ==
             JointKind::kBall) {
    start_on_ball(initial, state, simulator);
  } else {
    simulator.start_on_foot(initial.foot, {}, state, &initial.angle, &initial.rate);
  }
  for (const JointId joint : initial.locked) simulator.lock(joint);
  return initial.strike < 0 ? Status::kOk : simulator.strike(initial.strike);
}

Result<StartedPlant> make_plant(const Scenario& scenario, PlantSettings settings) {
  const Model& model = scenario.robot->model;
  const auto simulator = std::make_unique<Simulator>(model, scenario.settings);
  if (const Status status = start(scenario, *simulator); status != Status::kOk)
    return Error{ErrorCode::kValue, "initial", std::string("cannot be: ") + to_string(status)};
  StartedPlant started;
  for (ContactEvent event; simulator->events().pop(event);) started.opening.push_back(event);
  if (settings.keyframes.empty()) settings.keyframes.emplace_back();
  settings.keyframes[0] = {"initial", simulator->save()};
  auto plant = Plant::make(model, scenario.settings, std::move(settings));
  if (!plant) return plant.error();
  started.plant = *std::move(plant);
  return started;
}

}  // namespace stance
