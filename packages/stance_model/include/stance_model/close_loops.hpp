// Loops at the start: is the robot in a pose that closes them, and if not, which one does, or who could help.
#pragma once

#include <vector>

#include "stance_core/model/state.hpp"
#include "stance_model/loop_file.hpp"

namespace stance {

// A loop that is open by more is no state of the robot (m and rad, m/s and rad/s).
inline constexpr double kLoopOpen = 1e-9;

enum class Assemble : unsigned char {
  kAsGiven,  // a pose that does not close its loops is refused
  kNearest,  // the nearest pose that closes them is taken, with the nearest velocities
};

// The state to start from, `start` itself where it closes all loops. The error says which loop is open, by how much, and
// which joints move it; with kNearest, what the nearest pose leaves open, or which limit it breaks.
Result<State> close_loops(const Model& model, const Tree& tree, const std::vector<Loop>& loops,
                          const State& start, Assemble assemble);

}  // namespace stance
