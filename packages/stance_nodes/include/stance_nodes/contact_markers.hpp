// Shows in RViz what stance tells: feet on the ground, impulses of the last seconds, the root of the tree, and the centre
// of mass. Publishes visualization_msgs/MarkerArray on ~/markers.
//
// The robot comes from /robot_description and its joints from /joint_states. Parameters:
//   odom, pose            topics of the base: nav_msgs/Odometry of the simulator node, /stance/odom by default, and
//                         geometry_msgs/PoseStamped of a broadcaster, /pose_broadcaster/pose; the one that comes counts
//   contacts, events      topics, /contact_state_broadcaster/contact_states and /stance/contact_events by default
//   rate                  Hz, 30 by default
//   metres_per_newton_second   length of impulses, 0.1 by default
//   lifetime              s, that an impulse shows, 1 by default
//   publish_tf            the base in tf, where nobody else does it; false by default
#pragma once

#include <deque>
#include <memory>

#include "geometry_msgs/msg/pose_stamped.hpp"
#include "nav_msgs/msg/odometry.hpp"
#include "rclcpp/rclcpp.hpp"
#include "sensor_msgs/msg/joint_state.hpp"
#include "stance_model/load_robot.hpp"
#include "stance_msgs/msg/contact_event.hpp"
#include "stance_msgs/msg/contact_states.hpp"
#include "stance_nodes/transform_broadcaster.hpp"
#include "stance_report/figure.hpp"
#include "std_msgs/msg/string.hpp"
#include "visualization_msgs/msg/marker_array.hpp"

namespace stance_nodes {

class ContactMarkers : public rclcpp::Node {
 public:
  explicit ContactMarkers(const rclcpp::NodeOptions& options = rclcpp::NodeOptions());

 private:
  template <class Message>
  void listen(const std::string& topic, const rclcpp::QoS& qos,
              void (ContactMarkers::*callback)(const Message&));
  void take_robot(const std_msgs::msg::String& description);
  void take_joints(const sensor_msgs::msg::JointState& joints);
  void take_odometry(const nav_msgs::msg::Odometry& odometry);
  void take_pose(const geometry_msgs::msg::PoseStamped& pose);
  void take_contacts(const stance_msgs::msg::ContactStates& contacts);
  void take_event(const stance_msgs::msg::ContactEvent& event);
  void place_base(const std_msgs::msg::Header& header, const geometry_msgs::msg::Pose& pose);
  void publish();

  double scale_ = 0.1, lifetime_ = 1;
  std::unique_ptr<stance::Robot> robot_;
  std::unique_ptr<stance::Figure> figure_;
  builtin_interfaces::msg::Time stamp_;  // of the last base
  std::string world_ = "world";
  stance_msgs::msg::ContactStates contacts_;
  std::deque<stance_msgs::msg::ContactEvent> impulses_;  // of the last `lifetime_` seconds
  std::vector<rclcpp::SubscriptionBase::SharedPtr> subscriptions_;
  rclcpp::Publisher<visualization_msgs::msg::MarkerArray>::SharedPtr publisher_;
  std::unique_ptr<tf2_ros::TransformBroadcaster> tf_;
  rclcpp::TimerBase::SharedPtr timer_;
};

}  // namespace stance_nodes
