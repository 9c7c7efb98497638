// Names of the topics that the nodes share with stance_hardware.
#pragma once

namespace stance_nodes {

inline constexpr const char* kEventTopic = "/stance/contact_events";

}  // namespace stance_nodes
