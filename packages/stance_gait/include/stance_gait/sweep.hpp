// A gait followed along the slope: from one fixed point to the next, with shorter steps where the gait bends away.
#pragma once

#include <functional>
#include <vector>

#include "stance_gait/fixed_point.hpp"

namespace stance {

struct SweepPoint {
  double slope = 0;  // rad, downhill
  FixedPoint gait;
};

struct Sweep {
  std::vector<SweepPoint> points;  // by slope, rising: those that were reached
  std::vector<Error> losses;  // where the gait was lost on the way up or down, one each at most
};

// The walker stands on a slope of `slope` near its gait there. The gait is followed from that slope outwards, up and
// down, through all of `slopes`. `done` is told after each of them; false from it ends the sweep.
Result<Sweep> sweep_slopes(const Walker& walker, double slope, std::vector<double> slopes,
                           const NewtonSettings& settings,
                           const std::function<bool(std::size_t count)>& done);

}  // namespace stance
