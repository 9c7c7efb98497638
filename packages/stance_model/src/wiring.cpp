#include "stance_model/wiring.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <locale>
#include <sstream>
#include <utility>

#include "refusal.hpp"

namespace stance {
namespace {

using Source = std::pair<std::string, const double*>;
using Sources = std::vector<Source>;

// NaN: the text is none.
double number(const std::string& text) {
  std::istringstream stream(text);
  stream.imbue(std::locale::classic());
  double value = 0;
  if (!(stream >> value) || !(stream >> std::ws).eof()) return std::nan("");
  return value;
}

std::string list(const Sources& sources) {
  std::vector<std::string_view> names;
  for (const auto& source : sources) names.emplace_back(source.first);
  return fmt::format("{}", fmt::join(names, ", "));
}

// ---- what there is

struct CommandName {
  const char* name;
  CommandSet bit;
  double Command::*member;
};
constexpr CommandName kCommands[] = {
    {"position", kPositionCommand, &Command::position},
    {"velocity", kVelocityCommand, &Command::velocity},
    {"effort", kEffortCommand, &Command::effort},
    {"kp", kKpCommand, &Command::kp},
    {"kd", kKdCommand, &Command::kd},
    {"proportional", kKpCommand, &Command::kp},  // as hardware_interface_type_values.hpp has them
    {"derivative", kKdCommand, &Command::kd},
};

void add(Sources& to, const std::string& prefix, const Vec3<double>& v) {
  to.insert(to.end(), {{prefix + ".x", &v.x}, {prefix + ".y", &v.y}, {prefix + ".z", &v.z}});
}
void add(Sources& to, const std::string& prefix, const Quaternion& q) {
  to.insert(
      to.end(),
      {{prefix + ".x", &q.x}, {prefix + ".y", &q.y}, {prefix + ".z", &q.z}, {prefix + ".w", &q.w}});
}

Sources sources(const JointReading& r) {
  return {{"position", &r.position}, {"velocity", &r.velocity}, {"effort", &r.effort}};
}
Sources sources(const ImuReading& r) {
  Sources all;
  add(all, "orientation", r.orientation);
  add(all, "angular_velocity", r.angular_velocity);
  add(all, "linear_acceleration", r.linear_acceleration);
  return all;
}
Sources sources(const ForceTorqueReading& r) {
  Sources all;
  add(all, "force", r.force);
  add(all, "torque", r.torque);
  return all;
}
Sources sources(const FootReading& r) {
  Sources all = {{"contact", &r.contact}, {"contact_raw", &r.contact_raw}};
  add(all, "force", r.force);
  add(all, "torque", r.torque);
  add(all, "force_now", r.force_now);
  all.insert(all.end(), {{"slip", &r.slip}, {"support", &r.support}});
  add(all, "position", r.position);
  add(all, "orientation", r.orientation);
  add(all, "linear_velocity", r.linear_velocity);
  add(all, "angular_velocity", r.angular_velocity);
  add(all, "normal", r.normal);
  return all;
}
Sources sources(const BaseReading& r) {
  Sources all;
  add(all, "position", r.position);
  add(all, "orientation", r.orientation);
  add(all, "linear_velocity", r.linear_velocity);
  add(all, "angular_velocity", r.angular_velocity);
  return all;
}

// ---- joints

JointId require_joint(const Model& model, const TagComponent& component) {
  const std::string element = fmt::format("joint '{}'", component.name);
  const JointId joint = find_joint(model, component.name);
  if (!joint.valid()) {
    refuse(
        ErrorCode::kStructure, element,
        "is in the <ros2_control> tag, but the robot has no joint of this name that moves; correct "
        "the name, or take it out of the tag");
  }
  if (dof_count(model.joints[joint].kind) != 1) {
    refuse(
        ErrorCode::kUnsupported, element,
        "has more than one degree of freedom, which interfaces of ros2_control cannot carry; take "
        "it out of the tag");
  }
  return joint;
}

bool is_mimic(const Model& model, JointId joint) {
  for (int k = 0; k < model.mimic_count; ++k)
    if (model.mimics[k].joint == joint) return true;
  return false;
}

void add_joint_commands(const Model& model, const TagComponent& component,
                        std::vector<CommandPort>& ports) {
  const std::string element = fmt::format("joint '{}'", component.name);
  const JointId joint = require_joint(model, component);
  if (!component.commands.empty() && is_mimic(model, joint)) {
    refuse(ErrorCode::kMimic, element,
           "follows another joint and takes no commands; command the joint it follows");
  }
  CommandSet seen = kNoCommand;
  for (const std::string& name : component.commands) {
    const auto* known = std::find_if(std::begin(kCommands), std::end(kCommands),
                                     [&](const CommandName& c) { return name == c.name; });
    if (known == std::end(kCommands)) {
      refuse(
          ErrorCode::kStructure, element,
          fmt::format("has no command interface '{}'; there are position, velocity, effort, kp and "
                      "kd",
                      name));
    }
    if ((seen & known->bit) != 0) {
      refuse(ErrorCode::kStructure, element,
             fmt::format("has the command interface '{}' twice", name));
    }
    seen = static_cast<CommandSet>(seen | known->bit);
    ports.push_back({component.name + "/" + name, joint, known->bit, known->member});
  }
}

void add_gpio_commands(const TagComponent& component, std::vector<CommandPort>& ports) {
  const bool known = component.name == "push_off" && component.states.empty() &&
                     component.commands == std::vector<std::string>{"impulse"};
  if (!known) {
    refuse(ErrorCode::kUnsupported, fmt::format("gpio '{}'", component.name),
           "is not known; the only one is 'push_off', with the command interface 'impulse'");
  }
  ports.push_back({"push_off/impulse", {}, kNoCommand, nullptr});
}

// ---- sensors

const std::string* find(const TagComponent& component, const char* parameter) {
  const auto found = component.parameters.find(parameter);
  return found == component.parameters.end() ? nullptr : &found->second;
}

std::string type_of(const TagComponent& sensor) {
  const std::string element = fmt::format("sensor '{}'", sensor.name);
  constexpr const char* kTypes = "imu, force_torque, foot or base";
  const std::string* type = find(sensor, "type");
  if (type == nullptr) {
    refuse(
        ErrorCode::kStructure, element,
        fmt::format("does not say what it is; give it <param name=\"type\">, which is {}", kTypes));
  }
  for (const char* known : {"imu", "force_torque", "foot", "base"})
    if (*type == known) return *type;
  refuse(ErrorCode::kStructure, element, fmt::format("type '{}' is not {}", *type, kTypes));
}

// A sensor that the scenario does not have already. What the tag says of a place must not differ from the scenario.
template <class Settings, class Id, class FindId>
void place(const TagComponent& sensor, const char* parameter, const char* missing,
           std::vector<Settings>& all, Id Settings::*where, const FindId& find_id) {
  const std::string element = fmt::format("sensor '{}'", sensor.name);
  const auto known = std::find_if(all.begin(), all.end(),
                                  [&](const Settings& s) { return s.name == sensor.name; });
  const std::string* name = find(sensor, parameter);
  if (name == nullptr) {
    if (known != all.end()) return;
    refuse(ErrorCode::kStructure, element,
           fmt::format("does not say where it sits; give it <param name=\"{}\">", parameter));
  }
  const Id id = find_id(*name);
  if (!id.valid())
    refuse(ErrorCode::kStructure, element, fmt::format("{} '{}' {}", parameter, *name, missing));
  if (known == all.end()) {
    all.emplace_back();
    all.back().name = sensor.name;
    all.back().*where = id;
  } else if ((*known).*where != id) {
    refuse(ErrorCode::kStructure, element,
           fmt::format("{} '{}' is not where the scenario has this sensor; say it once", parameter,
                       *name));
  }
}

void place_sensor(const TagComponent& sensor, const Model& model, PlantSettings& settings) {
  const std::string type = type_of(sensor);
  if (type == "imu") {
    place(sensor, "link", "is not a link of the robot", settings.imus, &ImuSettings::frame,
          [&](const std::string& name) { return find_frame(model, name); });
  } else if (type == "force_torque") {
    place(sensor, "joint", "is not a joint of the robot that moves", settings.force_torques,
          &ForceTorqueSettings::joint,
          [&](const std::string& name) { return find_joint(model, name); });
  }
}

int require_foot(const TagComponent& sensor, const Plant& plant) {
  const std::string* link = find(sensor, "link");
  const std::string& name = link != nullptr ? *link : sensor.name;
  const int foot = plant.find_foot(name);
  if (foot >= 0) return foot;
  const bool exists = find_frame(plant.model(), name).valid();
  refuse(ErrorCode::kStructure, fmt::format("sensor '{}'", sensor.name),
         exists
             ? fmt::format("link '{}' is not among the scenario's feet; add it there", name)
             : fmt::format("link '{}' is not a link of the robot; name a foot of the scenario in "
                           "<param name=\"link\">",
                           name));
}

Sources sensor_sources(const TagComponent& sensor, const Plant& plant) {
  const std::string type = type_of(sensor);
  if (type == "imu") return sources(plant.imu(plant.find_imu(sensor.name)));
  if (type == "force_torque")
    return sources(plant.force_torque(plant.find_force_torque(sensor.name)));
  if (type == "foot") return sources(plant.foot(require_foot(sensor, plant)));
  return sources(plant.base());
}

// ---- states

void add_states(const std::string& element, const TagComponent& component, const Sources& known,
                std::vector<StatePort>& ports) {
  for (const std::string& name : component.states) {
    const auto found = std::find_if(known.begin(), known.end(),
                                    [&](const Source& source) { return source.first == name; });
    if (found == known.end()) {
      refuse(ErrorCode::kStructure, element,
             fmt::format("has no state interface '{}'; there are {}", name, list(known)));
    }
    ports.push_back({component.name + "/" + name, found->second});
  }
}

// An initial value that the tag gives a state, against what it is.
void check_initial_values(const std::string& element, const TagComponent& component,
                          const Sources& known) {
  constexpr double kTolerance = 1e-6;  // of numbers that people write
  for (const auto& [name, text] : component.initial_values) {
    const auto found = std::find_if(known.begin(), known.end(),
                                    [&](const Source& source) { return source.first == name; });
    if (found == known.end() || std::abs(*found->second - number(text)) <= kTolerance) continue;
    refuse(ErrorCode::kValue, element,
           fmt::format("has the initial_value '{}' of {}, and the scenario starts it at {:g}; the "
                       "scenario says how the robot starts (initial, or a keyframe and <param "
                       "name=\"keyframe\">): change it there, or take the value out",
                       text, name, *found->second));
  }
}

std::vector<CommandPort> commands_of(const HardwareTag& tag, const Model& model) {
  std::vector<CommandPort> ports;
  for (const TagComponent& joint : tag.joints) add_joint_commands(model, joint, ports);
  for (const TagComponent& gpio : tag.gpios) add_gpio_commands(gpio, ports);
  return ports;
}

// The scenario's plant in its initial state, with the tag's sensors.
void make_wired_plant(const HardwareTag& tag, const Scenario& scenario, Wiring& wiring) {
  const Model& model = scenario.robot->model;
  PlantSettings settings = scenario.plant;
  for (const TagComponent& sensor : tag.sensors) place_sensor(sensor, model, settings);
  auto started = make_plant(scenario, std::move(settings));
  if (!started) throw Refusal{started.error()};
  wiring.plant = std::move(started->plant);
  wiring.opening = std::move(started->opening);
}

void start_in(const std::string& keyframe, Plant& plant) {
  const int index = plant.find_keyframe(keyframe);
  if (index < 0) {
    std::vector<std::string_view> names;
    for (const Keyframe& known : plant.settings().keyframes) names.emplace_back(known.name);
    refuse(ErrorCode::kStructure, "param 'keyframe'",
           fmt::format("is '{}', which the scenario does not have; there are {}", keyframe,
                       fmt::join(names, ", ")));
  }
  if (index == 0) return;  // it is there
  if (const Status status = plant.reset(index); status != Status::kOk) {
    refuse(ErrorCode::kValue, fmt::format("keyframe '{}'", keyframe),
           fmt::format("cannot be: {}", to_string(status)));
  }
}

}  // namespace

Result<std::vector<CommandPort>> find_commands(const HardwareTag& tag, const Model& model) {
  try {
    return commands_of(tag, model);
  } catch (Refusal& refusal) {
    return std::move(refusal.error);
  }
}

Result<Wiring> wire(const HardwareTag& tag, const Scenario& scenario, const std::string& keyframe) {
  try {
    Wiring wiring;
    wiring.commands = commands_of(tag, scenario.robot->model);
    make_wired_plant(tag, scenario, wiring);
    if (!keyframe.empty()) start_in(keyframe, *wiring.plant);
    const Plant& plant = *wiring.plant;
    if (!tag.gpios.empty() && !plant.can_push_off()) {
      refuse(ErrorCode::kStructure, "gpio 'push_off'",
             "needs a push_off in the scenario, which says what to push towards");
    }
    for (const TagComponent& joint : tag.joints) {
      const std::string element = fmt::format("joint '{}'", joint.name);
      const Sources known = sources(plant.joint(require_joint(plant.model(), joint)));
      add_states(element, joint, known, wiring.states);
      check_initial_values(element, joint, known);
    }
    for (const TagComponent& sensor : tag.sensors) {
      add_states(fmt::format("sensor '{}'", sensor.name), sensor, sensor_sources(sensor, plant),
                 wiring.states);
    }
    return wiring;
  } catch (Refusal& refusal) {
    return std::move(refusal.error);
  }
}

Result<HardwareSettings> read_settings(const std::map<std::string, std::string>& parameters) {
  HardwareSettings settings;
  const auto at_least = [](const std::string& name, const std::string& text, double least) {
    const double value = number(text);
    if (!std::isfinite(value) || value < least) {
      refuse(ErrorCode::kValue, fmt::format("param '{}'", name),
             fmt::format("is '{}'; it must be a number, {:g} or above", text, least));
    }
    return value;
  };
  const auto truth = [](const std::string& name, const std::string& text) {
    if (text == "true" || text == "True") return true;  // Python's, from launch files
    if (text == "false" || text == "False") return false;
    refuse(ErrorCode::kValue, fmt::format("param '{}'", name),
           fmt::format("is '{}'; it must be true or false", text));
  };
  try {
    for (const auto& [name, text] : parameters) {
      if (name == "scenario") {
        settings.scenario = text;
      } else if (name == "update_rate") {
        settings.update_rate = at_least(name, text, 0);
      } else if (name == "clock") {
        settings.clock = truth(name, text);
      } else if (name == "real_time_factor") {
        settings.real_time_factor = at_least(name, text, 0);
      } else if (name == "blocking_read") {
        settings.blocking_read = truth(name, text);
      } else if (name == "status_rate") {
        settings.status_rate = at_least(name, text, 0.01);
      } else if (name == "lenient") {
        settings.lenient = truth(name, text);
      } else if (name == "min_armature") {
        settings.min_armature = at_least(name, text, 0);
      } else if (name == "start_paused") {
        settings.start_paused = truth(name, text);
      } else if (name == "keyframe") {
        settings.keyframe = text;
      } else {
        refuse(ErrorCode::kStructure, fmt::format("param '{}'", name),
               "is not known; there are scenario, update_rate, clock, real_time_factor, "
               "blocking_read, status_rate, lenient, min_armature, start_paused and keyframe");
      }
    }
    if (settings.scenario.empty()) {
      refuse(ErrorCode::kStructure, "param 'scenario'",
             "is missing; say which scenario file to simulate: <param name=\"scenario\">/path/to/"
             "scenario.yaml</param> in the <hardware> tag");
    }
    if (settings.real_time_factor != 1 && !settings.clock && !settings.blocking_read) {
      refuse(ErrorCode::kStructure, "param 'real_time_factor'",
             "has no effect, as the controller manager goes by the wall's clock; say clock: true "
             "and start it with use_sim_time, or leave it out");
    }
  } catch (Refusal& refusal) {
    return std::move(refusal.error);
  }
  return settings;
}

Result<int> sub_steps_per_cycle(double rate, double step) {
  if (!(rate > 0) || !std::isfinite(rate)) {
    return Error{ErrorCode::kValue, "update rate",
                 fmt::format("is {:g} Hz; it must be above zero", rate)};
  }
  const double count = 1 / (rate * step);
  if (count < 0.5 || count > 1e6 || std::abs(count - std::round(count)) > 1e-6) {
    return Error{
        ErrorCode::kValue, "update rate",
        fmt::format("a period of {:g} s at {:g} Hz is not a whole number of the scenario's "
                    "steps of {:g} s; change one of them",
                    1 / rate, rate, step)};
  }
  return static_cast<int>(std::lround(count));
}

}  // namespace stance
