// The sections keyframes, pushes and plant of a scenario: what is read, and every refusal with its line and key.
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <limits>
#include <numbers>
#include <string>

#include "robot_folders.hpp"
#include "stance_model/load_scenario.hpp"

namespace stance {
namespace {

namespace fs = std::filesystem;

class PlantSection : public testing::Test {
 protected:
  PlantSection()
      : folder_(fs::temp_directory_path() / ("stance_plant_" + std::to_string(getpid()))) {
    fs::create_directories(folder_);
  }
  ~PlantSection() override {
    std::error_code ignored;
    fs::remove_all(folder_, ignored);
  }
  Result<std::unique_ptr<Scenario>> load(const std::string& text) const {
    std::ofstream(folder_ / "walk.yaml", std::ios::binary) << text;
    return load_scenario(folder_ / "walk.yaml");
  }
  fs::path folder_;
};

// Lines are counted by the refusals below.
std::string kneed() {
  return "robot: " + (fs::absolute(own_folder()) / "kneed_biped.urdf").lexically_normal().string() +
         "\n"                                                                           // 1
         "feet: [{link: left_foot, support: pin}, {link: right_foot, support: pin}]\n"  // 2
         "initial: {support: left_foot}\n"                                              // 3
         "integrator: {method: rk4, step: 1 ms}\n"                                      // 4
         "duration: 1 s\n"                                                              // 5
         "keyframes:\n"                                                                 // 6
         "  bent: {support: right_foot, angle: 2 deg, joints: {left_knee: 40 deg}}\n"   // 7
         "  flying: {flight: planar, position: [0, 0, 2], velocity: [1, 0, 0]}\n"       // 8
         "pushes:\n"                                                                    // 9
         "  - {link: hip, point: [0, 0, 10 cm], force: [20 N, 0, 0], torque: [0, 1 N*m, 0],"
         " start: 200 ms, duration: 0.1 s, ramp: 10 ms}\n"  // 10
         "plant:\n"                                         // 11
         "  seed: 7\n"                                      // 12
         "  theta: 0.5\n"                                   // 13
         "  file_friction: yes\n"                           // 14
         "  foot_forces: no\n"                              // 15
         "  actuators:\n"                                   // 16
         "    left_knee: {effort_limit: 20 N*m, stall_effort: 30 N*m, no_load_speed: 10 rad/s,"
         " friction: 0.1 N*m, viscous: 0.2 N*m*s/rad, friction_speed: 2 mrad/s,"
         " armature: 0.01 kg*m^2, delay: 2 ms, servo: {kp: 100 N*m/rad, kd: 2 N*m*s/rad}}\n"  // 17
         "    right_knee: {effort_limit: none, servo: {bandwidth: 50 rad/s}}\n"               // 18
         "  sensors:\n"                                                                       // 19
         "    joints: {left_knee: {position: {bias: 1 deg, deviation: 1 mrad},"
         " velocity: {deviation: 0.1 rad/s}, effort: {bias: -1 N*m}}}\n"                 // 20
         "    joint_latency: 3 ms\n"                                                     // 21
         "    base: {position: {bias: [1 cm, 0, 0], deviation: 1 mm}, latency: 1 ms}\n"  // 22
         "    imus: [{name: imu, link: hip, orientation: {deviation: 1 mrad},"
         " angular_velocity: {bias: [0, 0, 0.1]}, linear_acceleration: {deviation: 0.2},"
         " latency: 4 ms}]\n"  // 23
         "    force_torques: [{name: ankle, joint: left_knee, force: {deviation: 1 N},"
         " torque: {deviation: 0.1 N*m}, latency: 5 ms}]\n"  // 24
         "    feet: [{link: right_foot, on_time: 10 ms, off_time: 20 ms,"
         " force: {deviation: 2 N}, latency: 6 ms}]\n";  // 25
}

TEST_F(PlantSection, IsReadWhole) {
  const auto scenario = load(kneed());
  ASSERT_TRUE(scenario) << scenario.error().text();
  const Model& model = (*scenario)->robot->model;
  const PlantSettings& p = (*scenario)->plant;
  const JointId left = find_joint(model, "left_knee"), right = find_joint(model, "right_knee");
  EXPECT_EQ(p.seed, 7U);
  EXPECT_EQ(p.theta, 0.5);
  EXPECT_TRUE(p.file_friction);
  EXPECT_FALSE(p.foot_forces);
  const Actuator& a = p.actuators[left];
  EXPECT_EQ(a.effort_limit, 20);
  EXPECT_EQ(a.stall_effort, 30);
  EXPECT_EQ(a.no_load_speed, 10);
  EXPECT_EQ(a.friction, 0.1);
  EXPECT_EQ(a.viscous, 0.2);
  EXPECT_DOUBLE_EQ(a.friction_speed, 2e-3);
  EXPECT_EQ(a.armature, 0.01);
  EXPECT_DOUBLE_EQ(a.delay, 2e-3);
  EXPECT_EQ(a.servo.kp, 100);
  EXPECT_EQ(a.servo.kd, 2);
  EXPECT_EQ(p.actuators[right].effort_limit, std::numeric_limits<double>::infinity());
  EXPECT_EQ(p.actuators[right].servo.bandwidth, 50);
  EXPECT_DOUBLE_EQ(p.joint_sensors[left].position.bias, std::numbers::pi / 180);
  EXPECT_DOUBLE_EQ(p.joint_sensors[left].position.deviation, 1e-3);
  EXPECT_EQ(p.joint_sensors[left].velocity.deviation, 0.1);
  EXPECT_EQ(p.joint_sensors[left].effort.bias, -1);
  EXPECT_DOUBLE_EQ(p.joint_latency, 3e-3);
  EXPECT_DOUBLE_EQ(p.base.position.bias.x, 0.01);
  EXPECT_DOUBLE_EQ(p.base.position.deviation, 1e-3);
  EXPECT_DOUBLE_EQ(p.base.latency, 1e-3);
  ASSERT_EQ(p.imus.size(), 1U);
  EXPECT_EQ(p.imus[0].name, "imu");
  EXPECT_EQ(p.imus[0].frame, find_frame(model, "hip"));
  EXPECT_EQ(p.imus[0].angular_velocity.bias.z, 0.1);
  EXPECT_EQ(p.imus[0].linear_acceleration.deviation, 0.2);
  ASSERT_EQ(p.force_torques.size(), 1U);
  EXPECT_EQ(p.force_torques[0].joint, left);
  EXPECT_EQ(p.force_torques[0].torque.deviation, 0.1);
  EXPECT_EQ(p.feet[0].on_time, 0);
  EXPECT_DOUBLE_EQ(p.feet[1].on_time, 0.01);
  EXPECT_DOUBLE_EQ(p.feet[1].off_time, 0.02);
  EXPECT_EQ(p.feet[1].force.deviation, 2);
  ASSERT_EQ(p.wrenches.size(), 1U);
  EXPECT_EQ(p.wrenches[0].frame, find_frame(model, "hip"));
  EXPECT_DOUBLE_EQ(p.wrenches[0].point_F.z, 0.1);
  EXPECT_EQ(p.wrenches[0].force_W.x, 20);
  EXPECT_EQ(p.wrenches[0].torque_W.y, 1);
  EXPECT_DOUBLE_EQ(p.wrenches[0].start, 0.2);
  EXPECT_EQ(p.wrenches[0].duration, 0.1);
  EXPECT_DOUBLE_EQ(p.wrenches[0].ramp, 0.01);
}

TEST_F(PlantSection, KeyframesAreStates) {
  const auto scenario = load(kneed());
  ASSERT_TRUE(scenario) << scenario.error().text();
  const Model& model = (*scenario)->robot->model;
  auto made = Plant::make(model, (*scenario)->settings, (*scenario)->plant);
  ASSERT_TRUE(made) << made.error().text();
  Plant& plant = **made;
  EXPECT_EQ(plant.find_keyframe("initial"), 0);
  EXPECT_EQ(plant.simulator().support_foot(), 0);
  ASSERT_EQ(plant.reset(plant.find_keyframe("bent")), Status::kOk);
  EXPECT_EQ(plant.simulator().support_foot(), 1);
  const JointId knee = find_joint(model, "left_knee");
  EXPECT_DOUBLE_EQ(
      plant.simulator().state().q[static_cast<std::size_t>(model.joints[knee].q_index)],
      std::numbers::pi * 40 / 180);
  ASSERT_EQ(plant.reset(plant.find_keyframe("flying")), Status::kOk);
  EXPECT_EQ(plant.simulator().support_foot(), -1);
  EXPECT_EQ(plant.step(100), Status::kOk);
}

// Without these sections a plant starts where the scenario does and changes nothing.
TEST_F(PlantSection, LeftOut) {
  const std::string text = kneed();
  const auto scenario = load(text.substr(0, text.find("keyframes:")));
  ASSERT_TRUE(scenario) << scenario.error().text();
  const PlantSettings& p = (*scenario)->plant;
  EXPECT_EQ(p.keyframes.size(), 1U);
  EXPECT_TRUE(p.wrenches.empty());
  auto made = Plant::make((*scenario)->robot->model, (*scenario)->settings, p);
  ASSERT_TRUE(made) << made.error().text();
  const auto simulator = std::make_unique<Simulator>((*scenario)->robot->model,
                                                     (*scenario)->settings);
  ASSERT_EQ(start(**scenario, *simulator), Status::kOk);
  for (int k = 0; k < 300; ++k) {
    ASSERT_EQ(simulator->step({}), Status::kOk);
    ASSERT_EQ((*made)->step(), Status::kOk);
    ASSERT_EQ((*made)->simulator().hash(), simulator->hash()) << k;
  }
}

struct Refused {
  const char* name;
  const char* from;
  const char* to;
  ErrorCode code;
  int line;
  const char* part;
};
std::ostream& operator<<(std::ostream& out, const Refused& refused) { return out << refused.name; }

class PlantSectionRefusal : public PlantSection, public testing::WithParamInterface<Refused> {};

TEST_P(PlantSectionRefusal, SaysWhereAndWhat) {
  const Refused& refused = GetParam();
  std::string text = kneed();
  const auto at = text.find(refused.from);
  ASSERT_NE(at, text.npos);
  const auto scenario = load(text.replace(at, std::string(refused.from).size(), refused.to));
  ASSERT_FALSE(scenario);
  const Error& error = scenario.error();
  EXPECT_EQ(error.code, refused.code) << error.text();
  const std::string place = (folder_ / "walk.yaml").string() + ':' + std::to_string(refused.line) +
                            ':';
  EXPECT_EQ(error.element.substr(0, place.size()), place) << error.text();
  EXPECT_NE(error.message.find(refused.part), std::string::npos) << error.text();
}

constexpr auto kStructure = ErrorCode::kStructure;
constexpr auto kValue = ErrorCode::kValue;
const auto kRowName = [](const auto& row) { return std::string(row.param.name); };

INSTANTIATE_TEST_SUITE_P(
    Bench, PlantSectionRefusal,
    testing::Values(
        Refused{"keyframe_initial", "bent:", "initial:", kStructure, 7,
                "keyframes.initial has the name of the initial state"},
        Refused{"keyframe_strike", "angle: 2 deg", "strike: left_foot", kStructure, 7,
                "keyframes.bent.strike means nothing in a keyframe; remove it"},
        Refused{"keyframe_limits", "40 deg", "-40 deg", ErrorCode::kLimits, 7,
                "keyframes.bent.joints.left_knee puts the joint 'left_knee' at -0.698132"},
        Refused{"keyframe_twice", "flying:", "bent:", kStructure, 8,
                "keyframes.bent is given twice"},
        Refused{"keyframe_nothing", "{flight: planar, position: [0, 0, 2], velocity: [1, 0, 0]}",
                "{angle: 1}", kStructure, 8, "lacks the key 'support' (or 'stand', or 'flight')"},
        Refused{"push_link", "link: hip, point", "link: hipp, point", kStructure, 10,
                "pushes[0].link is 'hipp', and the robot has no such link; did you mean 'hip'?"},
        Refused{"push_nothing", "force: [20 N, 0, 0], torque: [0, 1 N*m, 0],", "", kStructure, 10,
                "pushes[0] lacks the key 'force' (or 'torque')"},
        Refused{"push_unit", "20 N,", "20 N*m,", kValue, 10,
                "pushes[0].force[0] takes a force, and '20 N*m' is a torque"},
        Refused{"push_start", "200 ms", "-200 ms", kValue, 10, "pushes[0].start is below zero"},
        Refused{"push_duration", "duration: 0.1 s", "duration: 0 s", kValue, 10,
                "pushes[0].duration is '0 s'; it must be above zero"},
        Refused{"push_endless", " duration: 0.1 s,", "", kStructure, 10,
                "pushes[0] lacks the key 'duration'; add duration: 0.1 s"},
        Refused{"push_ramp", "ramp: 10 ms", "ramp: 60 ms", kValue, 10,
                "pushes[0].ramp is longer than half the duration"},
        Refused{"push_negative_ramp", "ramp: 10 ms", "ramp: -1 ms", kValue, 10,
                "pushes[0].ramp is below zero"}),
    kRowName);

INSTANTIATE_TEST_SUITE_P(
    Settings, PlantSectionRefusal,
    testing::Values(
        Refused{"seed", "seed: 7", "seed: 0.5", kValue, 12, "plant.seed must be a whole number"},
        Refused{"theta", "theta: 0.5", "theta: 0.4", kValue, 13,
                "plant.theta must be from 0.5 to 1"},
        Refused{"friction_word", "file_friction: yes", "file_friction: maybe", kValue, 14,
                "plant.file_friction is 'maybe'; it can be yes, no"},
        Refused{"unknown", "theta: 0.5", "thta: 0.5", kStructure, 13,
                "unknown key 'thta' in plant; did you mean 'theta'?"},
        Refused{"actuator_joint", "    left_knee: {effort", "    left_kne: {effort", kStructure, 17,
                "no such joint; did you mean 'left_knee'?"},
        Refused{"limit", "effort_limit: 20 N*m", "effort_limit: -20 N*m", kValue, 17,
                "plant.actuators.left_knee.effort_limit is below zero"},
        Refused{"half_a_line", "no_load_speed: 10 rad/s,", "", kStructure, 17,
                "make the motor's line together; give both"},
        Refused{"stall", "stall_effort: 30 N*m", "stall_effort: 0 N*m", kValue, 17,
                "stall_effort is '0 N*m'; it must be above zero"},
        Refused{"speed", "10 rad/s", "10 m/s", kValue, 17,
                "no_load_speed takes an angular rate, and '10 m/s' is a speed"},
        Refused{"armature", "0.01 kg*m^2", "0.01 kg", kValue, 17,
                "armature takes a moment of inertia, and '0.01 kg' is a mass"},
        Refused{"delay", "delay: 2 ms", "delay: -2 ms", kValue, 17, "delay is below zero"},
        Refused{"servo", "kp: 100 N*m/rad, ", "", kStructure, 17,
                "plant.actuators.left_knee.servo takes either 'bandwidth' or both 'kp' and 'kd'"},
        Refused{"servo_both", "bandwidth: 50 rad/s", "bandwidth: 50 rad/s, kp: 1, kd: 1",
                kStructure, 18, "takes either 'bandwidth' or both"},
        Refused{"deviation", "deviation: 1 mrad}, velocity", "deviation: -1 mrad}, velocity",
                kValue, 20, "plant.sensors.joints.left_knee.position.deviation is below zero"},
        Refused{"bias", "bias: [1 cm, 0, 0]", "bias: 1 cm", kStructure, 22,
                "plant.sensors.base.position.bias is a single value; give three values"},
        Refused{"latency", "latency: 1 ms}", "latency: 1 m}", kValue, 22, "takes a time"},
        Refused{"imu_name", "name: imu, ", "", kStructure, 23,
                "plant.sensors.imus[0] lacks the key 'name'; add name: imu"},
        Refused{"imu_link", "link: hip, orient", "link: hop, orient", kStructure, 23,
                "the robot has no such link; did you mean 'hip'?"},
        Refused{"ft_joint", "joint: left_knee, force", "joint: left_foot_fixed, force", kStructure,
                24, "which is fixed and does not move"},
        Refused{"foot", "link: right_foot, on", "link: hip, on", kStructure, 25,
                "not among the feet"},
        Refused{"whole", "latency: 6 ms", "latency: 60 s", ErrorCode::kCapacity, 12,
                "plant cannot be used: plant: delays and latencies need room"}),
    kRowName);

}  // namespace
}  // namespace stance
