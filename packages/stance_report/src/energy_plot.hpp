// energy.svg: potential over kinetic energy of two steps. Stepien, Fig. 11.
#pragma once

#include <string>

#include "scene.hpp"

namespace stance::report {

std::string draw_energy_plot(const Scene& scene);

}  // namespace stance::report
