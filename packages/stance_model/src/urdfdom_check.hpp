// What urdfdom, the parser of the ROS tools, says about a text that we accept.
#pragma once

#include <string_view>
#include <vector>

#include "stance_core/model/description.hpp"

namespace stance {

// Throws a Refusal if urdfdom refuses the text. What it complains about but accepts becomes remarks. It logs through
// a global handler, which is ours for the time of the call: nothing is printed.
void require_urdfdom_accepts(std::string_view xml, std::vector<Remark>& remarks);

}  // namespace stance
