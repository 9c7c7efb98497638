// The compass law (compass_law.hpp) between two touchdowns: it reads the simulator, and remembers nothing over a touchdown, as
// its push-off follows from the energy just after it.
#pragma once

#include "stance_core/base/result.hpp"
#include "stance_gait/compass_law.hpp"
#include "stance_gait/step_law.hpp"

namespace stance {

// For a robot with two feet, the first on its root link, and one hinge between them. An error says what it lacks.
Result<std::unique_ptr<StepLaw>> make_compass_step_law(const Model& model,
                                                       const SimulatorSettings& settings,
                                                       const CompassGait& gait);

}  // namespace stance
