// A report must not take the place of what it is made from.
#pragma once

#include <filesystem>
#include <optional>
#include <vector>

#include "stance_core/base/result.hpp"

namespace stance {

// An error if `file`, which is about to be written, is one of the files that are read. Links count as what they lead to.
std::optional<Error> overwritten_input(const std::filesystem::path& file,
                                       const std::vector<std::filesystem::path>& inputs);

}  // namespace stance
