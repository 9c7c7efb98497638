// One step of a walk: a foot came down and took over the robot. Feet that come down at the same instant make one step.
#pragma once

#include "stance_core/base/index.hpp"

namespace stance {

// NaN where a number does not exist: the first touchdown has no period, and no length if the robot came out of the air.
struct Step {
  int number = 0;  // from 1
  double time = 0;
  FrameId foot;
  double length = 0;       // m, from the foothold before, along the ground's forward direction
  double period = 0;       // s, since the touchdown before
  double impulse = 0;      // N s, of the touchdown, normal component
  double energy_lost = 0;  // J, in this touchdown and in the stops hit since the one before
};

}  // namespace stance
