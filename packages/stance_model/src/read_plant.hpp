// The sections `pushes` and `plant` of a scenario: what a test bench does, and what a controller sees.
#pragma once

#include "setting.hpp"
#include "stance_model/scenario.hpp"

namespace stance {

void read_pushes(const Keys& keys, Scenario& scenario);

// Also tries whether a plant can be made of the whole.
void read_plant(const Keys& keys, Scenario& scenario);

}  // namespace stance
