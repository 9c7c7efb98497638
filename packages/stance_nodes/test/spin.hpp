// Nodes in one executor, until something has come true. Domains differ from program to program.
#pragma once

#include <chrono>
#include <functional>
#include <string>

#include "rclcpp/rclcpp.hpp"

namespace stance_nodes::test {

// True as soon as `done` is; false after twenty seconds.
inline bool spin_until(rclcpp::executors::SingleThreadedExecutor& executor,
                       const std::function<bool()>& done) {
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(20);
  while (std::chrono::steady_clock::now() < deadline) {
    if (done()) return true;
    executor.spin_some(std::chrono::milliseconds(10));
    rclcpp::sleep_for(std::chrono::milliseconds(1));
  }
  return done();
}

inline void start_ros(int domain) {
  rclcpp::InitOptions options;
  options.auto_initialize_logging(true).set_domain_id(static_cast<std::size_t>(domain));
  rclcpp::init(0, nullptr, options);
}

}  // namespace stance_nodes::test
