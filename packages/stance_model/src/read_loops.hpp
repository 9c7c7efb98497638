// The list `loops` of a scenario or of a file of its own.
#pragma once

#include <vector>

#include "setting.hpp"
#include "stance_model/loop_file.hpp"

namespace stance {

std::vector<Loop> read_loops(const Setting& list, const Model& model);

}  // namespace stance
