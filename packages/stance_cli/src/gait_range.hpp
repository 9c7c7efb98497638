// NAME A:B:N on the command line: N values of a parameter or of a coordinate of the state.
#pragma once

#include <string>
#include <vector>

#include "gait_find.hpp"

namespace stance {

// A value of the parameter as a file would have it, with its unit or bare, checked as the file's readers do.
Result<double> parameter_value(const GaitOptions& options, const std::string& name,
                               const std::string& text, const std::string& option);

struct Axis {
  std::string name;
  int coordinate = -1;  // of the section's state; -1: a parameter
  std::vector<double> values;
};

// `map` knows the coordinates: state.right_hip.velocity.
Result<Axis> parse_axis(const GaitOptions& options, const StepMap& map, const std::string& name,
                        const std::string& range, const std::string& option);

}  // namespace stance
