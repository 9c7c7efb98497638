// Writes contact events to a CSV file, the same as `stance run` writes, and says when events are missing.
//
//   file    where to; events.csv by default, replaced if it is there
//   events  the topic, /stance/contact_events by default
#pragma once

#include <optional>

#include "rclcpp/rclcpp.hpp"
#include "stance_msgs/msg/contact_event.hpp"
#include "stance_report/event_table.hpp"

namespace stance_nodes {

class EventLogger : public rclcpp::Node {
 public:
  // Throws std::runtime_error where the file cannot be made.
  explicit EventLogger(const rclcpp::NodeOptions& options = rclcpp::NodeOptions());
  ~EventLogger() override;

  std::uint64_t written() const { return written_; }
  std::uint64_t lost() const { return watch_.lost(); }

 private:
  void take(const stance_msgs::msg::ContactEvent& event);
  void flush();

  std::optional<stance::EventTable> table_;
  stance::SequenceWatch watch_;
  std::uint64_t written_ = 0;
  bool fresh_ = false, troubled_ = false;
  rclcpp::Subscription<stance_msgs::msg::ContactEvent>::SharedPtr subscription_;
  rclcpp::TimerBase::SharedPtr timer_;
};

}  // namespace stance_nodes
