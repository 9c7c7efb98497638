// A pose as tf wants it.
#pragma once

#include <string>

#include "geometry_msgs/msg/pose.hpp"
#include "geometry_msgs/msg/transform_stamped.hpp"

namespace stance_nodes {

inline geometry_msgs::msg::TransformStamped to_transform(const std_msgs::msg::Header& header,
                                                         const std::string& child,
                                                         const geometry_msgs::msg::Pose& pose) {
  geometry_msgs::msg::TransformStamped to;
  to.header = header;
  to.child_frame_id = child;
  to.transform.translation.x = pose.position.x;
  to.transform.translation.y = pose.position.y;
  to.transform.translation.z = pose.position.z;
  to.transform.rotation = pose.orientation;
  return to;
}

}  // namespace stance_nodes
