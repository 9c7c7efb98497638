// Small walkers, built without a file, and a way to watch them walk.
#pragma once

#include <cmath>
#include <filesystem>
#include <fstream>
#include <memory>
#include <sstream>
#include <string>

#include "stance_core/model/build_model.hpp"
#include "stance_report/recorder.hpp"

namespace stance::test {

// A walker ready to be watched. The simulator has been started, and struck where the initial state asks for it.
struct Walk {
  std::unique_ptr<Model> model;
  SimulatorSettings settings;
  std::unique_ptr<Simulator> simulator;
};

inline InertialDescription point_mass(double mass, double z) {
  InertialDescription inertial;
  inertial.mass = mass;
  inertial.center = {0, 0, z};
  return inertial;
}

inline JointDescription joint(const char* name, const char* parent, const char* child, double x,
                              double z, JointType type = JointType::kFixed) {
  JointDescription joint;
  joint.name = name, joint.parent = parent, joint.child = child, joint.type = type;
  joint.origin.translation() = Eigen::Vector3d(x, 0, z);
  joint.axis = Eigen::Vector3d::UnitY();
  return joint;
}

inline SimulatorSettings settings_with_feet(const Model& model, double slope,
                                            std::initializer_list<const char*> feet,
                                            bool ignore_scuff) {
  SimulatorSettings settings;
  settings.ground = sloped_ground(slope);
  for (const char* foot : feet) {
    settings.feet[settings.foot_count++] = {find_frame(model, foot), JointKind::kRevolute, 0,
                                            ignore_scuff};
  }
  return settings;
}

inline void start(Walk& walk, double angle, double rate, const State& joints) {
  walk.simulator = std::make_unique<Simulator>(*walk.model, walk.settings);
  walk.simulator->start_on_foot(0, {}, joints, &angle, &rate);
}

// The compass biped of Stepien, Table 1, in the state just before heel strike; `strike` lets the heel strike.
inline Walk compass_walk(bool strike = true, double slope = 0.0524) {
  Description robot;
  robot.name = "compass";
  robot.links = {{"hip", point_mass(2, 0)},
                 {"left_leg", point_mass(1, -0.5)},
                 {"right_leg", point_mass(1, -0.5)},
                 {"left_foot", std::nullopt},
                 {"right_foot", std::nullopt}};
  robot.joints = {joint("left_hip", "hip", "left_leg", 0, 0),
                  joint("right_hip", "hip", "right_leg", 0, 0, JointType::kContinuous),
                  joint("left_ankle", "left_leg", "left_foot", 0, -1),
                  joint("right_ankle", "right_leg", "right_foot", 0, -1)};
  Walk walk;
  walk.model = std::make_unique<Model>(*build_model(robot, {.gravity = {0, 0, -9.81}}));
  walk.settings = settings_with_feet(*walk.model, slope, {"left_foot", "right_foot"}, true);
  walk.settings.fall_count = 1;
  walk.settings.fall_frames[0] = find_frame(*walk.model, "hip");
  State joints = neutral_state(*walk.model, make_tree(*walk.model));
  joints.q[kSupportCoordinates] = -0.5424;
  joints.v[kSupportDofs] = 0.3117;
  start(walk, 0.3236, 1.4939, joints);
  if (strike && walk.simulator->strike(1) != Status::kOk) walk.simulator.reset();
  return walk;
}

// The same on level ground, as in config/compass_powered.yaml: the foot that leaves pushes off with 0.5 N s.
inline Walk powered_compass() {
  Walk walk = compass_walk(false, 0);
  walk.settings.push_off = {0.5, find_frame(*walk.model, "hip")};
  State joints = neutral_state(*walk.model, make_tree(*walk.model));
  joints.q[kSupportCoordinates] = -0.4;
  start(walk, 0.2, 1.1, joints);
  if (walk.simulator->strike(1) != Status::kOk) walk.simulator.reset();
  return walk;
}

// A wheel of eight spokes and no rim.
inline Walk rimless_wheel() {
  Description robot;
  robot.name = "rimless_wheel";
  auto hub = point_mass(2, 0);
  hub.inertia = Eigen::Matrix3d::Identity() * 0.5;
  robot.links = {{"hub", hub}};
  std::vector<std::string> names;
  for (int i = 0; i < 8; ++i) {
    names.push_back("spoke_" + std::to_string(i));
    robot.links.push_back({names.back(), std::nullopt});
    const double a = -M_PI / 4 * i;
    robot.joints.push_back(joint(("end_" + std::to_string(i)).c_str(), "hub", names.back().c_str(),
                                 -std::sin(a), -std::cos(a)));
  }
  Walk walk;
  walk.model = std::make_unique<Model>(*build_model(robot, {.gravity = {0, 0, -9.81}}));
  walk.settings.ground = sloped_ground(0.1);
  for (const auto& name : names) {
    walk.settings.feet[walk.settings.foot_count++] = {find_frame(*walk.model, name)};
  }
  start(walk, -0.2, 1.6, neutral_state(*walk.model, make_tree(*walk.model)));
  return walk;
}

// The kneed walker of urdf/kneed_biped.urdf on its slope, just after foot strike.
inline Walk kneed_walker() {
  Description robot;
  robot.name = "kneed_biped";
  const auto solid = [](double mass, double z, double inertia) {
    auto inertial = point_mass(mass, z);
    inertial.inertia = Eigen::Matrix3d::Identity() * inertia;
    return inertial;
  };
  robot.links = {{"hip", solid(5, 0, 0.0098)}};
  for (const std::string side : {"left", "right"}) {
    robot.links.push_back({side + "_thigh", solid(5, -0.325, 0.0395)});
    robot.links.push_back({side + "_shank", solid(0.5, -0.125, 0.00174479)});
    robot.links.push_back({side + "_foot", std::nullopt});
    const auto add = [&](const std::string& name, const std::string& parent,
                         const std::string& child, double z, JointType type) {
      robot.joints.push_back(joint(name.c_str(), parent.c_str(), child.c_str(), 0, z, type));
    };
    add(side + "_hip", "hip", side + "_thigh", 0, JointType::kContinuous);
    add(side + "_knee", side + "_thigh", side + "_shank", -0.5, JointType::kRevolute);
    robot.joints.back().limits.lower = 0;
    robot.joints.back().limits.upper = 2.4;
    add(side + "_ankle", side + "_shank", side + "_foot", -0.5, JointType::kFixed);
  }
  Walk walk;
  walk.model = std::make_unique<Model>(*build_model(robot, {.gravity = {0, 0, -9.81}}));
  walk.settings = settings_with_feet(*walk.model, 0.0504, {"left_foot", "right_foot"}, true);
  const JointId left_knee = find_joint(*walk.model, "left_knee"),
                right_knee = find_joint(*walk.model, "right_knee");
  walk.settings.stop_count = 2;
  walk.settings.stops[0] = {left_knee, true, 0};
  walk.settings.stops[1] = {right_knee, true, 1};
  State joints = neutral_state(*walk.model, make_tree(*walk.model));
  const auto set = [&](const char* name, double q, double v) {
    const Joint& j = walk.model->joints[find_joint(*walk.model, name)];
    joints.q[j.q_index] = q, joints.v[j.v_index] = v;
  };
  set("left_hip", -0.1945, 1.1084);
  set("right_hip", 0.2953, 0.1469);
  start(walk, -0.1945, 1.1084, joints);
  walk.simulator->lock(left_knee);
  return walk;
}

// The walk again from the state it is in, with the settings as they are now.
inline void restart(Walk& walk) {
  const auto snapshot = walk.simulator->save();
  walk.simulator = std::make_unique<Simulator>(*walk.model, walk.settings);
  walk.simulator->restore(snapshot);
}

// Lets it walk up to a time, or until it falls.
inline void watch(Walk& walk, Recorder& recorder, double duration) {
  recorder.observe(*walk.simulator);
  while (walk.simulator->state().time < duration - 1e-9 && !walk.simulator->fallen()) {
    if (walk.simulator->step({}) != Status::kOk) break;
    recorder.observe(*walk.simulator);
  }
}

inline Ending ending(const Walk& walk, Ending::Why why = Ending::Why::kDuration) {
  return stance::ending(*walk.simulator, why, "");
}

inline std::string read_text(const std::filesystem::path& path) {
  std::ifstream file(path);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

// A directory that is not there yet, where the tests run: in the build tree.
inline std::filesystem::path fresh_directory(const std::string& name) {
  auto path = std::filesystem::current_path() / "report_scratch" / name;
  std::filesystem::remove_all(path);
  return path;
}

}  // namespace stance::test
