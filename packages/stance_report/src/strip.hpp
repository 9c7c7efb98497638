// strip.svg: stick figures of two steps, seen from the side.
#pragma once

#include <string>

#include "scene.hpp"

namespace stance::report {

std::string draw_strip(const Scene& scene);

}  // namespace stance::report
