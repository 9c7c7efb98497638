// A bifurcation diagram: the steps of gaits along a parameter, stable ones drawn full, others dashed, and where they change.
#pragma once

#include <string>
#include <vector>

namespace stance {

struct BranchSample {
  double parameter = 0;
  double multiplier = 0;        // the largest modulus
  std::string event;            // "fold", "period_doubling", "neimark_sacker"; empty: none
  std::vector<double> lengths;  // m, of each step of the period
};

struct BranchLine {
  int steps = 1;  // of its gaits
  std::vector<BranchSample> samples;
};

// An SVG. `parameter` labels the axis.
std::string draw_branches(const std::string& title, const std::string& parameter,
                          const std::vector<BranchLine>& branches);

}  // namespace stance
