#include "stance_nodes/event_logger.hpp"

#include <chrono>
#include <stdexcept>
#include <utility>

#include "event_row.hpp"
#include "rclcpp_components/register_node_macro.hpp"
#include "stance_hardware/event_qos.hpp"
#include "topics.hpp"

namespace stance_nodes {

using namespace std::chrono_literals;

EventLogger::EventLogger(const rclcpp::NodeOptions& options) : Node("event_logger", options) {
  const auto file = declare_parameter<std::string>("file", "events.csv");
  const auto topic = declare_parameter<std::string>("events", kEventTopic);
  auto table = stance::EventTable::open(file);
  if (!table) throw std::runtime_error(table.error().text());
  table_.emplace(*std::move(table));
  subscription_ = create_subscription<stance_msgs::msg::ContactEvent>(
      topic, stance::event_qos(),
      [this](const stance_msgs::msg::ContactEvent& event) { take(event); });
  timer_ = create_wall_timer(200ms, [this] { flush(); });
  RCLCPP_INFO(get_logger(), "%s -> %s", subscription_->get_topic_name(), file.c_str());
}

EventLogger::~EventLogger() {
  table_->close();
  RCLCPP_INFO(get_logger(), "%lu events written, %lu lost", static_cast<unsigned long>(written_),
              static_cast<unsigned long>(lost()));
}

void EventLogger::take(const stance_msgs::msg::ContactEvent& event) {
  if (const auto missing = watch_.take(event.sequence); missing > 0) {
    RCLCPP_WARN(get_logger(), "%lu event%s before sequence %lu did not arrive",
                static_cast<unsigned long>(missing), missing > 1 ? "s" : "",
                static_cast<unsigned long>(event.sequence));
  }
  table_->add(to_row(event));
  ++written_;
  fresh_ = true;
}

// So that somebody who looks sees them.
void EventLogger::flush() {
  if (!fresh_) return;
  fresh_ = false;
  table_->flush();
  if (troubled_ || !table_->error()) return;
  troubled_ = true;
  RCLCPP_ERROR(get_logger(), "%s", table_->error()->text().c_str());
}

}  // namespace stance_nodes

RCLCPP_COMPONENTS_REGISTER_NODE(stance_nodes::EventLogger)
