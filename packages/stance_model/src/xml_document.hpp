// Text -> XML tree, strictly: UTF-8, well formed, one root, nesting and number of parts bounded. Throws a Refusal with the line.
#pragma once

#include <tinyxml2.h>

#include <string_view>

#include "element.hpp"

namespace stance {

// The root element; it lives as long as `document`.
const tinyxml2::XMLElement& parse_xml(std::string_view text, tinyxml2::XMLDocument& document,
                                      LoadReport& report);

}  // namespace stance
