// At load time: is a mechanism closed where it starts, and if not, where is the nearest pose in which it is?
//
// Nearest is the least sum of squares of how far joints and base are moved (rad and m alike). With e the way from the
// start, g the gaps and J their derivatives, each step solves
//   (1) J d = -g,   d + e without a part that J does not see
//   (2) d = -J⁺ g - (1 - J⁺ J) e
// so that at its end g = 0, and e stands at right angles to all ways along which the mechanism could move closed.
#pragma once

#include <span>
#include <vector>

#include "stance_core/constraint/closure.hpp"

namespace stance {

struct ClosedPose {
  State state;  // velocities too: those nearest to the ones given, that keep the closures closed
  double open = 0;   // largest gap of what was reached, m or rad
  double moved = 0;  // furthest that a joint, or the base, is from the start
  bool is_closed = false;
};

// From a state that need not be closed. Gears keep their ratios; joints that the tree holds stay where they are.
ClosedPose close_pose(const Model& model, const Tree& tree, std::span<const Closure> closures,
                      const State& start, Workspace& w);

// The joints that move the two ends of a closure against each other, in the order of the model: on the way from one to
// the other, and not held. None but a base that floats may be left.
std::vector<JointId> joints_of_loop(const Model& model, const Tree& tree, const Closure& closure);

}  // namespace stance
