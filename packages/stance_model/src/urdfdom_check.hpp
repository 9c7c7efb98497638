// What urdfdom, the parser of the ROS tools, says about a text that we accept.
#pragma once

#include <string_view>
#include "element.hpp"

namespace stance {

// Throws a Refusal if urdfdom refuses the text; leniently that is a remark, like all that it complains about. It logs
// through a global handler, which is ours for the time of the call: nothing is printed.
void require_urdfdom_accepts(std::string_view xml, LoadReport& report);

}  // namespace stance
