// From a scenario to the walker of its step map.
#pragma once

#include "stance_gait/step_map.hpp"
#include "stance_model/scenario.hpp"

namespace stance {

// The law that the scenario names; null: none.
Result<std::unique_ptr<StepLaw>> make_step_law(const Scenario& scenario);

// The walker just after a touchdown of the scenario, `settle` steps after the first.
Result<Walker> make_walker(const Scenario& scenario, int settle);

// The same walker with the numbers of another scenario of the same robot, such as one on another slope: it starts in the same
// place of its section.
Result<Walker> with_numbers_of(const Walker& walker, const Scenario& scenario);

// How a run starts that is in this state of the section.
InitialState initial_state(const Walker& walker, const State& state);

double slope_of(const SimulatorSettings& settings);

}  // namespace stance
