// The options of every command that loads a robot, by itself or through a scenario: how strictly it is read.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "stance_model/load_robot.hpp"

namespace stance {

// --lenient, --min-armature, --xacro.
void add_robot_options(CLI::App& command, LoadOptions& options);

// Says once how much was taken because of them, for commands that do not print the load report.
void note_leniency(const Robot& robot, const std::string& file);

}  // namespace stance
