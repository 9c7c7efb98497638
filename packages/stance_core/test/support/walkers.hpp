// Small walkers with known gaits, built without a file.
#pragma once

#include <memory>

#include "stance_core/hybrid/simulator.hpp"
#include "stance_core/model/build_model.hpp"

namespace stance::test {

// The compass biped of Stepien, Table 1: hip 2 kg, legs of 1 m with `leg_mass` at `d` below the hip.
inline std::unique_ptr<Model> compass(double hip_mass = 2, double leg_mass = 1, double d = 0.5,
                                      double g = 9.81) {
  Description robot;
  robot.name = "compass";
  const auto point_mass = [](double mass, double z) {
    InertialDescription inertial;
    inertial.mass = mass;
    inertial.center = {0, 0, z};
    return inertial;
  };
  robot.links = {{"hip", point_mass(hip_mass, 0)},
                 {"left_leg", point_mass(leg_mass, -d)},
                 {"right_leg", point_mass(leg_mass, -d)},
                 {"left_foot", std::nullopt},
                 {"right_foot", std::nullopt}};
  const auto fixed = [](const char* name, const char* parent, const char* child, double z) {
    JointDescription joint;
    joint.name = name, joint.parent = parent, joint.child = child;
    joint.origin.translation() = Eigen::Vector3d(0, 0, z);
    return joint;
  };
  robot.joints = {fixed("left_hip", "hip", "left_leg", 0),
                  fixed("right_hip", "hip", "right_leg", 0),
                  fixed("left_ankle", "left_leg", "left_foot", -1),
                  fixed("right_ankle", "right_leg", "right_foot", -1)};
  robot.joints[1].type = JointType::kContinuous;
  robot.joints[1].axis = Eigen::Vector3d::UnitY();
  return std::make_unique<Model>(*build_model(robot, {.gravity = {0, 0, -g}}));
}

inline SimulatorSettings compass_settings(const Model& model, double slope) {
  SimulatorSettings settings;
  settings.ground = sloped_ground(slope);
  settings.foot_count = 2;
  settings.feet[0] = {find_frame(model, "left_foot"), JointKind::kRevolute, 0, true};
  settings.feet[1] = {find_frame(model, "right_foot"), JointKind::kRevolute, 0, true};
  settings.fall_count = 1;
  settings.fall_frames[0] = find_frame(model, "hip");
  return settings;
}

// On the left foot at the origin: angle and rate of the left leg about +y (hip forward), and of the right leg
// relative to it.
inline void start_compass(Simulator& simulator, double angle, double rate, double hip,
                          double hip_rate) {
  State joints = neutral_state(simulator.model(), simulator.tree());
  joints.q[kSupportCoordinates] = hip;
  joints.v[kSupportDofs] = hip_rate;
  simulator.start_on_foot(0, {}, joints, &angle, &rate);
}

}  // namespace stance::test
