// The thread that tells the world: every event, the support at each change, the status now and then, and the clock.
//
// It looks at the lock-step every millisecond, or more often if it makes the clock, and takes what is there; the
// real-time thread neither waits for it nor wakes it. What a user must know it logs: a fall, a command that was refused, and
// a simulation that nobody runs any more.
#pragma once

#include <atomic>
#include <chrono>
#include <memory>
#include <thread>

#include "rclcpp/rclcpp.hpp"
#include "rosgraph_msgs/msg/clock.hpp"
#include "stance_core/plant/clock_pacer.hpp"
#include "stance_core/plant/standing.hpp"
#include "stance_model/wiring.hpp"
#include "stance_msgs/msg/contact_event.hpp"
#include "stance_msgs/msg/simulation_status.hpp"
#include "stance_msgs/msg/support_state.hpp"

namespace stance {

class Reporter {
 public:
  // The lock-step must outlive it. `caller`: who calls its cycle(), in a user's words.
  Reporter(std::shared_ptr<rclcpp::Node> node, LockStep& lock_step,
           const HardwareSettings& settings, const char* caller);
  // Publishes what still waits.
  ~Reporter();

 private:
  using Steady = std::chrono::steady_clock;

  void run();
  void publish_events();
  void publish_support();
  void publish_status();
  void publish_clock();
  void watch_for_stalls();

  std::shared_ptr<rclcpp::Node> node_;
  LockStep& lock_step_;
  HardwareSettings settings_;
  const char* caller_;
  rclcpp::Publisher<stance_msgs::msg::ContactEvent>::SharedPtr events_;
  rclcpp::Publisher<stance_msgs::msg::SupportState>::SharedPtr support_;
  rclcpp::Publisher<stance_msgs::msg::SimulationStatus>::SharedPtr status_;
  rclcpp::Publisher<rosgraph_msgs::msg::Clock>::SharedPtr clock_;

  StampedEvent event_;  // taken, and not published yet if it waits
  bool waits_ = false;
  StandingWatch standing_;
  bool changed_ = false;  // who stands, and nobody was told yet
  std::int64_t changed_at_ = 0;
  std::uint64_t refused_ = 0;
  Steady::time_point next_status_;
  ClockPacer pacer_;
  StallWatch stalls_;

  std::atomic<bool> stop_{false};
  std::thread thread_;
};

}  // namespace stance
