// The page of page/ as the build put it together, before a motion is in it.
#pragma once

#include <string_view>

namespace stance::report {

std::string_view page_template();

}  // namespace stance::report
