#include "scenario_notes.hpp"

#include <fmt/format.h>

#include <cmath>
#include <string>

#include "command.hpp"

namespace stance {
namespace {

// Whether the scenario says anything of this drive that the robot file does not.
bool is_given(const Actuator& a) {
  const Actuator none;
  return a.effort_limit != none.effort_limit || a.stall_effort != none.stall_effort ||
         a.no_load_speed != none.no_load_speed || a.friction != none.friction ||
         a.viscous != none.viscous || a.friction_speed != none.friction_speed ||
         a.armature != none.armature || a.delay != none.delay ||
         a.servo.bandwidth != none.servo.bandwidth || a.servo.kp != none.servo.kp ||
         a.servo.kd != none.servo.kd;
}

std::string joints(int count) { return fmt::format("{} joint{}", count, count > 1 ? "s" : ""); }

}  // namespace

void note_not_simulated(const Scenario& scenario, std::string_view command) {
  const Model& model = scenario.robot->model;
  int dry = 0, drives = 0;
  for (int i = 1; i < model.body_count; ++i) {
    dry += model.joints[i].friction > 0 ? 1 : 0;
    drives += is_given(scenario.plant.actuators[static_cast<std::size_t>(i)]) ? 1 : 0;
  }
  if (dry > 0) {
    note(fmt::format("dry friction of {} is in the robot file and is not simulated by {}",
                     joints(dry), command));
  }
  if (drives > 0) {
    note(fmt::format(
        "actuators of {} are in the scenario's plant and are not simulated by {}: a plant acts "
        "under a controller",
        joints(drives), command));
  }
}

}  // namespace stance
