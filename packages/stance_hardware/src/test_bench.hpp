// The services: names become ids, a request goes to the real-time thread, and its answer becomes a sentence.
#pragma once

#include <atomic>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "rclcpp/rclcpp.hpp"
#include "stance_core/plant/lock_step.hpp"

namespace stance {

// What a user calls the thing that has the lock-step, and who calls its cycle().
struct ShellNames {
  const char* shell;
  const char* caller;
};

class TestBench {
 public:
  // `active`: somebody calls cycle(). Both must outlive it.
  TestBench(const std::shared_ptr<rclcpp::Node>& node, LockStep& lock_step,
            const std::atomic<bool>& active, const ShellNames& names);
  ~TestBench();

 private:
  template <class Service, class Handler>
  void offer(const char* name, Handler handler);
  // Empty if it was done, else why not.
  std::string carry_out(Request request);

  std::shared_ptr<rclcpp::Node> node_;
  LockStep& lock_step_;
  const std::atomic<bool>& active_;
  ShellNames names_;
  std::uint64_t last_id_ = 0;
  rclcpp::CallbackGroup::SharedPtr group_;
  std::vector<rclcpp::ServiceBase::SharedPtr> services_;
  rclcpp::executors::SingleThreadedExecutor executor_;
  std::atomic<bool> stop_{false};
  std::thread thread_;
};

}  // namespace stance
