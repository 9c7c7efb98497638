// Whether our Description and urdfdom's model of the same text are the same robot.
#pragma once

#include <string_view>

#include "stance_core/model/description.hpp"

namespace stance {

// Fails the running test where they differ. Silent if urdfdom refuses the text or complains about it, as then it
// drops things.
void expect_urdfdom_agrees(std::string_view xml, const Description& ours);

}  // namespace stance
