// What a scenario and its robot file ask for, and a command leaves out: said once, before it begins.
#pragma once

#include <string_view>

#include "stance_model/scenario.hpp"

namespace stance {

// Dry friction of the robot file, and the scenario's actuators. `command` is what it is called: "stance run".
void note_not_simulated(const Scenario& scenario, std::string_view command);

}  // namespace stance
