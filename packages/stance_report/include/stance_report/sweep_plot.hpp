// A picture of gaits along the slope: how fast disturbances die out, and how the walker steps.
#pragma once

#include <string>
#include <vector>

namespace stance {

struct SweepSample {
  double slope = 0;       // rad
  double multiplier = 0;  // the largest modulus
  double length = 0;      // m
  double period = 0;      // s
};

// By slope, rising. An SVG; above the line at 1 the gait is there and cannot be walked.
std::string draw_sweep(const std::string& title, const std::vector<SweepSample>& samples);

}  // namespace stance
