// What a name that nobody knows was probably meant to be.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace stance {

// The known name with the fewest letters to change; empty where none is near.
std::string nearest_name(std::string_view name, const std::vector<std::string>& known);

}  // namespace stance
