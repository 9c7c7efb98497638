// The shell costs little beside the core's own step: handles, two looks at the clock, and the rings.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <fstream>

#include "bare_component.hpp"
#include "read_tag.hpp"
#include "stance_model/load_scenario.hpp"
#include "stance_model/wiring.hpp"

namespace stance::test {
namespace {

using hardware_interface::return_type;

constexpr double kEffort = 1e-6;  // N m: nothing comes of it

// Times of a batch of cycles, the least of many: what the machine does besides is not ours.
template <class Cycle>
double least_time(const Cycle& cycle) {
  double least = 1e9;
  for (int batch = 0; batch < 60; ++batch) {
    const auto start = std::chrono::steady_clock::now();
    for (int k = 0; k < 100; ++k) cycle();
    const std::chrono::duration<double> time = std::chrono::steady_clock::now() - start;
    least = std::min(least, time.count() / 100);
  }
  return least;
}

// Time of read and write to that of the commands and the step alone, with the same sensors. Every joint's effort is
// commanded.
double ratio(const std::string& urdf, const std::string& file, double enough) {
  BareComponent component(urdf);
  const rclcpp::Time time(0, 0, RCL_STEADY_TIME);
  const rclcpp::Duration period(0, 1'000'000);
  const auto scenario = load_scenario(file, urdf);
  const auto tag = read_tag(hardware_interface::parse_control_resources_from_urdf(urdf)[0]);
  auto wiring = wire(*tag, **scenario);
  EXPECT_TRUE(wiring) << wiring.error().text();
  Plant& plant = *wiring->plant;
  std::vector<std::string> efforts;
  std::vector<JointId> joints;
  for (const CommandPort& port : wiring->commands) {
    if (port.bit != kEffortCommand) continue;
    efforts.push_back(port.name);
    joints.push_back(port.joint);
    EXPECT_EQ(plant.switch_commands(port.joint, kEffortCommand), Status::kOk);
  }
  EXPECT_EQ(component->prepare_command_mode_switch(efforts, {}), return_type::OK);
  EXPECT_EQ(component->perform_command_mode_switch(efforts, {}), return_type::OK);
  component.command(efforts, kEffort);
  int bad = 0;
  double shell = 1e9, core = 1e9;
  // the least of both falls towards what they cost on an idle machine
  for (int round = 0; round < 3 || (round < 30 && shell > enough * core); ++round) {
    core = std::min(core, least_time([&] {
                      for (const JointId joint : joints)
                        bad += plant.write(joint, {.effort = kEffort}) != Status::kOk;
                      bad += plant.step(1) != Status::kOk;
                    }));
    shell = std::min(shell, least_time([&] {
                       bad += component->read(time, period) != return_type::OK;
                       bad += component->write(time, period) != return_type::OK;
                     }));
  }
  EXPECT_EQ(bad, 0);
  std::printf("%s: core %.2f us, shell %.2f us for %zu states and %zu commands, ratio %.3f\n",
              (*scenario)->title.c_str(), 1e6 * core, 1e6 * shell, component.state_count(),
              efforts.size(), shell / core);
  return shell / core;
}

// A quadruped that swings its legs in the void, with every interface of twelve joints, and an IMU.
TEST(ShellTime, OfAQuadrupedIsWithinAFifth) {
  namespace fs = std::filesystem;
  const auto robot = load_robot(STANCE_URDF_FOLDER "/quadruped.urdf");
  ASSERT_TRUE(robot) << robot.error().text();
  const Model& model = (*robot)->model;
  const fs::path file = fs::temp_directory_path() / "stance_shell_time.yaml";
  std::string yaml = "title: Quadruped\nrobot: quadruped.urdf\ngravity: 0\nduration: 1 s\nfeet:\n";
  for (const char* foot : {"lf_foot", "rf_foot", "lh_foot", "rh_foot"})
    yaml += std::string("  - {link: ") + foot + ", support: ball}\n";
  yaml +=
      "initial:\n  flight: free\n  position: [0, 0, 1000]\n  angular_velocity: [0.1, 0.2, 0.3]\n  "
      "joints:\n";
  std::string tag = replaced(full_tag(file.string()), "</hardware>", "</hardware><!--");
  tag = tag.substr(0, tag.find("<!--"));
  for (int i = 1; i < model.body_count; ++i) {
    const std::string name(model.joints[i].name.view());
    yaml += "    " + name + ": {position: " +
            std::to_string(
                std::clamp(0.0, model.joints[i].limits.lower, model.joints[i].limits.upper)) +
            ", velocity: 0.01}\n";
    tag += "<joint name=\"" + name +
           "\"><command_interface name=\"effort\"/>"
           "<state_interface name=\"position\"/><state_interface name=\"velocity\"/>"
           "<state_interface name=\"effort\"/></joint>";
  }
  tag += "<sensor name=\"imu\"><param name=\"type\">imu</param><param name=\"link\">" +
         std::string(model.frames[model.bodies[0].link].name.view()) + "</param>" +
         vector_of("angular_velocity") + vector_of("linear_acceleration") +
         "</sensor></ros2_control>";
  std::ofstream(file) << yaml;
  std::ifstream urdf(STANCE_URDF_FOLDER "/quadruped.urdf");
  std::string xml{std::istreambuf_iterator<char>(urdf), {}};
  EXPECT_LE(ratio(xml.insert(xml.rfind("</robot>"), tag), file, 1.2), 1.2);
  fs::remove(file);
}

// Nothing is smaller than a compass: two bodies, and 44 numbers to hand over.
TEST(ShellTime, OfACompassIsWithinAThird) {
  EXPECT_LE(ratio(compass_urdf(full_tag(config("compass.yaml"))), config("compass.yaml"), 1.2),
            1.33);
}

}  // namespace
}  // namespace stance::test
