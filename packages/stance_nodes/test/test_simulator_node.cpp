// The node alone, with its services, and the whole chain: simulator, topic, logger, file.
#include "stance_nodes/simulator_node.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <cstdlib>
#include <fstream>
#include <limits>
#include <sstream>

#include "joint_command.hpp"
#include "lifecycle_msgs/msg/state.hpp"
#include "spin.hpp"
#include "stance_msgs/msg/simulation_status.hpp"
#include "stance_msgs/srv/apply_wrench.hpp"
#include "stance_msgs/srv/inject_fault.hpp"
#include "stance_msgs/srv/reset.hpp"
#include "stance_msgs/srv/set_pause.hpp"
#include "stance_msgs/srv/step.hpp"
#include "stance_nodes/event_logger.hpp"

namespace stance_nodes {
namespace {

using lifecycle_msgs::msg::State;
using sensor_msgs::msg::JointState;

std::vector<std::string> lines(const std::string& path) {
  std::vector<std::string> all;
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) all.push_back(line);
  return all;
}

class SimulatorTest : public ::testing::Test {
 protected:
  static void SetUpTestSuite() { test::start_ros(73); }
  static void TearDownTestSuite() { rclcpp::shutdown(); }

  void SetUp() override { executor_.add_node(other_); }

  void make(std::vector<rclcpp::Parameter> parameters = {}) {
    parameters.emplace_back("scenario", STANCE_CONFIG "/compass.yaml");
    node_ = std::make_shared<SimulatorNode>(rclcpp::NodeOptions().parameter_overrides(parameters));
    executor_.add_node(node_->get_node_base_interface());
  }

  template <class Service>
  std::string call(const std::string& name, const typename Service::Request& request) {
    const auto client = other_->create_client<Service>("/stance/" + name);
    if (!client->wait_for_service(std::chrono::seconds(20))) return "no service";
    auto future = client->async_send_request(std::make_shared<typename Service::Request>(request));
    if (executor_.spin_until_future_complete(future, std::chrono::seconds(20)) !=
        rclcpp::FutureReturnCode::SUCCESS)
      return "no answer";
    const auto answer = future.get();
    return answer->success ? "" : "refused: " + answer->message;
  }

