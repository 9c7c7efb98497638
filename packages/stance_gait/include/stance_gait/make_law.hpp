// Laws by name: what a scenario's section `law` asks for, made and put to work.
//
//   law: {name: stand, rate: 500 Hz, kp: 60 N*m/rad}
//
//   compass   push-off, foot placement and energy tracking of the compass (compass_law.hpp)
//   stand     joints hold a pose, or go through several, and carry the robot's weight (stand_law.hpp)
//   trot      a quadruped of twelve joints trots (trot_law.hpp)
// Each says in its header what it can be told, with units and defaults.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "stance_core/base/result.hpp"
#include "stance_core/plant/control_loop.hpp"
#include "stance_gait/compass_law.hpp"
#include "stance_model/scenario.hpp"

namespace stance {

// The names of all laws.
std::vector<std::string> law_names();

// The numbers of the law 'compass', for those who drive it themselves.
Result<CompassGait> compass_gait(const LawSettings& settings);

// For this plant, which must have what the law needs. Errors name the place in the scenario.
Result<std::unique_ptr<Law>> make_law(const LawSettings& settings, const Plant& plant);

// The scenario's plant at its start, with its law.
Result<ControlLoop> make_control_loop(const Scenario& scenario);

}  // namespace stance
