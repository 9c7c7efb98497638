// What the plant says, as messages.
#pragma once

#include <string>

#include "builtin_interfaces/msg/time.hpp"
#include "stance_core/plant/lock_step.hpp"
#include "stance_msgs/msg/contact_event.hpp"
#include "stance_msgs/msg/simulation_status.hpp"

namespace stance {

inline constexpr const char* kWorldFrame = "world";

builtin_interfaces::msg::Time to_time(std::int64_t nanoseconds);
// Empty where there is none.
std::string frame_name(const Model& model, FrameId frame);
stance_msgs::msg::ContactEvent to_message(const StampedEvent& event, const Model& model);
stance_msgs::msg::SimulationStatus to_message(const Report& report, std::int64_t period);

}  // namespace stance
