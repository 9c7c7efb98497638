// A scenario file like another, but for some parameters and for how the robot starts.
#pragma once

#include <string>
#include <vector>

#include "stance_model/load_scenario.hpp"

namespace stance {

// The text of a scenario file that stands at `to`: that of `scenario`, with these assignments, and with a robot that starts
// like `initial` (on a foot). Numbers have 17 digits. The path of the robot stays right.
Result<std::string> scenario_text(const Scenario& scenario,
                                  const std::vector<Assignment>& assignments,
                                  const InitialState& initial, const std::string& title,
                                  const std::filesystem::path& to);

}  // namespace stance
