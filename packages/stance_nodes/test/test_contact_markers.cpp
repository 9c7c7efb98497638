#include "stance_nodes/contact_markers.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <map>

#include "markers.hpp"
#include "spin.hpp"
#include "stance_hardware/event_qos.hpp"
#include "topics.hpp"

namespace stance_nodes {
namespace {

using visualization_msgs::msg::Marker;
using visualization_msgs::msg::MarkerArray;

class Markers : public ::testing::Test {
 protected:
  static void SetUpTestSuite() { test::start_ros(72); }
  static void TearDownTestSuite() { rclcpp::shutdown(); }
};

TEST_F(Markers, HaveTheirShapes) {
  MarkerId id;
  id.header.frame_id = "world";
  id.ns = "contacts";
  id.id = 3;
  const Marker ball = sphere(id, {1, 2, 3}, 0.1, kRootColour);
  EXPECT_EQ(ball.header.frame_id, "world");
  EXPECT_EQ(ball.ns, "contacts");
  EXPECT_EQ(ball.id, 3);
  EXPECT_EQ(ball.type, Marker::SPHERE);
  EXPECT_EQ(ball.pose.position.y, 2);
  EXPECT_EQ(ball.pose.orientation.w, 1);
  EXPECT_EQ(ball.scale.z, 0.1);
  EXPECT_EQ(ball.color.b, kRootColour.b);
  EXPECT_EQ(disc(id, {1, 2, 3}, 0.1, kRootColour).type, Marker::CYLINDER);
  const Marker shot = arrow(id, {{0, 0, 1}, {0, 0, 2}, 0.01, 0.02}, kImpulseColour, 0.5);
  EXPECT_EQ(shot.type, Marker::ARROW);
  ASSERT_EQ(shot.points.size(), 2u);
  EXPECT_EQ(shot.points[1].z, 2);
  EXPECT_EQ(shot.scale.y, 0.02);
  EXPECT_EQ(shot.color.a, 0.5F);
  EXPECT_EQ(removal(id).action, Marker::DELETE);
}

TEST_F(Markers, ShowTheCompassOnItsLeftFoot) {
  const auto shown = std::make_shared<ContactMarkers>(
      rclcpp::NodeOptions().parameter_overrides({{"contacts", "contacts"}, {"odom", "odom"}}));
  const auto talker = std::make_shared<rclcpp::Node>("talker");
  std::map<std::string, Marker> markers;
  const auto listener = talker->create_subscription<MarkerArray>(
      "/contact_markers/markers", 10, [&](const MarkerArray& array) {
        for (const Marker& m : array.markers) markers[m.ns + std::to_string(m.id)] = m;
      });
  const auto robot = talker->create_publisher<std_msgs::msg::String>(
      "/robot_description", rclcpp::QoS(1).reliable().transient_local());
  const auto joints = talker->create_publisher<sensor_msgs::msg::JointState>("/joint_states", 10);
  const auto odometry = talker->create_publisher<nav_msgs::msg::Odometry>("odom", 10);
  const auto contacts = talker->create_publisher<stance_msgs::msg::ContactStates>("contacts", 10);
  const auto events = talker->create_publisher<stance_msgs::msg::ContactEvent>(kEventTopic,
                                                                               stance::event_qos());
  std_msgs::msg::String description;
  description.data = *stance::read_robot_file(STANCE_URDF "/compass.urdf");
  robot->publish(description);
  stance_msgs::msg::ContactEvent event;
  event.header.stamp.sec = 10;
  event.sequence = 5;
  event.impulse.z = 2;
  events->publish(event);

  // hip at (3, 0, 1), the left leg straight down, the right one a quarter turn back
  sensor_msgs::msg::JointState joint;
  joint.name = {"right_hip"};
  joint.position = {M_PI / 2};
  nav_msgs::msg::Odometry odom;
  odom.header.stamp.sec = 10;
  odom.header.stamp.nanosec = 500000000;
  odom.header.frame_id = "world";
  odom.pose.pose.position.x = 3;
  odom.pose.pose.position.z = 1;
  odom.pose.pose.orientation.w = 1;
  stance_msgs::msg::ContactStates states;
  states.contacts.resize(2);
  states.contacts[0].name = "left_foot";
  states.contacts[0].status = stance_msgs::msg::ContactState::ACTIVE;
  states.contacts[0].support = true;
  states.contacts[1].name = "right_foot";
  states.contacts[1].status = stance_msgs::msg::ContactState::INACTIVE;

  rclcpp::executors::SingleThreadedExecutor executor;
  executor.add_node(shown);
  executor.add_node(talker);
  ASSERT_TRUE(test::spin_until(executor, [&] {
    joints->publish(joint), odometry->publish(odom), contacts->publish(states);
    return markers.count("impulses5") > 0 && markers.count("contacts0") > 0 &&
           markers["center_of_mass0"].pose.position.x < 2.9;
  }));
  EXPECT_NEAR(markers["contacts0"].pose.position.x, 3, 1e-12);
  EXPECT_NEAR(markers["contacts0"].pose.position.z, 0, 1e-12);
  EXPECT_EQ(markers["contacts1"].action, Marker::DELETE);
  EXPECT_NEAR(markers["root0"].pose.position.x, 3, 1e-12);
  // 2 kg at the hip, 1 kg half a metre below it, 1 kg half a metre behind it
  EXPECT_NEAR(markers["center_of_mass0"].pose.position.x, 3 - 0.125, 1e-12);
  EXPECT_NEAR(markers["center_of_mass0"].pose.position.z, 1 - 0.125, 1e-12);
  EXPECT_NEAR(markers["impulses5"].points[1].z, 0.2, 1e-12);
  EXPECT_NEAR(markers["impulses5"].color.a, 0.5, 1e-6);  // half of its second is over

  odom.header.stamp.sec = 12;
  ASSERT_TRUE(test::spin_until(executor, [&] {
    odometry->publish(odom);
    return markers["impulses5"].action == Marker::DELETE;
  }));
}

TEST_F(Markers, RefuseARateOfZero) {
  EXPECT_THROW(ContactMarkers(rclcpp::NodeOptions().parameter_overrides({{"rate", 0.0}})),
               std::runtime_error);
}

}  // namespace
}  // namespace stance_nodes
