// How far a gait is from falling: the smallest disturbance, along a coordinate of the section, from which it does not come
// back.
#pragma once

#include "stance_gait/fixed_point.hpp"

namespace stance {

struct Robustness {
  double margin = 0;  // in parts of 1 + |x_i|: of every smaller one that was tried it comes back
  int coordinate = 0;
  double sign = 1;     // of the disturbance from which it does not
  bool falls = false;  // or walks on in another way
};

struct RobustnessSettings {
  double largest = 0.5;  // disturbance that is tried
  int halvings = 8;
  int steps = 20;  // periods in which it must come back
};

Robustness robustness(const StepMap& map, const FixedPoint& gait, int steps,
                      const RobustnessSettings& settings = {});

}  // namespace stance
