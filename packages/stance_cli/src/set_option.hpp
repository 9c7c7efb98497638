// --set NAME=VALUE, which run, rt and gait share.
#pragma once

#include <CLI/CLI.hpp>
#include <memory>
#include <string>
#include <vector>

#include "stance_model/load_scenario.hpp"

namespace stance {

void add_set(CLI::App& command, std::vector<std::string>& set);

// "NAME=VALUE" each.
Result<std::vector<Assignment>> parse_assignments(const std::vector<std::string>& set);

// The scenario with these values.
Result<std::unique_ptr<Scenario>> load_scenario_with(const std::string& path, LoadOptions robot,
                                                     const std::vector<std::string>& set);

}  // namespace stance
