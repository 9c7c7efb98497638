// The simulator as a lifecycle node, without ros2_control. Topics and services are those of the hardware component of
// stance_hardware, under the same names, so that whatever listens to the one listens to the other.
//
//   scenario          the file; must be given
//   rate              Hz, of the cycles: in each, commands are taken, the plant steps, and its state is published; 100
//   real_time_factor  1; 0: as fast as it goes
//   clock             publish /clock; false
//   status_rate       Hz, 10
//   keyframe          of the scenario, to start in; empty: its initial state
//   autostart         configure and activate without being told; false
//
//   /joint_states, stance/odom, tf of the base, stance/contact_states     every cycle, with one stamp
//   stance/contact_events, stance/support_state, stance/simulation_status stance_hardware/reporter.hpp
//   stance/reset, set_pause, step, apply_wrench, inject_fault             stance_hardware/test_bench.hpp
//   stance/joint_commands (sensor_msgs/JointState)                        joint_command.hpp
//
// configure loads the scenario, activate runs it, deactivate stops time; cleanup and configure begin anew.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "nav_msgs/msg/odometry.hpp"
#include "rclcpp/rclcpp.hpp"
#include "rclcpp_lifecycle/lifecycle_node.hpp"
#include "sensor_msgs/msg/joint_state.hpp"
#include "stance_core/plant/lock_step.hpp"
#include "stance_hardware/reporter.hpp"
#include "stance_hardware/test_bench.hpp"
#include "stance_msgs/msg/contact_states.hpp"
#include "stance_nodes/transform_broadcaster.hpp"

namespace stance_nodes {

struct Readings;

class SimulatorNode : public rclcpp_lifecycle::LifecycleNode {
 public:
  using CallbackReturn = rclcpp_lifecycle::node_interfaces::LifecycleNodeInterface::CallbackReturn;

  explicit SimulatorNode(const rclcpp::NodeOptions& options = rclcpp::NodeOptions());
  ~SimulatorNode() override;

  CallbackReturn on_configure(const rclcpp_lifecycle::State& previous) override;
  CallbackReturn on_activate(const rclcpp_lifecycle::State& previous) override;
  CallbackReturn on_deactivate(const rclcpp_lifecycle::State& previous) override;
  CallbackReturn on_cleanup(const rclcpp_lifecycle::State& previous) override;
  CallbackReturn on_shutdown(const rclcpp_lifecycle::State& previous) override;

 private:
  struct JointCommand {
    stance::JointId joint;
    stance::CommandSet set = stance::kNoCommand;
    stance::Command command;
  };

  stance::Result<stance::HardwareSettings> read_parameters() const;
  void take_commands(const sensor_msgs::msg::JointState& message);
  void run();
  void apply_commands();
  void publish_readings();
  void stop_thread();
  void forget();

  stance::HardwareSettings settings_;
  std::unique_ptr<stance::LockStep> lock_step_;
  std::unique_ptr<Readings> readings_;
  std::shared_ptr<rclcpp::Node> stance_;  // carries what the hardware component's node would
  std::unique_ptr<stance::Reporter> reporter_;
  std::unique_ptr<stance::TestBench> test_bench_;

  rclcpp::Publisher<sensor_msgs::msg::JointState>::SharedPtr joints_;
  rclcpp::Publisher<nav_msgs::msg::Odometry>::SharedPtr odometry_;
  rclcpp::Publisher<stance_msgs::msg::ContactStates>::SharedPtr contacts_;
  std::unique_ptr<tf2_ros::TransformBroadcaster> tf_;
  rclcpp::Subscription<sensor_msgs::msg::JointState>::SharedPtr commands_;
  rclcpp::TimerBase::SharedPtr autostart_;

  std::mutex mutex_;                   // of waiting_
  std::vector<JointCommand> waiting_;  // commands that the stepping thread has not seen
  std::atomic<bool> active_{false};
  std::thread thread_;
};

}  // namespace stance_nodes
