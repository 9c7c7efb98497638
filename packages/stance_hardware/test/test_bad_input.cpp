// What a user gets wrong: a sentence, the right lifecycle state, and nothing lost.
#include <chrono>
#include <filesystem>
#include <fstream>
#include <limits>
#include <thread>

#include "compass_rig.hpp"

namespace stance::test {
namespace {

using lifecycle_msgs::msg::State;

const std::string kCompass = config("compass.yaml");

// Wrong before there is a scenario: the component is not loaded.
TEST(BadInput, IsNotLoaded) {
  struct Case {
    std::string tag, words;
  };
  const std::string tag = full_tag(kCompass);
  const Case cases[] = {
      {replaced(tag, "joint name=\"right_hip\"", "joint name=\"left_knee\""), "left_knee"},
      {replaced(tag, "command_interface name=\"kp\"", "command_interface name=\"torque\""),
       "joint 'right_hip': has no command interface 'torque'; there are position, velocity, "
       "effort, kp "
       "and kd"},
      {replaced(tag, "<param name=\"scenario\">" + kCompass + "</param>", ""),
       "param 'scenario': is missing"},
      {replaced(tag, "type=\"system\"", "type=\"system\" is_async=\"true\""),
       "ros2_control 'stance': is_async would simulate beside the controllers"},
      {replaced(tag, "name=\"scenario\"", "name=\"scenaro\""), "param 'scenaro': is not known"},
      {replaced(tag, "<state_interface name=\"contact\"/>",
                "<state_interface name=\"contact\" data_type=\"bool\"/>"),
       "sensor 'left_foot': interface 'contact' has the data type bool; all are double here, and "
       "truth "
       "is 0 or 1"},
  };
  for (const Case& one : cases) {
    const Log log;
    try {
      const Rig rig(compass_urdf(one.tag), kRate, false);
      EXPECT_FALSE(rig.loaded()) << one.words;
    } catch (const std::exception& error) {  // the framework's own words
      EXPECT_NE(std::string(error.what()).find(one.words), std::string::npos) << error.what();
      continue;
    }
    EXPECT_TRUE(log.has(one.words)) << log.text();
  }
}

// Wrong in the scenario, or beside it: the component stays unconfigured.
TEST(BadInput, StaysUnconfigured) {
  struct Case {
    std::string tag, words;
    unsigned rate = kRate;
  };
  const std::string tag = full_tag(kCompass);
  const Case cases[] = {
      {full_tag("/nowhere/walk.yaml"), "/nowhere/walk.yaml"},
      {replaced(tag, "<param name=\"link\">hip</param>", "<param name=\"link\">torso</param>"),
       "sensor 'imu': link 'torso' is not a link of the robot"},
      {replaced(tag, "sensor name=\"left_foot\"", "sensor name=\"third_foot\""),
       "sensor 'third_foot': link 'third_foot' is not a link of the robot"},
      {replaced(tag, "state_interface name=\"slip\"", "state_interface name=\"slop\""),
       "sensor 'left_foot': has no state interface 'slop'; there are contact, contact_raw, "
       "force.x"},
      {tag,
       "update rate: a period of 0.00142857 s at 700 Hz is not a whole number of the scenario's "
       "steps of 0.001 s; change one of them",
       700},
  };
  for (const Case& one : cases) {
    const Log log;
    Rig rig(compass_urdf(one.tag), one.rate);
    EXPECT_TRUE(rig.loaded()) << one.words;
    EXPECT_EQ(rig.state_id(), State::PRIMARY_STATE_UNCONFIGURED) << one.words;
    EXPECT_TRUE(log.has(one.words)) << log.text();
    EXPECT_TRUE(rig.cycle());  // and does no harm
  }
}

// A scenario that is put right can be loaded without starting anew.
TEST(BadInput, CanBePutRight) {
  namespace fs = std::filesystem;
  const fs::path path = fs::temp_directory_path() / "stance_put_right.yaml";
  fs::remove(path);
  Rig rig(compass_urdf(full_tag(path.string())));
  EXPECT_EQ(rig.state_id(), State::PRIMARY_STATE_UNCONFIGURED);
  std::ifstream good(kCompass);
  std::ofstream(path) << good.rdbuf();
  EXPECT_TRUE(rig.to(State::PRIMARY_STATE_ACTIVE, "active"));
  for (int k = 0; k < 10; ++k) EXPECT_TRUE(rig.cycle());
  fs::remove(path);
}

TEST(BadInput, KpWithoutPositionIsRefused) {
  Rig rig(compass_urdf(full_tag(kCompass)));
  const Log log;
  EXPECT_FALSE(rig.switch_mode({"right_hip/kp"}));
  EXPECT_TRUE(log.has("joint 'right_hip': a controller claims kp without position")) << log.text();
  EXPECT_TRUE(rig.switch_mode({"right_hip/kp", "right_hip/position"}));
}

// The robot goes on with the last good command, and the log says whose was bad.
TEST(BadInput, RefusedCommandsAreNamed) {
  struct Case {
    std::vector<std::string> claimed;  // the last one gets the value
    double value;
    std::string whose;
  };
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  const Case cases[] = {{{"right_hip/effort"}, kInfinity, "joint 'right_hip'"},
                        {{"right_hip/position", "right_hip/kp"}, -1, "joint 'right_hip'"},
                        {{"push_off/impulse"}, -kInfinity, "gpio 'push_off'"},
                        {{"push_off/impulse"}, -0.5, "gpio 'push_off'"}};
  const std::string tag = replaced(
      full_tag(config("compass_powered.yaml")), "</ros2_control>",
      "<gpio name=\"push_off\"><command_interface name=\"impulse\"/></gpio></ros2_control>");
  for (const Case& one : cases) {
    const Log log;
    Rig rig(compass_urdf(tag));
    const std::string words = one.whose +
                              ": a command is infinite, or a gain or an impulse below zero; the "
                              "last good one holds";
    ASSERT_TRUE(rig.switch_mode(one.claimed));
    for (int k = 0; k < 100; ++k) ASSERT_TRUE(rig.cycle());
    EXPECT_FALSE(log.has(words));
    auto command = rig.manager().claim_command_interface(one.claimed.back());
    ASSERT_TRUE(command.set_value(one.value));
    for (int k = 0; k < 5000 && !log.has(words); ++k) {
      ASSERT_TRUE(rig.cycle());
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    EXPECT_TRUE(log.has(words)) << one.claimed.back() << one.value << log.text();
    EXPECT_EQ(rig.state_id(), State::PRIMARY_STATE_ACTIVE);
  }
}

}  // namespace
}  // namespace stance::test
