// The YAML document of a scenario file.
#pragma once

#include <yaml-cpp/yaml.h>

#include <filesystem>

namespace stance {

// Throws a Refusal: no file, no YAML, no document or several.
YAML::Node read_scenario_file(const std::filesystem::path& path);

}  // namespace stance
