// Slopes given as A:B:N on the command line.
#pragma once

#include <string>
#include <vector>

#include "stance_core/base/result.hpp"

namespace stance {

// N slopes from A to B, both among them, in rad. A and B may say their unit: 3deg, 0.05rad.
Result<std::vector<double>> parse_slope_range(const std::string& text);

}  // namespace stance
