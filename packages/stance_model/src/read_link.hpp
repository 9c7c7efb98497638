// <link> -> LinkDescription.
#pragma once

#include <tinyxml2.h>

#include "element.hpp"
#include "stance_core/model/description.hpp"

namespace stance {

LinkDescription read_link(const tinyxml2::XMLElement& xml, LoadReport& report);

}  // namespace stance
