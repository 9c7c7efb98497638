// The thread that tells the world: every event, the support at each change, the status now and then, and the clock.
//
// It looks at the lock-step every millisecond, or more often if it makes the clock, and takes what is there; the
// real-time thread neither waits for it nor wakes it.
#pragma once

#include <atomic>
#include <chrono>
#include <memory>
#include <set>
#include <thread>

#include "rclcpp/rclcpp.hpp"
#include "rosgraph_msgs/msg/clock.hpp"
#include "stance_core/plant/lock_step.hpp"
#include "stance_model/wiring.hpp"
#include "stance_msgs/msg/contact_event.hpp"
#include "stance_msgs/msg/simulation_status.hpp"
#include "stance_msgs/msg/support_state.hpp"

namespace stance {

class Reporter {
 public:
  // The lock-step must outlive it.
  Reporter(std::shared_ptr<rclcpp::Node> node, LockStep& lock_step,
           const HardwareSettings& settings);
  // Publishes what still waits.
  ~Reporter();

 private:
  using Steady = std::chrono::steady_clock;

  void run();
  void publish_events();
  void follow_support(const StampedEvent& event);
  void publish_support(std::int64_t stamp);
  void publish_status();
  void publish_clock();

  std::shared_ptr<rclcpp::Node> node_;
  LockStep& lock_step_;
  HardwareSettings settings_;
  rclcpp::Publisher<stance_msgs::msg::ContactEvent>::SharedPtr events_;
  rclcpp::Publisher<stance_msgs::msg::SupportState>::SharedPtr support_;
  rclcpp::Publisher<stance_msgs::msg::SimulationStatus>::SharedPtr status_;
  rclcpp::Publisher<rosgraph_msgs::msg::Clock>::SharedPtr clock_;

  StampedEvent event_;  // taken, and not published yet if it waits
  bool waits_ = false;
  stance_msgs::msg::SupportState support_state_;
  std::set<std::string> feet_;
  std::uint64_t epoch_ = 0, refused_ = 0;
  bool known_support_ = false;
  bool changed_ = false;  // the support, and nobody was told yet
  std::int64_t changed_at_ = 0;
  Steady::time_point next_status_, last_tick_, clock_origin_;
  std::int64_t clock_start_ = 0, clock_sent_ = -1;
  Steady::time_point clock_sent_at_;

  std::atomic<bool> stop_{false};
  std::thread thread_;
};

}  // namespace stance
