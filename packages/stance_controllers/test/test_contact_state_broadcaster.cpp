#include "stance_controllers/contact_state_broadcaster.hpp"

#include <gmock/gmock.h>

#include <chrono>

#include "lent_interfaces.hpp"
#include "pluginlib/class_loader.hpp"
#include "support/count_heap.hpp"

namespace stance_controllers {
namespace {

using namespace std::chrono_literals;
using controller_interface::CallbackReturn;
using controller_interface::return_type;
using stance::test::CountHeap;
using stance::test::LentInterfaces;
using stance_msgs::msg::ContactState;

const rclcpp_lifecycle::State kState;
const rclcpp::Duration kPeriod(0, 1000000);

class Broadcaster : public ::testing::Test {
 protected:
  static void SetUpTestSuite() { rclcpp::init(0, nullptr); }
  static void TearDownTestSuite() { rclcpp::shutdown(); }

  void configure(const std::vector<rclcpp::Parameter>& parameters) {
    ASSERT_EQ(stance::test::init(broadcaster_, "feet", parameters), return_type::OK);
    ASSERT_EQ(broadcaster_.on_configure(kState), CallbackReturn::SUCCESS);
    lend(hardware_, broadcaster_);
    ASSERT_EQ(broadcaster_.on_activate(kState), CallbackReturn::SUCCESS);
  }
  void set(const std::string& foot, double contact, double force_z) {
    hardware_[foot + "/contact"] = hardware_[foot + "/contact_raw"] = contact;
    hardware_[foot + "/support"] = contact;
    hardware_[foot + "/slip"] = 0;
    for (const char* name : {"force.x", "force.y", "torque.x", "torque.y", "torque.z"})
      hardware_[foot + "/" + name] = 0;
    hardware_[foot + "/force.z"] = force_z;
    const char* motion[] = {"force_now.x",
                            "force_now.y",
                            "force_now.z",
                            "position.x",
                            "position.y",
                            "position.z",
                            "orientation.x",
                            "orientation.y",
                            "orientation.z",
                            "orientation.w",
                            "linear_velocity.x",
                            "linear_velocity.y",
                            "linear_velocity.z",
                            "angular_velocity.x",
                            "angular_velocity.y",
                            "angular_velocity.z",
                            "normal.x",
                            "normal.y",
                            "normal.z"};
    double number = 100;
    for (const char* name : motion) hardware_[foot + "/" + name] = ++number;
  }

  LentInterfaces hardware_;
  ContactStateBroadcaster broadcaster_;
};

TEST_F(Broadcaster, PublishesEveryFootAlsoInTheAir) {
  configure({{"sensors", std::vector<std::string>{"left_foot", "right_foot"}}});
  EXPECT_EQ(broadcaster_.state_interface_configuration().names.size(), 58u);
  EXPECT_TRUE(broadcaster_.command_interface_configuration().names.empty());

  stance_msgs::msg::ContactStates heard;
  const auto listener = std::make_shared<rclcpp::Node>("listener");
  const auto subscription = listener->create_subscription<stance_msgs::msg::ContactStates>(
      "/feet/contact_states", 10, [&](const stance_msgs::msg::ContactStates& m) { heard = m; });
  set("left_foot", 1, 39.2);
  set("right_foot", 0, 0);
  // RealtimePublisher hands one message over at a time, and discovery takes its time
  for (int k = 0; k < 500 && heard.contacts.empty(); ++k) {
    ASSERT_EQ(broadcaster_.update(rclcpp::Time(12, 345), kPeriod), return_type::OK);
    rclcpp::spin_some(listener);
    rclcpp::sleep_for(10ms);
  }
  ASSERT_EQ(heard.contacts.size(), 2u);
  EXPECT_EQ(heard.header.frame_id, "world");
  EXPECT_EQ(heard.header.stamp.sec, 12);
  EXPECT_EQ(heard.header.stamp.nanosec, 345u);
  const ContactState &left = heard.contacts[0], &right = heard.contacts[1];
  EXPECT_EQ(left.name, "left_foot");
  EXPECT_EQ(left.status, ContactState::ACTIVE);
  EXPECT_TRUE(left.contact_raw && left.support);
  EXPECT_EQ(left.wrench.force.z, 39.2);
  EXPECT_EQ(left.force_now.z, 103);
  EXPECT_EQ(left.pose.position.x, 104);
  EXPECT_EQ(left.pose.orientation.z, 109);
  EXPECT_EQ(left.pose.orientation.w, 110);
  EXPECT_EQ(left.velocity.linear.y, 112);
  EXPECT_EQ(left.velocity.angular.z, 116);
  EXPECT_EQ(left.surface_normal.z, 119);
  EXPECT_EQ(right.name, "right_foot");
  EXPECT_EQ(right.status, ContactState::INACTIVE);
  EXPECT_FALSE(right.contact_raw || right.support);
  EXPECT_EQ(right.wrench.force.z, 0);
  EXPECT_EQ(broadcaster_.on_deactivate(kState), CallbackReturn::SUCCESS);
}

TEST_F(Broadcaster, UpdatesWithoutTheHeap) {
  if (!CountHeap::works()) GTEST_SKIP() << "a sanitizer owns the heap";
  configure({{"sensors", std::vector<std::string>{"left_foot", "right_foot"}}});
  set("left_foot", 1, 39.2);
  set("right_foot", 0, 0);
  const rclcpp::Time time(1, 0);
  const CountHeap heap;
  for (int k = 0; k < 1000; ++k) (void)broadcaster_.update(time, kPeriod);
  EXPECT_EQ(heap.calls(), 0);
}

TEST_F(Broadcaster, TakesSensorsThatHaveLess) {
  configure({{"sensors", std::vector<std::string>{"toe"}},
             {"interfaces", std::vector<std::string>{"contact"}},
             {"frame_id", "odom"}});
  EXPECT_THAT(broadcaster_.state_interface_configuration().names,
              ::testing::ElementsAre("toe/contact"));
}

TEST_F(Broadcaster, RefusesWhatItCannotRead) {
  ASSERT_EQ(stance::test::init(broadcaster_, "feet", {}), return_type::OK);
  EXPECT_EQ(broadcaster_.on_configure(kState), CallbackReturn::ERROR);
  ContactStateBroadcaster other;
  ASSERT_EQ(stance::test::init(other, "others",
                               {{"sensors", std::vector<std::string>{"toe"}},
                                {"interfaces", std::vector<std::string>{"contact", "smell"}}}),
            return_type::OK);
  EXPECT_EQ(other.on_configure(kState), CallbackReturn::ERROR);
}

TEST_F(Broadcaster, IsAPlugin) {
  pluginlib::ClassLoader<controller_interface::ControllerInterface> loader(
      "controller_interface", "controller_interface::ControllerInterface");
  EXPECT_NE(loader.createSharedInstance("stance_controllers/ContactStateBroadcaster"), nullptr);
}

}  // namespace
}  // namespace stance_controllers
