// Whether a gait is steady, said in words.
#pragma once

#include <string>
#include <vector>

#include "stance_report/step.hpp"

namespace stance {

struct Verdict {
  bool steady = false;  // every step is like the one before it; a limp (period two) is not
  int steps = 0;
  double period = 0, length = 0, energy_lost = 0;  // means of the steps compared; NaN without any
  std::string words;
};

Verdict assess(const std::vector<Step>& steps);

}  // namespace stance
