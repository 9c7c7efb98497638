// URDF text -> Description: everything that is about the file, and nothing about the physics.
//
// The text is read by ourselves and strictly, because urdfdom carries neither unknown tags nor extensions and is
// silent where it should not be: it drops an inertial it cannot read and takes a missing axis for 1 0 0. Here each
// number is checked, an element that appears twice is refused, and what is not used goes into
// Description::remarks. That urdfdom accepts the file as well is checked by make_robot (load_robot.hpp).
#pragma once

#include <string>
#include <string_view>

#include "stance_core/base/result.hpp"
#include "stance_core/model/description.hpp"

namespace stance {

struct ParseOptions {
  // Faults with one obvious meaning are taken by it, and told as remarks of the kind kLenient: README.md lists them.
  bool lenient = false;
  std::string name = "robot";  // of a robot without one, leniently
};

Result<Description> parse_urdf(std::string_view xml, const ParseOptions& options = {});

}  // namespace stance
