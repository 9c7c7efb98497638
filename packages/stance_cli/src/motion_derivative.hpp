// Velocities and accelerations of a recorded motion, from its positions.
//
// The filter: through the frames of a window round each frame a polynomial of degree four is laid by least squares
// (Savitzky and Golay's filter, for times that need not be even), and its derivatives at the frame are taken. At the
// ends of the motion the window is cut, not moved beyond it. Orientations are fitted as rotation vectors from the
// frame's own orientation: with r(t) the vector of R_0ᵀ R(t), the angular velocity in the body at r = 0 is ṙ, and its
// derivative r̈.
#pragma once

#include <vector>

#include "stance_core/model/model.hpp"
#include "stance_model/state_columns.hpp"

namespace stance {

struct Differentiate {
  bool velocities = true;     // from positions; else they are given
  bool accelerations = true;  // from positions, or from velocities where those are given
  int window = 9;             // frames, odd
};

// Writes v and a of the rows as `what` says. Times must rise. Mimic joints follow their leaders.
void differentiate(const Model& model, const std::vector<double>& times, const Differentiate& what,
                   std::vector<StateRow>& rows);

}  // namespace stance
