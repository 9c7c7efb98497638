// A simulated robot as a hardware component of ros2_control: a thin shell round LockStep.
//
//   on_init        the tag and the robot, from original_xml
//   on_configure   the scenario; all memory, topics, services and threads exist now
//   read           sensors -> state interfaces
//   write          command interfaces -> plant; one period of simulation, in fixed sub-steps
//
// Everything is in step with the controller manager, on its thread. The measured period is never used.
#pragma once

#include <atomic>
#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include "hardware_version.hpp"
#include "reporter.hpp"
#include "stance_core/plant/lock_step.hpp"
#include "stance_model/wiring.hpp"
#include "test_bench.hpp"

namespace stance_hardware {

class StanceSystem : public stance::VersionedSystem {
 public:
  using CallbackReturn = stance::CallbackReturn;
  using return_type = hardware_interface::return_type;  // NOLINT(readability-identifier-naming)
  using State = rclcpp_lifecycle::State;

  ~StanceSystem() override;

  CallbackReturn on_configure(const State& previous) override;
  CallbackReturn on_activate(const State& previous) override;
  CallbackReturn on_deactivate(const State& previous) override;
  CallbackReturn on_cleanup(const State& previous) override;
  CallbackReturn on_shutdown(const State& previous) override;
  CallbackReturn on_error(const State& previous) override;

  return_type prepare_command_mode_switch(const std::vector<std::string>& start,
                                          const std::vector<std::string>& stop) override;
  return_type perform_command_mode_switch(const std::vector<std::string>& start,
                                          const std::vector<std::string>& stop) override;

  return_type read(const rclcpp::Time& time, const rclcpp::Duration& period) override;
  return_type write(const rclcpp::Time& time, const rclcpp::Duration& period) override;

 private:
  using Steady = std::chrono::steady_clock;

  // The commands of one joint: [first, last) of commands_.
  struct JointPorts {
    stance::JointId joint;
    std::size_t first = 0, last = 0;
  };
  // What a joint, or the push-off, takes.
  struct Claims {
    std::vector<stance::CommandSet> joints;  // as joint_ports_
    bool push_off = false;
  };

  CallbackReturn on_description(const hardware_interface::HardwareInfo& info) override;
  stance::LoadOptions load_options() const;  // of the robot, as the parameters say
  CallbackReturn complain(CallbackReturn how, const stance::Error& error) const;
  void claim(const std::vector<std::string>& names, bool on, Claims& claims);
  void wait_for_controllers();
  void write_commands() noexcept;
  void copy_states() noexcept;
  void wait_for_cycle() noexcept;
  std::int64_t clock_now(const rclcpp::Time& time) const noexcept;
  void print_times() const;
  void stop();

  stance::HardwareSettings settings_;
  stance::HardwareTag tag_;
  double rate_ = 0;

  std::unique_ptr<stance::LockStep> lock_step_;
  std::vector<const double*> sources_;  // of the state interfaces, in the plant's readings
  std::vector<stance::CommandPort> commands_;
  std::vector<JointPorts> joint_ports_;
  Claims claimed_, next_;
  std::vector<bool> to_clear_;  // commands that start or stop with the next switch

  std::unique_ptr<stance::Reporter> reporter_;
  std::unique_ptr<stance::TestBench> test_bench_;
  std::atomic<bool> active_{false};
  bool running_ = false;  // the first cycle since activation has come
  // ns: when the controller manager began this cycle and the last
  std::int64_t woken_ = 0, last_woken_ = 0;
  Steady::time_point next_cycle_{};
};

}  // namespace stance_hardware
