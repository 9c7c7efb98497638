// Two more walkers without a file: the rimless wheel and the kneed biped.
#pragma once

#include <cmath>
#include <string>

#include "support/small_robots.hpp"
#include "support/walkers.hpp"

namespace stance::test {

// A point mass with `spokes` massless spokes of length l in the x-z plane. Spoke 0 points down, spoke k is k / spokes
// of a turn ahead of it: rolling forward, spoke k + 1 lands after spoke k. Without a moment of inertia it cannot leave the
// ground: nothing would say how it turns there.
inline std::unique_ptr<Model> rimless_wheel(int spokes, double l = 1, double mass = 3,
                                            double inertia = 0) {
  Description robot;
  robot.name = "rimless_wheel";
  robot.links = {link("hub", mass, {0, 0, 0}, {inertia, inertia, inertia})};
  for (int k = 0; k < spokes; ++k) {
    const double angle = 2 * M_PI * k / spokes;
    const std::string name = "foot" + std::to_string(k);
    robot.links.push_back({name, std::nullopt});
    robot.joints.push_back(joint("spoke" + std::to_string(k), JointType::kFixed, "hub", name,
                                 {l * std::sin(angle), 0, -l * std::cos(angle)}));
  }
  return std::make_unique<Model>(*build_model(robot));
}

inline SimulatorSettings wheel_settings(const Model& model, int spokes, double slope) {
  SimulatorSettings settings;
  settings.ground = sloped_ground(slope);
  settings.foot_count = spokes;
  for (int k = 0; k < spokes; ++k)
    settings.feet[static_cast<std::size_t>(k)] = {find_frame(model, "foot" + std::to_string(k)),
                                                  JointKind::kRevolute, 0, false};
  return settings;
}

// The kneed walker of urdf/kneed_biped.urdf: hip 5 kg, thighs 5 kg, shanks 0.5 kg, legs of 1 m.
inline std::unique_ptr<Model> kneed_biped() {
  Description robot;
  robot.name = "kneed_biped";
  robot.links = {link("hip", 5, {0, 0, 0}, {0.0098, 0.0098, 0.0098})};
  for (const std::string side : {"left", "right"}) {
    robot.links.push_back(link(side + "_thigh", 5, {0, 0, -0.325}, {0.0395, 0.0395, 0.004}));
    robot.links.push_back(
        link(side + "_shank", 0.5, {0, 0, -0.125}, {0.00174479, 0.00174479, 0.00015625}));
    robot.links.push_back({side + "_foot", std::nullopt});
    robot.joints.push_back(joint(side + "_hip", JointType::kContinuous, "hip", side + "_thigh"));
    robot.joints.push_back(joint(side + "_knee", JointType::kRevolute, side + "_thigh",
                                 side + "_shank", {0, 0, -0.5}));
    robot.joints.back().limits.lower = 0;
    robot.joints.back().limits.upper = 2.4;
    robot.joints.push_back(
        joint(side + "_ankle", JointType::kFixed, side + "_shank", side + "_foot", {0, 0, -0.5}));
  }
  return std::make_unique<Model>(*build_model(robot));
}

// Knees stop straight and are held until their own foot lifts off.
inline SimulatorSettings kneed_settings(const Model& model, double slope = 0.0504) {
  SimulatorSettings settings;
  settings.ground = sloped_ground(slope);
  settings.foot_count = settings.stop_count = 2;
  settings.feet[0] = {find_frame(model, "left_foot"), JointKind::kRevolute, 0, true};
  settings.feet[1] = {find_frame(model, "right_foot"), JointKind::kRevolute, 0, true};
  settings.stops[0] = {find_joint(model, "left_knee"), true, 0};
  settings.stops[1] = {find_joint(model, "right_knee"), true, 1};
  settings.fall_count = 1;
  settings.fall_frames[0] = find_frame(model, "hip");
  return settings;
}

// On the straight left leg, the right leg straight and free: angles from the vertical and rates about +y.
inline void start_kneed(Simulator& simulator, double stance, double stance_rate, double swing,
                        double swing_rate) {
  const Model& model = simulator.model();
  State joints = neutral_state(model, simulator.tree());
  const Joint& left = model.joints[find_joint(model, "left_hip")];
  const Joint& right = model.joints[find_joint(model, "right_hip")];
  joints.q[left.q_index] = stance, joints.v[left.v_index] = stance_rate;  // the hip stays upright
  joints.q[right.q_index] = swing, joints.v[right.v_index] = swing_rate;
  simulator.start_on_foot(0, {}, joints, &stance, &stance_rate);
  simulator.lock(find_joint(model, "left_knee"));
}

}  // namespace stance::test
