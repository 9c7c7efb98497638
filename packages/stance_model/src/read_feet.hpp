// What of the robot may touch the ground, and what the touch is like: the sections `contact` and `feet`.
#pragma once

#include <optional>
#include <string_view>

#include "setting.hpp"
#include "stance_model/scenario.hpp"

namespace stance {

// `xml`: the robot, where it is not the file's.
void read_feet(const Keys& keys, std::optional<std::string_view> xml, Scenario& scenario);

}  // namespace stance
