// A tag as hardware_interface has parsed it -> the plain names that stance_model checks and wires.
#pragma once

#include "hardware_interface/hardware_info.hpp"
#include "stance_model/wiring.hpp"

namespace stance {

// Interfaces that carry anything but a double are refused.
Result<HardwareTag> read_tag(const hardware_interface::HardwareInfo& info);

}  // namespace stance
