// What a plant's sensors say, as messages. Messages are made once, with all names; filling them allocates nothing.
#pragma once

#include <vector>

#include "nav_msgs/msg/odometry.hpp"
#include "sensor_msgs/msg/joint_state.hpp"
#include "stance_core/plant/plant.hpp"
#include "stance_msgs/msg/contact_states.hpp"

namespace stance_nodes {

struct Readings {
  explicit Readings(const stance::Plant& plant);
  // All get this stamp, in ns.
  void take(const stance::Plant& plant, std::int64_t stamp);

  sensor_msgs::msg::JointState joints;  // of one degree of freedom, in the order of the robot file
  nav_msgs::msg::Odometry base;         // the twist is in the child frame, as the message wants it
  stance_msgs::msg::ContactStates contacts;

 private:
  std::vector<stance::JointId> ids_;
};

}  // namespace stance_nodes
