// Names of a scenario file that must be the robot's: looked up, or refused with what there is.
#pragma once

#include <string>

#include "setting.hpp"
#include "stance_model/scenario.hpp"

namespace stance {

inline const Model& model_of(const Scenario& scenario) { return scenario.robot->model; }

FrameId link(const Setting& setting, const Model& model);
inline FrameId link(const Setting& setting, const Scenario& scenario) {
  return link(setting, model_of(scenario));
}

// A joint with one degree of freedom that goes its own way.
JointId joint(const Setting& setting, const std::string& name, const Scenario& scenario);

// One of the scenario's feet, by its link.
int foot(const Setting& setting, const Scenario& scenario);

}  // namespace stance
