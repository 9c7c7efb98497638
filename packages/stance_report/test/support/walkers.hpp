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

// Lets it walk up to a time, or until it falls.
inline void watch(Walk& walk, Recorder& recorder, double duration) {
  recorder.observe(*walk.simulator);
  while (walk.simulator->state().time < duration - 1e-9 && !walk.simulator->fallen()) {
    if (walk.simulator->step({}) != Status::kOk) break;
    recorder.observe(*walk.simulator);
  }
}

inline Ending ending(const Walk& walk, Ending::Why why = Ending::Why::kDuration) {
  return {why, walk.simulator->state().time, "", walk.simulator->hash()};
}

inline std::string read_text(const std::filesystem::path& path) {
  std::ifstream file(path);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

// A directory that is empty and named after the test's file and line.
inline std::filesystem::path fresh_directory(const std::string& name) {
  const auto path = std::filesystem::temp_directory_path() / ("stance_report_" + name);
  std::filesystem::remove_all(path);
  return path;
}

}  // namespace stance::test
