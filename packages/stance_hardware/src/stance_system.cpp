#include "stance_system.hpp"

#include <algorithm>
#include <filesystem>
#include <utility>

#include "pluginlib/class_list_macros.hpp"
#include "read_tag.hpp"
#include "stance_model/load_robot.hpp"
#include "stance_model/load_scenario.hpp"

namespace stance_hardware {

using namespace stance;  // NOLINT(google-build-using-namespace)

StanceSystem::~StanceSystem() { stop(); }

// ---- lifecycle

CallbackReturn StanceSystem::complain(CallbackReturn how, const Error& error) const {
  RCLCPP_FATAL(logger(), "%s", error.text().c_str());
  return how;
}

CallbackReturn StanceSystem::on_description(const hardware_interface::HardwareInfo& info) {
  if (is_async(info)) {
    return complain(
        CallbackReturn::ERROR,
        {ErrorCode::kUnsupported, "ros2_control '" + info.name + "'",
         "is_async would simulate beside the controllers instead of in step with them; leave "
         "it out"});
  }
  auto settings = read_settings({info.hardware_parameters.begin(), info.hardware_parameters.end()});
  if (!settings) return complain(CallbackReturn::ERROR, settings.error());
  settings_ = *std::move(settings);
  auto tag = read_tag(info);
  if (!tag) return complain(CallbackReturn::ERROR, tag.error());
  tag_ = *std::move(tag);
  const auto robot = make_robot(info.original_xml, load_options());
  if (!robot) return complain(CallbackReturn::ERROR, robot.error());
  for (const Remark& remark : (*robot)->remarks) {
    if (remark.kind == Remark::Kind::kLenient)
      RCLCPP_WARN(logger(), "robot_description, %s: %s", remark.element.c_str(),
                  remark.text.c_str());
  }
  auto commands = find_commands(tag_, (*robot)->model);
  if (!commands) return complain(CallbackReturn::ERROR, commands.error());
  rate_ = settings_.update_rate > 0 ? settings_.update_rate : update_rate(info);
  return CallbackReturn::SUCCESS;
}

LoadOptions StanceSystem::load_options() const {
  LoadOptions options;
  options.lenient = settings_.lenient;
  options.min_armature = settings_.min_armature;
  return options;
}

CallbackReturn StanceSystem::on_configure(const State& /*previous*/) {
  stop();
  const auto scenario = load_scenario(settings_.scenario, info_.original_xml, load_options());
  if (!scenario) return complain(CallbackReturn::FAILURE, scenario.error());
  auto wiring = wire(tag_, **scenario, settings_.keyframe);
  if (!wiring) return complain(CallbackReturn::FAILURE, wiring.error());
  const auto sub_steps = sub_steps_per_cycle(rate_, (*scenario)->settings.step);
  if (!sub_steps) return complain(CallbackReturn::FAILURE, sub_steps.error());
  for (const auto& remark : wiring->remarks) RCLCPP_WARN(logger(), "%s", remark.c_str());
  const auto robot_file = (*scenario)->robot_file.lexically_normal();
  if (std::error_code ignored; std::filesystem::exists(robot_file, ignored)) {
    RCLCPP_INFO(
        logger(),
        "the robot is the controller manager's; '%s', which the scenario names, is not read",
        robot_file.c_str());
  } else {
    RCLCPP_WARN(
        logger(),
        "the robot is the controller manager's; '%s', which the scenario names, is not read, "
        "and there is no such file: `stance run` would refuse this scenario",
        robot_file.c_str());
  }

  sources_.clear();
  for (const StatePort& state : wiring->states) sources_.push_back(state.source);
  commands_ = std::move(wiring->commands);
  joint_ports_.clear();
  for (std::size_t k = 0; k < commands_.size(); ++k) {
    const JointId joint = commands_[k].joint;
    if (!joint.valid()) continue;
    if (joint_ports_.empty() || joint_ports_.back().joint != joint)
      joint_ports_.push_back({joint, k, k});
    joint_ports_.back().last = k + 1;
  }
  claimed_ = next_ = {std::vector<CommandSet>(joint_ports_.size(), kNoCommand), false};
  to_clear_.assign(commands_.size(), false);
  bind_interfaces();

  lock_step_ = std::make_unique<LockStep>(std::move(wiring->plant), *sub_steps,
                                          std::move(wiring->opening));
  const auto node = component_node();
  if (settings_.start_paused) wait_for_controllers();
  const ShellNames names{"hardware component", "controller manager"};
  reporter_ = std::make_unique<Reporter>(node, *lock_step_, settings_, names.caller);
  test_bench_ = std::make_unique<TestBench>(node, *lock_step_, active_, names);
  RCLCPP_INFO(logger(), "%s: %g Hz, %d sub-step%s of %g s; events on %s",
              (*scenario)->title.c_str(), rate_, *sub_steps, *sub_steps > 1 ? "s" : "",
              (*scenario)->settings.step,
              (std::string(node->get_fully_qualified_name()) + "/contact_events").c_str());
  RCLCPP_INFO(logger(), "worst case by construction: %lld forward dynamics a cycle",
              forward_dynamics(lock_step_->plant().worst_work(*sub_steps),
                               (*scenario)->settings.integrator));
  copy_states();
  return CallbackReturn::SUCCESS;
}

void StanceSystem::wait_for_controllers() {
  std::vector<JointId> joints;
  for (const JointPorts& port : joint_ports_) joints.push_back(port.joint);
  if (joints.empty()) {
    RCLCPP_WARN(logger(), "start_paused: no joint takes commands, so there is nothing to wait for");
    return;
  }
  lock_step_->wait_for(joints);
  RCLCPP_INFO(logger(), "start_paused: begins once %zu joint%s a controller, or by ~/set_pause",
              joints.size(), joints.size() > 1 ? "s have" : " has");
}

CallbackReturn StanceSystem::on_activate(const State& /*previous*/) {
  for (std::size_t k = 0; k < commands_.size(); ++k) clear_command(k);
  copy_states();
  lock_step_->forget_requests();
  running_ = false;
  next_cycle_ = Steady::now();
  active_ = true;
  return CallbackReturn::SUCCESS;
}

CallbackReturn StanceSystem::on_deactivate(const State& /*previous*/) {
  active_ = false;
  lock_step_->clock().hand_back();
  print_times();
  return CallbackReturn::SUCCESS;
}

CallbackReturn StanceSystem::on_cleanup(const State& /*previous*/) {
  stop();
  return CallbackReturn::SUCCESS;
}

CallbackReturn StanceSystem::on_shutdown(const State& /*previous*/) {
  stop();
  return CallbackReturn::SUCCESS;
}

// After this the component is unconfigured: configure and activate it, and the scenario begins anew.
CallbackReturn StanceSystem::on_error(const State& /*previous*/) {
  if (lock_step_) {
    RCLCPP_ERROR(logger(), "the simulation stopped at %.6f s: %s", lock_step_->plant().time(),
                 to_string(lock_step_->status()));
  }
  stop();
  return CallbackReturn::SUCCESS;
}

void StanceSystem::stop() {
  if (active_) print_times();
  active_ = false;
  test_bench_.reset();
  reporter_.reset();  // sends what waits
  lock_step_.reset();
}

void StanceSystem::print_times() const {
  const TimeHistogram &times = lock_step_->times(), &jitter = lock_step_->jitter();
  if (times.count() == 0) return;
  const auto microseconds = [](std::int64_t ns) { return 1e-3 * static_cast<double>(ns); };
  const auto line = [&](const char* what, const TimeHistogram& t) {
    RCLCPP_INFO(
        logger(),
        "%s of %lu cycles: median %.1f us, 99 %% %.1f us, 99.9 %% %.1f us, 99.99 %% %.1f us, "
        "worst %.1f us",
        what, static_cast<unsigned long>(t.count()), microseconds(t.quantile(0.5)),
        microseconds(t.quantile(0.99)), microseconds(t.quantile(0.999)),
        microseconds(t.quantile(0.9999)), microseconds(t.max()));
  };
  line("step time", times);
  if (!settings_.clock)
    line("wake-up latency", jitter);  // on our own clock it would always be zero
  RCLCPP_INFO(logger(), "overruns: %lu", static_cast<unsigned long>(lock_step_->overruns()));
}

// ---- command modes

void StanceSystem::claim(const std::vector<std::string>& names, bool on, Claims& claims) {
  for (const std::string& name : names) {
    const auto port = std::find_if(commands_.begin(), commands_.end(),
                                   [&](const CommandPort& p) { return p.name == name; });
    if (port == commands_.end()) continue;  // another component's
    to_clear_[static_cast<std::size_t>(port - commands_.begin())] = true;
    if (!port->joint.valid()) {
      claims.push_off = on;
      continue;
    }
    for (std::size_t i = 0; i < joint_ports_.size(); ++i) {
      CommandSet& set = claims.joints[i];
      if (joint_ports_[i].joint == port->joint)
        set = static_cast<CommandSet>(on ? set | port->bit : set & ~port->bit);
    }
  }
}

hardware_interface::return_type StanceSystem::prepare_command_mode_switch(
    const std::vector<std::string>& start, const std::vector<std::string>& stop) {
  if (!lock_step_) return return_type::OK;
  next_ = claimed_;
  std::fill(to_clear_.begin(), to_clear_.end(), false);
  claim(stop, false, next_);
  claim(start, true, next_);
  for (std::size_t i = 0; i < joint_ports_.size(); ++i) {
    if (is_valid(next_.joints[i])) continue;
    RCLCPP_ERROR(
        logger(),
        "joint '%s': a controller claims kp without position, which means nothing; claim "
        "position as well",
        std::string(lock_step_->plant().model().joints[joint_ports_[i].joint].name.view()).c_str());
    return return_type::ERROR;
  }
  return return_type::OK;
}

// In the real-time loop: what was prepared takes effect.
hardware_interface::return_type StanceSystem::perform_command_mode_switch(
    const std::vector<std::string>& /*start*/, const std::vector<std::string>& /*stop*/) {
  if (!lock_step_) return return_type::OK;
  for (std::size_t k = 0; k < commands_.size(); ++k)
    if (to_clear_[k]) clear_command(k);
  for (std::size_t i = 0; i < joint_ports_.size(); ++i) {
    if (next_.joints[i] == claimed_.joints[i]) continue;
    claimed_.joints[i] = next_.joints[i];
    if (lock_step_->plant().switch_commands(joint_ports_[i].joint, next_.joints[i]) != Status::kOk)
      return return_type::ERROR;
  }
  claimed_.push_off = next_.push_off;
  return return_type::OK;
}

// ---- the cycle. Nothing here allocates, locks, prints or throws.

void StanceSystem::copy_states() noexcept {
  for (std::size_t k = 0; k < sources_.size(); ++k) put_state(k, *sources_[k]);
}

hardware_interface::return_type StanceSystem::read(const rclcpp::Time& time,
                                                   const rclcpp::Duration& /*period*/) {
  if (!lock_step_) return return_type::OK;
  if (settings_.blocking_read && active_) wait_for_cycle();
  woken_ = time.nanoseconds();
  copy_states();
  return return_type::OK;
}

void StanceSystem::write_commands() noexcept {
  Plant& plant = lock_step_->plant();
  for (std::size_t i = 0; i < joint_ports_.size(); ++i) {
    const CommandSet set = claimed_.joints[i];
    if (set == kNoCommand) continue;
    Command command;
    for (std::size_t k = joint_ports_[i].first; k < joint_ports_[i].last; ++k)
      if ((set & commands_[k].bit) != 0) command.*commands_[k].member = this->command(k);
    if (plant.write(joint_ports_[i].joint, command) != Status::kOk)
      lock_step_->refused(joint_ports_[i].joint);
  }
  if (claimed_.push_off && plant.write_push_off(command(commands_.size() - 1)) != Status::kOk)
    lock_step_->refused(JointId());
}

hardware_interface::return_type StanceSystem::write(const rclcpp::Time& time,
                                                    const rclcpp::Duration& /*period*/) {
  if (!lock_step_ || !active_) return return_type::OK;
  const auto start = Steady::now();
  if (!running_) lock_step_->run(clock_now(time));
  write_commands();
  const Status status = lock_step_->cycle();
  const auto end = Steady::now();
  lock_step_->measured(std::chrono::duration_cast<std::chrono::nanoseconds>(end - start).count(),
                       running_ ? woken_ - last_woken_ : 0);
  last_woken_ = woken_;
  running_ = true;
  return status == Status::kOk ? return_type::OK : return_type::ERROR;
}

// On our own clock if others read it, else on that of ROS, which is the system's unless the caller's time says otherwise.
std::int64_t StanceSystem::clock_now(const rclcpp::Time& time) const noexcept {
  if (settings_.clock) return lock_step_->clock().take_over();
  if (time.get_clock_type() == RCL_ROS_TIME) return time.nanoseconds();
  return std::chrono::duration_cast<std::chrono::nanoseconds>(
             std::chrono::system_clock::now().time_since_epoch())
      .count();
}

// For a controller manager that leaves the waiting to us. Late cycles are not caught up.
void StanceSystem::wait_for_cycle() noexcept {
  if (settings_.real_time_factor == 0) return;
  next_cycle_ += std::chrono::nanoseconds(static_cast<std::int64_t>(
      static_cast<double>(lock_step_->period()) / settings_.real_time_factor));
  next_cycle_ = std::max(next_cycle_, Steady::now());
  std::this_thread::sleep_until(next_cycle_);
}

}  // namespace stance_hardware

PLUGINLIB_EXPORT_CLASS(stance_hardware::StanceSystem, hardware_interface::SystemInterface)
