// Parameters: every number of a scenario and of its robot, by name, to be looked up and to be given another value.
//
//   ground.slope, gravity, push_off.impulse, contact.friction, law.step_angle, initial.angle, initial.joints.hip.position
//   feet.left_foot.radius                          entries of lists by their link, joint or name
//   robot.link.left_leg.mass, .com.x, .inertia.xx  of the robot file; the centre of mass in the link, the inertia about it
//   robot.joint.left_knee.damping, .friction, .armature, .lower, .upper, .velocity, .effort, .origin.x
//
// A star stands for any letters but a dot: robot.link.*_leg.mass is both legs'. What a scenario file may hold and does not
// has its default value. Another ground.slope turns the robot with the ground, about the contact point, so that it starts as
// it did with respect to the ground; a given initial.angle is left alone.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "stance_core/base/result.hpp"

namespace stance {

// A name and a value as it would stand in the file: "3 deg". Without a value the key is taken out: of a scenario whose robot
// starts elsewhere, "initial.strike" is.
struct Assignment {
  std::string name, value;
};

// From "NAME=VALUE".
Result<Assignment> parse_assignment(std::string_view text);
// A value in SI units, to the last bit.
Assignment assignment(std::string name, double value);

struct Parameter {
  std::string name;
  double value = 0;
  std::string unit;  // of SI; empty for a plain number
  double lower = 0, upper = 0;
};

// Those of a scenario after these assignments, in the order of the file, then of the robot.
Result<std::vector<Parameter>> list_parameters(const std::filesystem::path& scenario,
                                               const std::vector<Assignment>& assignments = {});

// The one of that name, or the first of those that a star stands for. An error says which is near.
Result<Parameter> find_parameter(const std::vector<Parameter>& all, const std::string& name);

}  // namespace stance
