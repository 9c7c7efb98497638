// <link> -> LinkDescription.
#pragma once

#include <tinyxml2.h>

#include <vector>

#include "stance_core/model/description.hpp"

namespace stance {

LinkDescription read_link(const tinyxml2::XMLElement& xml, std::vector<Remark>& remarks);

}  // namespace stance
