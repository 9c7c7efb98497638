// A gait that was found, in words and as JSON.
#pragma once

#include <optional>
#include <string>

#include "stance_gait/find_gait.hpp"
#include "stance_gait/robustness.hpp"
#include "stance_model/scenario.hpp"

namespace stance {

struct GaitReport {
  const Scenario& scenario;
  const StepMap& map;
  const FoundGait& found;
  int steps;
  WalkNeeds needs;
  std::optional<Robustness> robust;
};

bool is_stable(const FixedPoint& gait);
// Energy that comes in, by joints, push-offs and the slope, over weight and way.
double cost_of_transport(const GaitReport& report);
// Of joints and push-offs alone; of what they bring in alone.
double mechanical_cost(const GaitReport& report);
double positive_cost(const GaitReport& report);

// Without a sign where only zeros are left.
std::string decimals(double x, int digits);
std::string multiplier_text(const std::complex<double>& m);

std::string gait_text(const GaitReport& report);
std::string gait_json(const GaitReport& report);

}  // namespace stance
