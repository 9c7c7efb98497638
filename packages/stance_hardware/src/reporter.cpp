#include "reporter.hpp"

#include <utility>

#include "event_qos.hpp"
#include "to_message.hpp"

namespace stance {

using namespace std::chrono_literals;

namespace {

constexpr std::int64_t kLongestStall = 2'000'000'000;  // ns

std::int64_t wall_now() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

}  // namespace

Reporter::Reporter(std::shared_ptr<rclcpp::Node> node, LockStep& lock_step,
                   const HardwareSettings& settings, const char* caller)
    : node_(std::move(node)),
      lock_step_(lock_step),
      settings_(settings),
      caller_(caller),
      standing_(lock_step.plant().simulator().settings()),
      stalls_(kLongestStall) {
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
  next_status_ = Steady::now();
  const auto nap = settings_.clock ? 50us : 1000us;  // the controller manager waits for the clock
  while (!stop_ && rclcpp::ok(context)) {
    try {
      publish_events();
      publish_status();
      if (clock_) publish_clock();
      watch_for_stalls();
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
    const auto message = to_message(event_, lock_step_.plant().model());
    events_->publish(message);  // if it throws, the event waits
    waits_ = false;
    quiet = false;
    if (event_.event.kind == EventKind::kFall) {
      RCLCPP_WARN(node_->get_logger(),
                  "the robot has fallen: '%s' touched the ground at %.6f s; it lies there until it "
                  "is reset",
                  message.foot.c_str(), message.time);
    }
    // a foot that lands and one that lifts off at the same instant are one change
    if (changed_ && event_.stamp != changed_at_) publish_support();
    if (!standing_.follow(event_)) continue;
    changed_ = true;
    changed_at_ = event_.stamp;
  }
  if (changed_ && quiet) publish_support();
}

void Reporter::publish_support() {
  changed_ = false;
  support_->publish(to_message(standing_.standing(), changed_at_, lock_step_.plant()));
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
  auto message = to_message(report, lock_step_.period(), plant.model());
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
  (void)standing_.follow(report);
  if (changed_ || !standing_.is_at(report)) return;  // what is on its way comes first
  changed_at_ = report.stamp;
  publish_support();
}

// ---- clock

void Reporter::publish_clock() {
  const auto time = pacer_.tick(wall_now(), lock_step_.period(), settings_.real_time_factor,
                                lock_step_.clock());
  if (!time) return;
  rosgraph_msgs::msg::Clock message;
  message.clock = to_time(*time);
  clock_->publish(message);
}

void Reporter::watch_for_stalls() {
  if (!stalls_.stalls(wall_now(), lock_step_.cycles(), lock_step_.clock().running())) return;
  if (clock_) {
    RCLCPP_WARN(node_->get_logger(),
                "the simulation has stood still for 2 s: the %s runs no cycles, although the clock "
                "was published again %lu times so far",
                caller_, static_cast<unsigned long>(pacer_.nudges()));
  } else {
    RCLCPP_WARN(node_->get_logger(),
                "the simulation has stood still for 2 s: the %s runs no cycles", caller_);
  }
}

}  // namespace stance
