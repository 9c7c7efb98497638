// What the plant says, as messages.
#pragma once

#include <string>

#include "builtin_interfaces/msg/time.hpp"
#include "stance_core/plant/standing.hpp"
#include "stance_msgs/msg/contact_event.hpp"
#include "stance_msgs/msg/contact_state.hpp"
#include "stance_msgs/msg/simulation_status.hpp"
#include "stance_msgs/msg/support_state.hpp"

namespace stance {

inline constexpr const char* kWorldFrame = "world";

builtin_interfaces::msg::Time to_time(std::int64_t nanoseconds);
// Empty where there is none.
std::string frame_name(const Model& model, FrameId frame);
stance_msgs::msg::ContactEvent to_message(const StampedEvent& event, const Model& model);
stance_msgs::msg::SimulationStatus to_message(const Report& report, std::int64_t period,
                                              const Model& model);
stance_msgs::msg::SupportState to_message(const Standing& standing, std::int64_t stamp,
                                          const Plant& plant);
// Why the simulation stands still; empty: it does not, or somebody paused it.
std::string why_it_stands(const Report& report, const Model& model);

}  // namespace stance
