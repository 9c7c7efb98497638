// From names to a plant: what a <ros2_control> tag asks for, checked against robot and scenario, as ids and addresses.
//
// Nothing here knows ROS: the tag comes as plain names, and what goes back is a plant, where each state interface lies in
// its readings, and which number of which joint's command each command interface is.
//
//   <joint>   commands position, velocity, effort, kp, kd (or proportional, derivative); states position, velocity, effort
//   <sensor>  with <param name="type">:
//     imu           <param name="link">, or the scenario's IMU of that name
//     force_torque  <param name="joint">, or the scenario's sensor of that name
//     foot          <param name="link">, else the sensor's name: a foot of the scenario
//     base          the root link in the world
//   <gpio name="push_off">  command impulse
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "stance_core/plant/plant.hpp"
#include "stance_model/scenario.hpp"

namespace stance {

// A joint, sensor or gpio of the tag.
struct TagComponent {
  std::string name;
  std::vector<std::string> commands, states;
  std::map<std::string, std::string> parameters;
  std::map<std::string, std::string> initial_values{};  // of states, as the tag has them
};

struct HardwareTag {
  std::vector<TagComponent> joints, sensors, gpios;
};

// "hip/position", and where it goes. A joint that is not valid: the push-off.
struct CommandPort {
  std::string name;
  JointId joint;
  CommandSet bit = kNoCommand;
  double Command::*member = nullptr;
};

// "hip/position", and where it lies.
struct StatePort {
  std::string name;
  const double* source = nullptr;
};

struct Wiring {
  std::unique_ptr<Plant> plant;
  std::vector<ContactEvent> opening;  // what led to the initial state: LockStep sends it first
  std::vector<CommandPort> commands;  // in the order of the tag, joints before gpios
  std::vector<StatePort> states;      // in the order of the tag, joints before sensors
  std::vector<std::string> remarks;   // what of the tag is not used
};

// Can be checked before there is a scenario: joints, and the names of interfaces.
Result<std::vector<CommandPort>> find_commands(const HardwareTag& tag, const Model& model);

// Everything. The plant starts in the scenario's keyframe of this name; empty: as the scenario starts. What the tag says of
// initial values must be what the joints then are: there is one place that says how a robot starts.
Result<Wiring> wire(const HardwareTag& tag, const Scenario& scenario,
                    const std::string& keyframe = {});

// The <param>s of the tag's <hardware>.
struct HardwareSettings {
  std::filesystem::path scenario;
  double update_rate = 0;       // Hz, of the controller; 0: ask the controller manager
  bool clock = false;           // publish /clock
  double real_time_factor = 1;  // of /clock and of a read that waits; 0: as fast as it goes
  bool blocking_read = false;   // read waits for its time, for a controller manager that does not
  double status_rate = 10;      // Hz
  bool lenient = false;         // of the robot: LoadOptions
  double min_armature = 0;      // kg m²; of joints that move no inertia
  bool start_paused = false;    // until every joint that takes commands has a controller
  std::string keyframe;         // of the scenario, to start in; empty: its initial state
};

// A word that is not known is an error: it would be without effect, and nobody would notice.
Result<HardwareSettings> read_settings(const std::map<std::string, std::string>& parameters);

// Sub-steps in a cycle of a controller that runs at `rate` Hz: they must fill it.
Result<int> sub_steps_per_cycle(double rate, double step);

}  // namespace stance
