// Plants for tests: a pendulum on a welded base, and a walking compass.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "stance_core/plant/plant.hpp"
#include "support/small_robots.hpp"
#include "support/wheel_and_knees.hpp"

namespace stance::test {

// A point mass m at distance l below the joint "swing", on a base that is welded to the world ("sole" is its foot).
// Gravity can be left out: the joint is then a pure inertia m l².
inline std::unique_ptr<Model> pendulum(double m = 2, double l = 0.5, double g = 9.81,
                                       double effort_limit = 1e9) {
  Description robot;
  robot.name = "pendulum";
  robot.links = {link("base", 1, {0, 0, 0}, {0.1, 0.1, 0.1}),
                 {"sole", std::nullopt},
                 link("bob", m, {0, 0, -l}, {0, 0, 0})};
  robot.joints = {joint("weld", JointType::kFixed, "base", "sole"),
                  joint("swing", JointType::kContinuous, "base", "bob")};
  robot.joints[1].limits.effort = effort_limit;
  return std::make_unique<Model>(*build_model(robot, {.gravity = {0, 0, -g}}));
}

inline SimulatorSettings welded(const Model& model, double step = 1e-3,
                                Method method = Method::kRungeKutta4) {
  SimulatorSettings settings;
  settings.step = step;
  settings.integrator.method = method;
  settings.foot_count = 1;
  settings.feet[0] = {find_frame(model, "sole"), JointKind::kFixed, 0, false};
  settings.feet[0].grips = true;  // bolted to the ground
  return settings;
}

// Standing on foot 0 with the joints given (by index behind the support).
inline Keyframe standing(const Model& model, const SimulatorSettings& settings,
                         std::initializer_list<double> q, std::initializer_list<double> v = {},
                         const std::string& name = "start") {
  const auto simulator = std::make_unique<Simulator>(model, settings);
  State joints = neutral_state(model, simulator->tree());
  std::copy(q.begin(), q.end(), joints.q.begin() + kSupportCoordinates);
  std::copy(v.begin(), v.end(), joints.v.begin() + kSupportDofs);
  const double zeros[7] = {0, 0, 0, 1, 0, 0, 0};
  simulator->start_on_foot(0, {}, joints, zeros, zeros);
  return {name, simulator->save()};
}

inline std::unique_ptr<Plant> make_plant(const Model& model, const SimulatorSettings& settings,
                                         const PlantSettings& plant) {
  auto made = Plant::make(model, settings, plant);
  if (!made) {
    ADD_FAILURE() << made.error().text();
    return nullptr;
  }
  return *std::move(made);
}

// The pendulum's plant, at angle q and rate v.
inline std::unique_ptr<Plant> pendulum_plant(const Model& model, double q = 0, double v = 0,
                                             PlantSettings plant = {}, double step = 1e-3,
                                             Method method = Method::kRungeKutta4) {
  const SimulatorSettings settings = welded(model, step, method);
  plant.keyframes = {standing(model, settings, {q}, {v})};
  return make_plant(model, settings, plant);
}

inline const JointId kSwing{1};

// The compass of Stepien, Table 1, just after its strike.
inline Keyframe walking_compass(const Model& model, const SimulatorSettings& settings) {
  const auto simulator = std::make_unique<Simulator>(model, settings);
  start_compass(*simulator, 0.3236, 1.4939, -0.5424, 0.3117);
  EXPECT_EQ(simulator->strike(1), Status::kOk);
  return {"walk", simulator->save()};
}

}  // namespace stance::test
