// Parameters by name: what is listed can be set, what is set is what the scenario then has, and what is neither is refused
// with the name that was probably meant.
#include "stance_model/parameters.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "stance_model/load_scenario.hpp"

namespace stance {
namespace {

namespace fs = std::filesystem;

fs::path config(const std::string& name) { return fs::path(STANCE_CONFIG_FOLDER) / name; }

std::unique_ptr<Scenario> with(const std::string& file, const std::vector<std::string>& texts) {
  LoadOptions options;
  for (const std::string& text : texts) {
    const auto a = parse_assignment(text);
    EXPECT_TRUE(a) << text;
    if (a) options.set.push_back(*a);
  }
  auto scenario = load_scenario(config(file), options);
  EXPECT_TRUE(scenario) << scenario.error().text();
  return scenario ? *std::move(scenario) : nullptr;
}

std::string refusal(const std::string& file, const std::string& text) {
  const auto a = parse_assignment(text);
  if (!a) return a.error().text();
  LoadOptions options;
  options.set = {*a};
  const auto scenario = load_scenario(config(file), options);
  return scenario ? "" : scenario.error().text();
}

// Every value that is listed, set to what it is, changes nothing; set to another, it is listed as that.
TEST(Parameters, WhatIsListedCanBeSet) {
  for (const char* file : {"compass.yaml", "compass_powered.yaml", "kneed_walker.yaml",
                           "rimless_wheel.yaml", "simplest_walker.yaml"}) {
    const auto all = list_parameters(config(file));
    ASSERT_TRUE(all) << all.error().text();
    EXPECT_GT(all->size(), 20u) << file;
    for (const Parameter& p : *all) {
      EXPECT_LE(p.lower, p.value) << p.name;
      EXPECT_GE(p.upper, p.value) << p.name;
      const double other = p.value + 1e-3 * (1 + std::abs(p.value));
      const auto again = list_parameters(config(file), {assignment(p.name, other)});
      ASSERT_TRUE(again) << p.name << ": " << again.error().text();
      const auto found = find_parameter(*again, p.name);
      ASSERT_TRUE(found) << p.name;
      EXPECT_EQ(found->value, other) << file << " " << p.name;
    }
  }
}

TEST(Parameters, ReachTheScenarioAndItsRobot) {
  const auto plain = with("compass.yaml", {});
  const auto s = with("compass.yaml",
                      {"robot.link.right_leg.mass=1.5 kg", "robot.link.hip.mass=7"});
  ASSERT_TRUE(plain && s);
  const auto mass = [](const Scenario& scenario) { return total_mass(scenario.robot->model); };
  const Description& robot = s->robot->description;
  double sum = 0;
  for (const LinkDescription& link : robot.links) sum += link.inertial ? link.inertial->mass : 0;
  EXPECT_NEAR(mass(*s), sum, 1e-12);
  EXPECT_NEAR(mass(*s) - mass(*plain), 0.5 + 7 - 2, 1e-12);  // the hip has 2 kg, a leg has 1
  const auto knee = with("kneed_walker.yaml", {"robot.joint.left_knee.damping=0.25"});
  ASSERT_TRUE(knee);
  const Model& model = knee->robot->model;
  const Joint& joint = model.joints[find_joint(model, "left_knee")];
  EXPECT_EQ(joint.damping, 0.25);
  EXPECT_EQ(model.joints[find_joint(model, "right_knee")].damping, 0);
  const auto powered = with("compass_powered.yaml", {"push_off.impulse=0.4 N*s", "gravity=3.7"});
  ASSERT_TRUE(powered);
  EXPECT_EQ(powered->settings.push_off.impulse, 0.4);
  EXPECT_EQ(powered->robot->model.gravity.z, -3.7);
  const auto radius = with("compass.yaml", {"feet.left_foot.radius=5 mm"});
  ASSERT_TRUE(radius);
  EXPECT_EQ(radius->settings.feet[0].radius, 0.005);
  EXPECT_EQ(radius->settings.feet[1].radius, 0);
}

TEST(Parameters, OneNameVariesBothSides) {
  const auto s = with("kneed_walker.yaml",
                      {"robot.link.*_shank.mass=0.06", "robot.joint.*_knee.friction=0.1"});
  ASSERT_TRUE(s);
  int shanks = 0, knees = 0;
  for (const LinkDescription& link : s->robot->description.links) {
    if (!link.name.ends_with("_shank")) continue;
    EXPECT_EQ(link.inertial->mass, 0.06);
    ++shanks;
  }
  for (const JointDescription& joint : s->robot->description.joints)
    knees += joint.friction == 0.1 ? 1 : 0;
  EXPECT_EQ(shanks, 2);
  EXPECT_EQ(knees, 2);
}

// The robot is turned with the ground, so that the foot that strikes still does.
TEST(Parameters, AnotherSlopeTurnsTheRobotWithTheGround) {
  const auto plain = with("compass.yaml", {});
  const auto s = with("compass.yaml", {"ground.slope=5deg"});
  ASSERT_TRUE(plain && s);
  const double turn = 5 * M_PI / 180 - 0.0524;
  EXPECT_NEAR(s->initial.angle - plain->initial.angle, turn, 1e-15);
  EXPECT_NEAR(std::atan2(s->settings.ground.normal.x, s->settings.ground.normal.z), 5 * M_PI / 180,
              1e-15);
  const auto height = [](const Scenario& scenario) {
    InitialState initial = scenario.initial;
    initial.strike = -1;
    const auto simulator = std::make_unique<Simulator>(scenario.robot->model, scenario.settings);
    EXPECT_EQ(start(initial, *simulator), Status::kOk);
    return simulator->foot_height(1);
  };
  EXPECT_NEAR(height(*s), height(*plain), 1e-14);
  const auto given = with("compass.yaml", {"ground.slope=3deg", "initial.angle=0.3236"});
  ASSERT_TRUE(given);
  EXPECT_EQ(given->initial.angle, 0.3236);
}

TEST(Parameters, UnknownNamesSayWhatIsNear) {
  EXPECT_NE(refusal("compass.yaml", "ground.slop=1").find("did you mean 'ground.slope'?"),
            std::string::npos);
  EXPECT_NE(refusal("compass.yaml", "robot.link.left_leg.mas=1")
                .find("did you mean 'robot.link.left_leg.mass'?"),
            std::string::npos);
  EXPECT_NE(refusal("compass.yaml", "robot.link.*_arm.mass=1").find("fits nothing"),
            std::string::npos);
  EXPECT_NE(refusal("compass.yaml", "ground.slope=3 m").find("is a length"), std::string::npos);
  EXPECT_NE(refusal("compass.yaml", "robot.link.hip.mass=-1").find("must lie from 0"),
            std::string::npos);
  EXPECT_NE(refusal("compass.yaml", "ground.slope").find("NAME=VALUE"), std::string::npos);
  EXPECT_NE(refusal("compass.yaml", "law.step_angle=0.3").find("fits nothing"), std::string::npos);
}

}  // namespace
}  // namespace stance
