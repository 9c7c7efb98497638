#include "reporter.hpp"

#include <utility>

#include "event_qos.hpp"
#include "to_message.hpp"

namespace stance {

using namespace std::chrono_literals;

Reporter::Reporter(std::shared_ptr<rclcpp::Node> node, LockStep& lock_step,
                   const HardwareSettings& settings)
    : node_(std::move(node)), lock_step_(lock_step), settings_(settings) {
  events_ = node_->create_publisher<stance_msgs::msg::ContactEvent>("~/contact_events",
                                                                    event_qos());
  support_ = node_->create_publisher<stance_msgs::msg::SupportState>(
      "~/support_state", rclcpp::QoS(10).reliable().transient_local());
  status_ = node_->create_publisher<stance_msgs::msg::SimulationStatus>("~/simulation_status", 10);
  if (settings_.clock)
    clock_ = node_->create_publisher<rosgraph_msgs::msg::Clock>("/clock", rclcpp::ClockQoS());
  thread_ = std::thread([this] { run(); });
}

Reporter::~Reporter() {
  stop_ = true;
  thread_.join();
  try {
    if (rclcpp::ok(node_->get_node_base_interface()->get_context())) publish_events();
  } catch (const std::exception& error) {
    RCLCPP_ERROR(node_->get_logger(), "the last events are lost: %s", error.what());
  }
}

void Reporter::run() {
  const auto context = node_->get_node_base_interface()->get_context();
  next_status_ = last_tick_ = clock_origin_ = Steady::now();
  const auto nap = settings_.clock ? 50us : 1000us;  // the controller manager waits for the clock
  while (!stop_ && rclcpp::ok(context)) {
    try {
      publish_events();
      publish_status();
      if (clock_) publish_clock();
    } catch (const std::exception& error) {  // a middleware that is overfull, or going down
      RCLCPP_WARN_THROTTLE(node_->get_logger(), *node_->get_clock(), 5000, "cannot publish: %s",
                           error.what());
    }
    std::this_thread::sleep_for(nap);
  }
}

void Reporter::publish_events() {
  bool quiet = true;
  while (waits_ || (waits_ = lock_step_.pop(event_))) {
    events_->publish(
        to_message(event_, lock_step_.plant().model()));  // if it throws, the event waits
    waits_ = false;
    quiet = false;
    // a foot that lands and one that lifts off at the same instant are one change
    if (changed_ && event_.stamp != changed_at_) publish_support(changed_at_);
    follow_support(event_);
  }
  if (changed_ && quiet) publish_support(changed_at_);
}

// ---- support

void Reporter::follow_support(const StampedEvent& stamped) {
  const Model& model = lock_step_.plant().model();
  const ContactEvent& event = stamped.event;
  if (stamped.epoch != epoch_) {  // a reset
    epoch_ = stamped.epoch;
    support_state_.touchdowns = 0;
    feet_.clear();
  }
  const std::string foot = frame_name(model, event.frame), root = frame_name(model, event.root);
  if (event.kind == EventKind::kTouchdown) {
    feet_.insert(foot);
    ++support_state_.touchdowns;
    support_state_.point.x = event.point_W.x;
    support_state_.point.y = event.point_W.y;
    support_state_.point.z = event.point_W.z;
  } else if (event.kind == EventKind::kLiftoff) {
    feet_.erase(foot);
  } else {
    return;
  }
  if (!known_support_ || root != support_state_.support)
    support_state_.since = to_time(stamped.stamp);
  known_support_ = true;
  support_state_.support = root;
  if (root.empty()) support_state_.point = geometry_msgs::msg::Point();
  changed_ = true;
  changed_at_ = stamped.stamp;
}

void Reporter::publish_support(std::int64_t stamp) {
  using Message = stance_msgs::msg::SupportState;
  changed_ = false;
  support_state_.header.stamp = to_time(stamp);
  support_state_.header.frame_id = kWorldFrame;
  support_state_.feet.assign(feet_.begin(), feet_.end());
  support_state_.phase = feet_.empty()       ? Message::FLIGHT
                         : feet_.size() == 1 ? Message::SINGLE
                         : feet_.size() == 2 ? Message::DOUBLE
                                             : Message::MULTIPLE;
  support_->publish(support_state_);
}

// ---- status

void Reporter::publish_status() {
  if (Steady::now() >= next_status_) {
    next_status_ += std::chrono::duration_cast<Steady::duration>(
        std::chrono::duration<double>(1 / settings_.status_rate));
    next_status_ = std::max(next_status_, Steady::now());
    lock_step_.want_report();
  }
  if (!lock_step_.update_report()) return;
  const Report& report = lock_step_.report();
  const Plant& plant = lock_step_.plant();
  auto message = to_message(report, lock_step_.period());
  if (!settings_.clock)
    message.lag = 1e-9 * static_cast<double>(node_->now().nanoseconds() - report.stamp);
  status_->publish(message);
  if (report.refused_commands > refused_) {
    refused_ = report.refused_commands;
    const std::string whose =
        report.refused_joint.valid()
            ? "joint '" + std::string(plant.model().joints[report.refused_joint].name.view()) + "'"
            : std::string("gpio 'push_off'");
    RCLCPP_WARN_THROTTLE(
        node_->get_logger(), *node_->get_clock(), 1000,
        "%s: a command is infinite, or a gain or an impulse below zero; the last good one "
        "holds (%lu refused so far)",
        whose.c_str(), static_cast<unsigned long>(refused_));
  }
  if (!known_support_ && report.events == 0) {  // it has stood there from the start
    known_support_ = true;
    const auto& settings = plant.simulator().settings();
    for (int i = 0; i < settings.foot_count; ++i) {
      if (report.contact[static_cast<std::size_t>(i)])
        feet_.insert(frame_name(plant.model(), settings.feet[static_cast<std::size_t>(i)].frame));
    }
    if (report.support_foot >= 0) {
      support_state_.support = frame_name(
          plant.model(), settings.feet[static_cast<std::size_t>(report.support_foot)].frame);
    }
    support_state_.since = to_time(report.stamp);
  }
  if (!changed_) publish_support(report.stamp);
}

// ---- clock

// Each tick once it is due, and the last one again after a while: a clock message may get lost, and the controller manager
// would wait for ever. While nothing runs the clock goes with the wall.
void Reporter::publish_clock() {
  const auto now = Steady::now();
  const auto since = [&](Steady::time_point t) {
    return std::chrono::duration_cast<std::chrono::nanoseconds>(now - t).count();
  };
  SimulationClock& clock = lock_step_.clock();
  if (!clock.running() && since(last_tick_) >= lock_step_.period()) {
    last_tick_ = now;
    clock.idle(lock_step_.period());
    clock_origin_ = now;
    clock_start_ = clock.now();
  }
  const std::int64_t time = clock.now();
  const double pace = settings_.real_time_factor;
  const bool due = pace == 0 || !clock.running() ||
                   static_cast<double>(time - clock_start_) <=
                       pace * static_cast<double>(since(clock_origin_));
  const bool again = time == clock_sent_;
  if (again ? since(clock_sent_at_) < 10'000'000 : !due) return;
  rosgraph_msgs::msg::Clock message;
  message.clock = to_time(time);
  clock_->publish(message);
  clock_sent_ = time;
  clock_sent_at_ = now;
}

}  // namespace stance
