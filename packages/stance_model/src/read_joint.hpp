// <joint> -> JointDescription, our extension <stance> included.
#pragma once

#include <tinyxml2.h>

#include "element.hpp"
#include "stance_core/model/description.hpp"

namespace stance {

JointDescription read_joint(const tinyxml2::XMLElement& xml, LoadReport& report);

}  // namespace stance
