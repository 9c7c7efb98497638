// timeline.svg: joints, contacts and impulses over the last seconds.
#pragma once

#include <string>

#include "scene.hpp"

namespace stance::report {

std::string draw_timeline(const Scene& scene);

}  // namespace stance::report
