// Scenario files: YAML, as config/README.md describes it.
#pragma once

#include <filesystem>
#include <memory>
#include <string_view>
#include <vector>

#include "stance_core/base/result.hpp"
#include "stance_model/parameters.hpp"
#include "stance_model/scenario.hpp"

namespace stance {

// Reads the file and the robot it names. Errors say file, line and column, the key by its path, and what to do. The
// robot is loaded as the file and the options say, leniently if either does; gravity is the file's.
Result<std::unique_ptr<Scenario>> load_scenario(const std::filesystem::path& path,
                                                const LoadOptions& robot_options = {});

// The same with a robot that the caller has, as URDF text; the one that the file names is not read.
Result<std::unique_ptr<Scenario>> load_scenario(const std::filesystem::path& path,
                                                std::string_view robot_xml,
                                                const LoadOptions& robot_options = {});

}  // namespace stance
