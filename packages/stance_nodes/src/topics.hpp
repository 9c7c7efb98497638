// Names and qualities of the topics that the nodes share with stance_hardware.
#pragma once

#include "rclcpp/qos.hpp"

namespace stance_nodes {

inline constexpr const char* kEventTopic = "/stance/contact_events";

// As events are published: reliably, in order, and kept for those who come late.
inline rclcpp::QoS event_qos() { return rclcpp::QoS(10000).reliable().transient_local(); }

}  // namespace stance_nodes
