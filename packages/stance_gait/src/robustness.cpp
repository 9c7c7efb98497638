#include "stance_gait/robustness.hpp"

#include <cmath>

namespace stance {

// Along each coordinate, both ways, the border between coming back and not, by halving. A basin with holes is told by its
// nearest border that halving meets.
Robustness robustness(const StepMap& map, const FixedPoint& gait, int steps,
                      const RobustnessSettings& settings) {
  // nothing comes back along a family: what remains beside it must
  const auto comes_back = [&](const Eigen::VectorXd& x, double size, bool& falls) {
    Eigen::VectorXd at = x;
    for (int k = 0; k < settings.steps; ++k) {
      const Result<GaitStep> step = map.walk(at, steps);
      falls = !step;
      if (falls) return false;
      at = step->x;
      if (difference(at, gait.x) < 0.1 * size) return true;
    }
    return gait.neutral > 0 && difference(at, gait.x) < 2 * size;
  };
  Robustness worst;
  worst.margin = settings.largest;
  for (Eigen::Index i = 0; i < gait.x.size(); ++i) {
    for (const double sign : {1.0, -1.0}) {
      double good = 0, bad = worst.margin;
      bool bad_falls = false;
      const auto try_it = [&](double size, bool& falls) {
        Eigen::VectorXd x = gait.x;
        x[i] += sign * size * (1 + std::abs(x[i]));
        return comes_back(x, size, falls);
      };
      if (try_it(bad, bad_falls)) continue;
      for (int k = 0; k < settings.halvings; ++k) {
        const double middle = 0.5 * (good + bad);
        bool falls = false;
        if (try_it(middle, falls)) {
          good = middle;
        } else {
          bad = middle, bad_falls = falls;
        }
      }
      worst = {good, static_cast<int>(i), sign, bad_falls};
    }
  }
  return worst;
}

}  // namespace stance
