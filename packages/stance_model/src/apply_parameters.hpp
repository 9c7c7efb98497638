// Assignments, put into a scenario file that has been parsed, and into a robot that has not been built. See parameters.hpp.
#pragma once

#include <yaml-cpp/yaml.h>

#include <string>
#include <vector>

#include "stance_core/model/description.hpp"
#include "stance_model/parameters.hpp"

namespace stance {

// What the file itself sets of the robot (its key `set`), and these after it.
std::vector<Assignment> with_those_of_file(const YAML::Node& root,
                                           const std::vector<Assignment>& assignments);

bool is_of_robot(const Assignment& assignment);  // its name begins with "robot."

// Each takes its own and leaves those of the other. Complaints are thrown as Refusals.
void apply_to_file(const std::vector<Assignment>& assignments, YAML::Node& root);
void apply_to_robot(const std::vector<Assignment>& assignments, Description& robot);

}  // namespace stance