  rclcpp::executors::SingleThreadedExecutor executor_;
  std::shared_ptr<rclcpp::Node> other_ = std::make_shared<rclcpp::Node>("other");
  std::shared_ptr<SimulatorNode> node_;
};

TEST_F(SimulatorTest, GoesThroughItsLifecycle) {
  make();
  JointState joints;
  nav_msgs::msg::Odometry odometry;
  stance_msgs::msg::ContactStates contacts;
  const auto a = other_->create_subscription<JointState>("/joint_states", 10,
                                                         [&](const JointState& m) { joints = m; });
  const auto b = other_->create_subscription<nav_msgs::msg::Odometry>(
      "/stance/odom", 10, [&](const nav_msgs::msg::Odometry& m) { odometry = m; });
  const auto c = other_->create_subscription<stance_msgs::msg::ContactStates>(
      "/stance/contact_states", 10,
      [&](const stance_msgs::msg::ContactStates& m) { contacts = m; });
  EXPECT_EQ(node_->configure().id(), State::PRIMARY_STATE_INACTIVE);
  EXPECT_EQ(node_->activate().id(), State::PRIMARY_STATE_ACTIVE);
  ASSERT_TRUE(test::spin_until(executor_, [&] {
    return !joints.name.empty() && !contacts.contacts.empty() &&
           odometry.header.stamp == joints.header.stamp;
  }));
  EXPECT_THAT(joints.name, ::testing::ElementsAre("right_hip"));
  EXPECT_EQ(odometry.header.frame_id, "world");
  EXPECT_EQ(odometry.child_frame_id, "hip");
  EXPECT_GT(odometry.pose.pose.position.z, 0.8);
  ASSERT_EQ(contacts.contacts.size(), 2u);
  EXPECT_NE(contacts.contacts[0].support, contacts.contacts[1].support);
  for (const auto& foot : contacts.contacts) {
    if (foot.support) EXPECT_GT(foot.wrench.force.z, 5) << "carries the robot";
    if (!foot.support) EXPECT_EQ(foot.wrench.force.z, 0);
  }
  EXPECT_EQ(node_->deactivate().id(), State::PRIMARY_STATE_INACTIVE);
  EXPECT_EQ(node_->activate().id(), State::PRIMARY_STATE_ACTIVE);
  EXPECT_EQ(node_->deactivate().id(), State::PRIMARY_STATE_INACTIVE);
  EXPECT_EQ(node_->cleanup().id(), State::PRIMARY_STATE_UNCONFIGURED);
  EXPECT_EQ(node_->configure().id(), State::PRIMARY_STATE_INACTIVE);
}

TEST_F(SimulatorTest, StaysUnconfiguredWithoutAScenario) {
  for (const auto& parameters : std::vector<std::vector<rclcpp::Parameter>>{
           {{"scenario", ""}}, {{"scenario", "no/such.yaml"}}}) {
    SimulatorNode node(rclcpp::NodeOptions().parameter_overrides(parameters));
    EXPECT_EQ(node.configure().id(), State::PRIMARY_STATE_UNCONFIGURED);
  }
  for (const char* name : {"rate", "real_time_factor", "status_rate"}) {
    make({{name, -1.0}});
    EXPECT_EQ(node_->configure().id(), State::PRIMARY_STATE_UNCONFIGURED) << name;
  }
}

TEST_F(SimulatorTest, AnswersTheTestBench) {
  make({{"autostart", true}, {"status_rate", 100.0}});
  stance_msgs::msg::SimulationStatus status;
  const auto subscription = other_->create_subscription<stance_msgs::msg::SimulationStatus>(
      "/stance/simulation_status", 10,
      [&](const stance_msgs::msg::SimulationStatus& m) { status = m; });
  ASSERT_TRUE(test::spin_until(executor_, [&] { return status.steps > 0; }));

  stance_msgs::srv::SetPause::Request pause;
  pause.paused = true;
  ASSERT_EQ(call<stance_msgs::srv::SetPause>("set_pause", pause), "");
  ASSERT_TRUE(test::spin_until(executor_, [&] { return status.paused; }));
  const auto before = status.steps;
  stance_msgs::srv::Step::Request step;
  step.steps = 7;
  ASSERT_EQ(call<stance_msgs::srv::Step>("step", step), "");
  ASSERT_TRUE(test::spin_until(executor_, [&] { return status.steps >= before + 7; }));
  EXPECT_EQ(status.steps, before + 7);

  stance_msgs::srv::ApplyWrench::Request push;
  push.link = "hip";
  push.wrench.force.x = 1;
  push.duration = 0.1;
  EXPECT_EQ(call<stance_msgs::srv::ApplyWrench>("apply_wrench", push), "");
  push.link = "tail";
  EXPECT_THAT(call<stance_msgs::srv::ApplyWrench>("apply_wrench", push),
              ::testing::HasSubstr("tail"));
  stance_msgs::srv::InjectFault::Request fault;
  fault.kind = stance_msgs::srv::InjectFault::Request::TORQUE_LOSS;
  fault.amount = 0.5;
  EXPECT_EQ(call<stance_msgs::srv::InjectFault>("inject_fault", fault), "");

  ASSERT_EQ(call<stance_msgs::srv::Reset>("reset", stance_msgs::srv::Reset::Request()), "");
  ASSERT_TRUE(test::spin_until(executor_, [&] { return status.epoch == 1; }));
  EXPECT_EQ(status.steps, 0u) << "it is still paused";
}

TEST_F(SimulatorTest, SaysThatItIsNotActive) {
  make();
  ASSERT_EQ(node_->configure().id(), State::PRIMARY_STATE_INACTIVE);
  EXPECT_EQ(call<stance_msgs::srv::Reset>("reset", stance_msgs::srv::Reset::Request()),
            "refused: the simulator is not active; activate it first");
}

TEST_F(SimulatorTest, TakesCommands) {
  make({{"autostart", true}});
  const auto publisher = other_->create_publisher<JointState>("/stance/joint_commands", 10);
  JointState joints, command;
  const auto subscription = other_->create_subscription<JointState>(
      "/joint_states", 10, [&](const JointState& m) { joints = m; });
  command.name = {"right_hip"};
  command.effort = {0.25};
  EXPECT_TRUE(test::spin_until(executor_, [&] {
    publisher->publish(command);
    return !joints.effort.empty() && joints.effort[0] == 0.25;
  }));
}

TEST_F(SimulatorTest, ReadsCommandsFromFilledLists) {
  JointState message;
  message.name = {"a", "b"};
  EXPECT_EQ(commands_of(message), stance::kNoCommand);
  message.position = {1, std::numeric_limits<double>::quiet_NaN()};
  message.effort = {3, 4};
  EXPECT_TRUE(is_sound(message));
  EXPECT_EQ(commands_of(message), stance::kPositionCommand | stance::kEffortCommand);
  EXPECT_EQ(command_of(message, 0).position, 1);
  EXPECT_TRUE(std::isnan(command_of(message, 1).position));
  EXPECT_EQ(command_of(message, 1).effort, 4);
  EXPECT_TRUE(std::isnan(command_of(message, 0).velocity));
  message.effort = {3};
  EXPECT_FALSE(is_sound(message));
}

// To the last digit: what came over the topic is what `stance run` writes.
TEST_F(SimulatorTest, IsLoggedAsARunIs) {
  ASSERT_EQ(std::system(STANCE_PROGRAM " run " STANCE_CONFIG
                                       "/compass.yaml --out run --duration 10 > run.log 2>&1"),
            0);
  const auto expected = lines("run/events.csv");
  ASSERT_GT(expected.size(), 20u);
  const auto logger = std::make_shared<EventLogger>(
      rclcpp::NodeOptions().parameter_overrides({{"file", "node.csv"}}));
  executor_.add_node(logger);
  make({{"autostart", true}, {"real_time_factor", 0.0}});
  ASSERT_TRUE(
      test::spin_until(executor_, [&] { return logger->written() + 1 >= expected.size(); }));
  std::vector<std::string> written;
  ASSERT_TRUE(test::spin_until(executor_, [&] {
    written = lines("node.csv");
    return written.size() >= expected.size();
  }));
  EXPECT_EQ(logger->lost(), 0u);
  written.resize(expected.size());
  EXPECT_EQ(written, expected);
}

}  // namespace
}  // namespace stance_nodes
