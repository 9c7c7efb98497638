// A schedule by its name: chain, balanced, found, or a file.
#pragma once

#include <span>
#include <string>

#include "stance_core/assembly/schedule.hpp"

namespace stance {

Result<Schedule> find_schedule(const std::string& name, const Model& model, const Tree& tree,
                               std::span<const Closure> closures, int processors);

}  // namespace stance
