// phase.svg: angle and rate of one leg. Stepien, Fig. 10.
#pragma once

#include <string>

#include "scene.hpp"

namespace stance::report {

std::string draw_phase_portrait(const Scene& scene);

}  // namespace stance::report
