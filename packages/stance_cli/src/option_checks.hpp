// What options may be: quantities with units as in scenarios, and whole numbers. Each message says what to write.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <limits>

#include "stance_model/quantity.hpp"

namespace stance {

// "5 s", "5s" or "5": becomes the number in SI units. From `low` to `high`, both allowed.
CLI::Validator quantity(const Dimension& dimension, double low, double high);

// A whole number from `low` to `high`.
CLI::Validator whole_number(std::int64_t low,
                            std::int64_t high = std::numeric_limits<std::int64_t>::max());

}  // namespace stance
