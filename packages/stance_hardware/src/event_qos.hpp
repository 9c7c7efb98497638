// How contact events travel: reliably, in order, and kept for those who come late.
#pragma once

#include "rclcpp/qos.hpp"

namespace stance {

// So many events a subscriber may be behind, or get when it comes late: half an hour of brisk walking.
inline rclcpp::QoS event_qos() { return rclcpp::QoS(10000).reliable().transient_local(); }

}  // namespace stance
