// Every sentence with which a plant refuses to be made, and look-ups by name.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "support/plants.hpp"

namespace stance {
namespace {

using namespace test;

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

struct Refused {
  const char* name;
  void (*change)(const Model& model, SimulatorSettings& simulator, PlantSettings& settings);
  ErrorCode code;
  const char* text;  // part of it
};
std::ostream& operator<<(std::ostream& out, const Refused& refused) { return out << refused.name; }

class PlantRefusal : public testing::TestWithParam<Refused> {};

TEST_P(PlantRefusal, SaysWhatAndWhere) {
  const auto model = pendulum();
  SimulatorSettings simulator = welded(*model);
  PlantSettings settings;
  settings.keyframes = {standing(*model, simulator, {0.1})};
  settings.imus = {{"imu", FrameId(0)}};
  settings.force_torques = {{"ft", kSwing}};
  Wrench push;
  push.frame = FrameId(0), push.duration = 1;
  settings.wrenches = {push};
  ASSERT_TRUE(Plant::make(*model, simulator, settings));
  GetParam().change(*model, simulator, settings);
  const auto plant = Plant::make(*model, simulator, settings);
  ASSERT_FALSE(plant);
  EXPECT_EQ(plant.error().code, GetParam().code);
  EXPECT_NE(plant.error().text().find(GetParam().text), std::string::npos) << plant.error().text();
}

#define CHANGE(what)                                                                             \
  [](const Model&, [[maybe_unused]] SimulatorSettings& sim, [[maybe_unused]] PlantSettings& s) { \
    what;                                                                                        \
  }
constexpr auto kValue = ErrorCode::kValue;
constexpr auto kStructure = ErrorCode::kStructure;
constexpr auto kCapacity = ErrorCode::kCapacity;
const auto kRowName = [](const auto& row) { return std::string(row.param.name); };

INSTANTIATE_TEST_SUITE_P(
    Actuators, PlantRefusal,
    testing::Values(
        Refused{"step", CHANGE(sim.step = 0), kValue, "simulator: the step is 0"},
        Refused{"theta_low", CHANGE(s.theta = 0.4), kValue, "plant: theta is 0.4"},
        Refused{"theta_high", CHANGE(s.theta = 1.1), kValue, "it must be from 0.5 to 1"},
        Refused{"theta_nan", CHANGE(s.theta = kNaN), kValue, "theta"},
        Refused{"limit", CHANGE(s.actuators[1].effort_limit = kNaN), kValue,
                "joint 'swing': effort limit, armature or a servo gain is not a number"},
        Refused{"armature", CHANGE(s.actuators[1].armature = kInfinity), kValue,
                "armature or a servo gain is infinite"},
        Refused{"half_a_line", CHANGE(s.actuators[1].stall_effort = 3), kStructure,
                "make the motor's line together; give both"},
        Refused {
          "stall", CHANGE(s.actuators[1].stall_effort = 0; s.actuators[1].no_load_speed = 1),
              kValue, "the stall effort is 0"
        },
        Refused {
          "speed", CHANGE(s.actuators[1].stall_effort = 1; s.actuators[1].no_load_speed = -1),
              kValue, "the no-load speed is -1"
        },
        Refused{"kp_alone", CHANGE(s.actuators[1].servo.kp = 3), kStructure,
                "kp and kd come together"},
        Refused{"bandwidth", CHANGE(s.actuators[1].servo.bandwidth = 0), kValue,
                "the servo's bandwidth is 0"},
        Refused{"bandwidth_infinite", CHANGE(s.actuators[1].servo.bandwidth = kInfinity), kValue,
                "the servo's bandwidth is inf"},
        Refused{"friction", CHANGE(s.actuators[1].friction = -1), kValue, "the friction is -1"},
        Refused{"viscous", CHANGE(s.actuators[1].viscous = kNaN), kValue, "the viscous friction"},
        Refused{"friction_speed", CHANGE(s.actuators[1].friction_speed = 0), kValue,
                "the friction speed is 0"},
        Refused{"delay", CHANGE(s.actuators[1].delay = -1e-3), kValue, "the delay is -0.001"},
        Refused{"long_delay", CHANGE(s.actuators[1].delay = 3), kCapacity,
                "delays and latencies need room for"},
        Refused{"long_latency", CHANGE(s.base.latency = 1e300), kCapacity, "kMaxDelayedNumbers"}),
    kRowName);

INSTANTIATE_TEST_SUITE_P(
    Sensors, PlantRefusal,
    testing::Values(
        Refused{"joint_bias", CHANGE(s.joint_sensors[1].position.bias = kNaN), kValue,
                "joint 'swing': the bias of position is not finite"},
        Refused{"joint_deviation", CHANGE(s.joint_sensors[1].velocity.deviation = -1), kValue,
                "joint 'swing': the deviation of velocity is -1"},
        Refused{"joint_effort", CHANGE(s.joint_sensors[1].effort.deviation = kInfinity), kValue,
                "the deviation of effort is inf"},
        Refused{"joint_latency", CHANGE(s.joint_latency = -1), kValue,
                "joint sensors: the latency is -1"},
        Refused{"base_position", CHANGE(s.base.position.deviation = -1), kValue,
                "base: the deviation of position"},
        Refused{"base_orientation", CHANGE(s.base.orientation.bias.x = kNaN), kValue,
                "base: the bias of orientation"},
        Refused{"base_velocity", CHANGE(s.base.linear_velocity.deviation = -1), kValue,
                "linear velocity"},
        Refused{"base_rate", CHANGE(s.base.angular_velocity.deviation = -1), kValue,
                "angular velocity"},
        Refused{"base_latency", CHANGE(s.base.latency = kNaN), kValue, "base: the latency"},
        Refused {
          "imus", CHANGE(for (int k = 0; k < kMaxImus; ++k) s.imus.push_back(s.imus[0])), kCapacity,
              "IMUs: there are 5, and this build of stance holds 4 (kMaxImus"
        },
        Refused{"imu_name", CHANGE(s.imus[0].name = ""), kStructure, "IMU 0: has no name"},
        Refused{"imu_twice", CHANGE(s.imus.push_back(s.imus[0])), kStructure,
                "IMU 'imu': is there twice"},
        Refused{"imu_frame", CHANGE(s.imus[0].frame = FrameId(99)), kStructure,
                "IMU 'imu': sits on a link that the robot does not have"},
        Refused{"imu_orientation", CHANGE(s.imus[0].orientation.deviation = -1), kValue,
                "orientation"},
        Refused{"imu_rate", CHANGE(s.imus[0].angular_velocity.bias.z = kInfinity), kValue,
                "the bias of angular velocity"},
        Refused{"imu_acceleration", CHANGE(s.imus[0].linear_acceleration.deviation = -1), kValue,
                "linear acceleration"},
        Refused{"imu_latency", CHANGE(s.imus[0].latency = -1), kValue, "the latency"},
        Refused {
          "force_torques",
              CHANGE(for (int k = 0; k < kMaxForceTorques; ++k)
                         s.force_torques.push_back(s.force_torques[0])),
              kCapacity, "force-torque sensors: there are 17"
        },
        Refused{"ft_twice", CHANGE(s.force_torques.push_back(s.force_torques[0])), kStructure,
                "force-torque sensor 'ft': is there twice"},
        Refused{"ft_joint", CHANGE(s.force_torques[0].joint = JointId(0)), kStructure,
                "sits in a joint that the robot does not have, or that does not move"},
        Refused{"ft_force", CHANGE(s.force_torques[0].force.deviation = -1), kValue, "of force"},
        Refused{"ft_torque", CHANGE(s.force_torques[0].torque.deviation = -1), kValue, "of torque"},
        Refused{"ft_latency", CHANGE(s.force_torques[0].latency = -1), kValue, "the latency"},
        Refused{"foot_force", CHANGE(s.feet[0].force.deviation = -1), kValue,
                "foot 'sole': the deviation of force"},
        Refused{"foot_torque", CHANGE(s.feet[0].torque.bias.x = kNaN), kValue, "bias of torque"},
        Refused{"foot_on", CHANGE(s.feet[0].on_time = -1), kValue, "the on time is -1"},
        Refused{"foot_off", CHANGE(s.feet[0].off_time = -1), kValue, "the off time is -1"},
        Refused{"foot_latency", CHANGE(s.feet[0].latency = -1), kValue, "the latency is -1"}),
    kRowName);

INSTANTIATE_TEST_SUITE_P(
    Bench, PlantRefusal,
    testing::Values(
        Refused {
          "keyframes",
              CHANGE(for (int k = 0; k < kMaxKeyframes; ++k) s.keyframes.push_back(s.keyframes[0])),
              kCapacity, "keyframes: there are 33"
        },
        Refused{"keyframe_name", CHANGE(s.keyframes[0].name = ""), kStructure,
                "keyframe 0: has no name"},
        Refused{"keyframe_twice", CHANGE(s.keyframes.push_back(s.keyframes[0])), kStructure,
                "keyframe 'start': is there twice"},
        Refused{"keyframe_root", CHANGE(s.keyframes[0].snapshot.mode.root = BodyId(7)), kStructure,
                "keyframe 'start': is of another robot"},
        Refused{"keyframe_foot", CHANGE(s.keyframes[0].snapshot.mode.root_foot = 1), kStructure,
                "is of another robot"},
        Refused{"keyframe_nan", CHANGE(s.keyframes[0].snapshot.state.q[7] = kNaN), kValue,
                "has a number that is not finite"},
        Refused {
          "pushes",
              CHANGE(for (int k = 0; k < kMaxWrenches; ++k) s.wrenches.push_back(s.wrenches[0])),
              kCapacity, "pushes: there are 17"
        },
        Refused{"push_link", CHANGE(s.wrenches[0].frame = FrameId()), kStructure,
                "push 0: pushes a link that the robot does not have"},
        Refused{"push_force", CHANGE(s.wrenches[0].force_W.x = kNaN), kValue,
                "point, force or torque is not finite"},
        Refused{"push_start", CHANGE(s.wrenches[0].start = -1), kValue, "the start is -1"},
        Refused{"push_duration", CHANGE(s.wrenches[0].duration = kInfinity), kValue,
                "the duration is inf"},
        Refused{"push_ramp", CHANGE(s.wrenches[0].ramp = 0.6), kValue,
                "the ramp is longer than half the duration"}),
    kRowName);

TEST(PlantSettings, DrivenJointsByName) {
  Description robot = leg();
  robot.links.push_back(link("follower", 1, {0, 0, -0.1}, {0.01, 0.01, 0.01}));
  robot.links.push_back(link("tail", 1, {0, 0, -0.1}, {0.01, 0.01, 0.01}));
  robot.joints.push_back(joint("gear", JointType::kRevolute, "shin", "follower"));
  robot.joints.back().mimic = MimicDescription{"knee", 2, 0};
  robot.joints.push_back(joint("wag", JointType::kBall, "trunk", "tail"));
  const auto model = std::make_unique<Model>(*build_model(robot));
  const auto plant = make_plant(*model, {}, {});
  const auto knee = plant->find_driven_joint("knee");
  ASSERT_TRUE(knee);
  EXPECT_EQ(*knee, find_joint(*model, "knee"));
  EXPECT_TRUE(plant->is_driven(*knee));
  const auto refused = [&](const char* name, ErrorCode code, const char* text) {
    const auto joint = plant->find_driven_joint(name);
    ASSERT_FALSE(joint);
    EXPECT_EQ(joint.error().code, code);
    EXPECT_EQ(joint.error().text(), text);
  };
  refused("nee", ErrorCode::kStructure,
          "joint 'nee': the robot has no such joint, or it is fixed; check the name");
  refused("gear", ErrorCode::kMimic, "joint 'gear': follows 'knee'; drive that one");
  refused("wag", ErrorCode::kUnsupported,
          "joint 'wag': has 3 degrees of freedom; only joints with one can be driven");
}

// A flying robot of point masses has no say about how it turns: better now than at the first step.
TEST(PlantSettings, RefusesWhatCannotMove) {
  const auto model = compass();
  PlantSettings settings;
  settings.imus = {{"imu", FrameId(0)}};
  const auto plant = Plant::make(*model, {}, settings);
  ASSERT_FALSE(plant);
  EXPECT_EQ(plant.error().code, ErrorCode::kInertia);
  EXPECT_EQ(plant.error().text(),
            "plant: does not start: a joint moves no inertia, so its acceleration is not defined");
}

TEST(PlantSettings, NamesOfSensorsFeetAndKeyframes) {
  const auto model = pendulum();
  PlantSettings settings;
  settings.imus = {{"a", FrameId(0)}, {"b", FrameId(1)}};
  settings.force_torques = {{"c", kSwing}, {"d", kSwing}};
  const auto plant = pendulum_plant(*model, 0, 0, settings);
  EXPECT_EQ(plant->find_imu("b"), 1);
  EXPECT_EQ(plant->find_imu("c"), -1);
  EXPECT_EQ(plant->find_force_torque("d"), 1);
  EXPECT_EQ(plant->find_force_torque("a"), -1);
  EXPECT_EQ(plant->find_foot("sole"), 0);
  EXPECT_EQ(plant->find_foot("base"), -1);
  EXPECT_EQ(plant->find_keyframe("start"), 0);
}

// The file's friction acts unless it is switched off; its effort limit acts unless another is given.
TEST(PlantSettings, WhatComesFromTheFile) {
  const auto model = pendulum(2, 0.5, 9.81, 7);
  model->joints[kSwing].friction = 0.3;
  PlantSettings settings;
  EXPECT_EQ(pendulum_plant(*model, 0, 0, settings)->actuator(kSwing).effort_limit, 7);
  EXPECT_EQ(pendulum_plant(*model, 0, 0, settings)->actuator(kSwing).friction, 0.3);
  settings.file_friction = false;
  EXPECT_EQ(pendulum_plant(*model, 0, 0, settings)->actuator(kSwing).friction, 0);
  settings.file_friction = true;
  settings.actuators[kSwing].friction = 0.1;
  settings.actuators[kSwing].effort_limit = kInfinity;
  EXPECT_EQ(pendulum_plant(*model, 0, 0, settings)->actuator(kSwing).friction, 0.1);
  EXPECT_EQ(pendulum_plant(*model, 0, 0, settings)->actuator(kSwing).effort_limit, kInfinity);
}

// The servo's inertia is that of the heavier side: here the trunk's, about the knee.
TEST(PlantSettings, ServoCarriesTheHeavierSide) {
  const auto model = std::make_unique<Model>(*build_model(leg()));
  const auto plant = make_plant(*model, {}, {});
  // about the knee's axis: shin 0.02 + 1 * 0.2²; thigh 0.03 + 2 * 0.2², trunk 0.2 + 5 * 0.5²
  const double shin = 0.06, rest = 0.03 + 0.08 + 0.2 + 1.25;
  EXPECT_GT(rest, shin);
  EXPECT_NEAR(plant->actuator(find_joint(*model, "knee")).servo.kp, 1e4 * rest, 1e-8);
  EXPECT_NEAR(plant->actuator(find_joint(*model, "knee")).servo.kd, 200 * rest, 1e-10);
}

TEST(PlantSettings, SnapshotIsOfModestSize) {
  // not the workspace, not the tree: delay lines are the largest part
  EXPECT_LT(sizeof(PlantSnapshot), 120u * 1024);
}

}  // namespace
}  // namespace stance
