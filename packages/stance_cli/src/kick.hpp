// A small disturbance of the initial state, to see whether a gait comes back from it.
#pragma once

#include <cstdint>

#include "stance_model/scenario.hpp"

namespace stance {

inline constexpr double kKickSize = 0.01;  // relative

// Every velocity of the initial state, the support's and the joints', is multiplied by a number of its own between
// 0.99 and 1.01. The same seed gives the same numbers on every machine.
void kick(std::uint64_t seed, InitialState& initial);

}  // namespace stance
