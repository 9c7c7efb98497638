// The gait that a walker has near a state, of so many steps and not fewer: where the walk from there settles, else where
// Newton's method leads from there, else from other states around.
#pragma once

#include <string>
#include <vector>

#include "stance_gait/fixed_point.hpp"

namespace stance {

// What becomes of a walker that is left to itself.
struct Settled {
  int steps = 0;   // that it took
  int period = 0;  // steps after which it repeats itself; 0: it did not come to that
  Eigen::VectorXd x;
  Eigen::VectorXd mean;      // of the last states: what a walk that limps or wanders does so about
  std::optional<Error> end;  // why it walks no more
};

struct SettleSettings {
  int max_steps = 300;
  int max_period = 16;
  double alike = 1e-6;  // of two states
};

Settled settle(const StepMap& map, const Eigen::VectorXd& x, const SettleSettings& settings = {});

enum class GaitOrigin { kSettled, kScenario, kDoubled, kGuess };

struct GaitSearch {
  NewtonSettings newton;
  SettleSettings settle;
  int guesses = 48;  // tried around the start where nothing else helps
};

struct FoundGait {
  FixedPoint gait;
  GaitOrigin origin = GaitOrigin::kScenario;
  Settled settled;                   // from the start
  std::vector<std::string> remarks;  // other gaits that were met on the way, and what the walk does
};

// The gait of search.newton.steps steps and not fewer. An error says what was found instead.
Result<FoundGait> find_gait(const StepMap& map, const GaitSearch& search = {});

}  // namespace stance
