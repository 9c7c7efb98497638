// A sensor_msgs/JointState as a command. Which of its lists are filled says which commands the joints take: positions
// alone are held by the servo, efforts alone are torques, efforts beside positions are fed forward. NaN: not given.
#pragma once

#include <limits>

#include "sensor_msgs/msg/joint_state.hpp"
#include "stance_core/plant/command.hpp"

namespace stance_nodes {

// Lists that are filled are as long as the list of names.
inline bool is_sound(const sensor_msgs::msg::JointState& message) {
  for (const auto* list : {&message.position, &message.velocity, &message.effort})
    if (!list->empty() && list->size() != message.name.size()) return false;
  return true;
}

inline stance::CommandSet commands_of(const sensor_msgs::msg::JointState& message) {
  const int set = (message.position.empty() ? 0 : stance::kPositionCommand) |
                  (message.velocity.empty() ? 0 : stance::kVelocityCommand) |
                  (message.effort.empty() ? 0 : stance::kEffortCommand);
  return static_cast<stance::CommandSet>(set);
}

inline stance::Command command_of(const sensor_msgs::msg::JointState& message, std::size_t k) {
  const auto at = [k](const std::vector<double>& list) {
    return list.empty() ? std::numeric_limits<double>::quiet_NaN() : list[k];
  };
  stance::Command command;
  command.position = at(message.position);
  command.velocity = at(message.velocity);
  command.effort = at(message.effort);
  return command;
}

}  // namespace stance_nodes
