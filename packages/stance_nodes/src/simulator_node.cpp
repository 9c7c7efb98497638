#include "stance_nodes/simulator_node.hpp"

#include <algorithm>
#include <chrono>
#include <utility>

#include "joint_command.hpp"
#include "lifecycle_msgs/msg/state.hpp"
#include "rclcpp_components/register_node_macro.hpp"
#include "readings.hpp"
#include "stance_model/load_scenario.hpp"
#include "transform.hpp"

namespace stance_nodes {

using namespace std::chrono_literals;
using Steady = std::chrono::steady_clock;
using State = rclcpp_lifecycle::State;
using stance::Status;

namespace {

constexpr const char* kName = "stance";  // of the hardware component, in stance_bringup

std::int64_t nanoseconds(Steady::duration d) {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(d).count();
}

}  // namespace

SimulatorNode::SimulatorNode(const rclcpp::NodeOptions& options)
    : LifecycleNode("simulator", options) {
  declare_parameter<std::string>("scenario", "");
  declare_parameter<double>("rate", 100);
  declare_parameter<double>("real_time_factor", 1);
  declare_parameter<bool>("clock", false);
  declare_parameter<double>("status_rate", 10);
  declare_parameter<std::string>("keyframe", "");
  if (declare_parameter<bool>("autostart", false)) {
    autostart_ = create_wall_timer(0s, [this] {
      autostart_->cancel();
      if (configure().id() == lifecycle_msgs::msg::State::PRIMARY_STATE_INACTIVE) activate();
    });
  }
}

SimulatorNode::~SimulatorNode() { forget(); }

// ---- lifecycle

stance::Result<stance::HardwareSettings> SimulatorNode::read_parameters() const {
  stance::HardwareSettings settings;
  settings.scenario = get_parameter("scenario").as_string();
  settings.update_rate = get_parameter("rate").as_double();
  settings.real_time_factor = get_parameter("real_time_factor").as_double();
  settings.clock = get_parameter("clock").as_bool();
  settings.status_rate = get_parameter("status_rate").as_double();
  settings.keyframe = get_parameter("keyframe").as_string();
  const auto refuse = [](const char* name, const char* message) {
    return stance::Error{stance::ErrorCode::kValue, std::string("parameter '") + name + "'",
                         message};
  };
  if (settings.scenario.empty())
    return refuse("scenario", "is empty; give a scenario file, such as config/compass.yaml");
  if (!(settings.update_rate > 0)) return refuse("rate", "must be above zero");
  if (!(settings.real_time_factor >= 0))
    return refuse("real_time_factor", "must be zero (as fast as it goes) or above");
  if (!(settings.status_rate > 0)) return refuse("status_rate", "must be above zero");
  return settings;
}

SimulatorNode::CallbackReturn SimulatorNode::on_configure(const State& /*previous*/) {
  const auto complain = [&](const stance::Error& error) {
    RCLCPP_ERROR(get_logger(), "%s", error.text().c_str());
    return CallbackReturn::FAILURE;
  };
  forget();
  const auto settings = read_parameters();
  if (!settings) return complain(settings.error());
  settings_ = *settings;
  const auto scenario = stance::load_scenario(settings_.scenario);
  if (!scenario) return complain(scenario.error());
  auto wiring = stance::wire({}, **scenario, settings_.keyframe);
  if (!wiring) return complain(wiring.error());
  const auto sub_steps = stance::sub_steps_per_cycle(settings_.update_rate,
                                                     (*scenario)->settings.step);
  if (!sub_steps) return complain(sub_steps.error());

  lock_step_ = std::make_unique<stance::LockStep>(std::move(wiring->plant), *sub_steps,
                                                  std::move(wiring->opening));
  readings_ = std::make_unique<Readings>(lock_step_->plant());
  rclcpp::NodeOptions options;  // names on the command line are the lifecycle node's
  options.use_global_arguments(false).context(get_node_base_interface()->get_context());
  stance_ = std::make_shared<rclcpp::Node>(kName, get_namespace(), options);
  const stance::ShellNames names{"simulator", "simulator"};
  reporter_ = std::make_unique<stance::Reporter>(stance_, *lock_step_, settings_, names.caller);
  test_bench_ = std::make_unique<stance::TestBench>(stance_, *lock_step_, active_, names);

  const auto qos = rclcpp::QoS(100);
  joints_ = stance_->create_publisher<sensor_msgs::msg::JointState>("joint_states", qos);
  odometry_ = stance_->create_publisher<nav_msgs::msg::Odometry>("~/odom", qos);
  contacts_ = stance_->create_publisher<stance_msgs::msg::ContactStates>("~/contact_states", qos);
  tf_ = std::make_unique<tf2_ros::TransformBroadcaster>(*stance_);
  commands_ = create_subscription<sensor_msgs::msg::JointState>(
      std::string(kName) + "/joint_commands", rclcpp::QoS(10),
      [this](const sensor_msgs::msg::JointState& message) { take_commands(message); });
  RCLCPP_INFO(get_logger(), "%s: %g Hz, %d sub-step%s of %g s", (*scenario)->title.c_str(),
              settings_.update_rate, *sub_steps, *sub_steps > 1 ? "s" : "",
              (*scenario)->settings.step);
  return CallbackReturn::SUCCESS;
}

SimulatorNode::CallbackReturn SimulatorNode::on_activate(const State& /*previous*/) {
  lock_step_->run(settings_.clock ? lock_step_->clock().take_over() : now().nanoseconds());
  active_ = true;
  thread_ = std::thread([this] { run(); });
  return CallbackReturn::SUCCESS;
}

SimulatorNode::CallbackReturn SimulatorNode::on_deactivate(const State& /*previous*/) {
  stop_thread();
  return CallbackReturn::SUCCESS;
}

SimulatorNode::CallbackReturn SimulatorNode::on_cleanup(const State& /*previous*/) {
  forget();
  return CallbackReturn::SUCCESS;
}

SimulatorNode::CallbackReturn SimulatorNode::on_shutdown(const State& /*previous*/) {
  forget();
  return CallbackReturn::SUCCESS;
}

void SimulatorNode::stop_thread() {
  active_ = false;
  if (thread_.joinable()) thread_.join();
  if (lock_step_) lock_step_->clock().hand_back();
}

void SimulatorNode::forget() {
  stop_thread();
  commands_.reset();
  test_bench_.reset();
  reporter_.reset();  // sends what waits
  joints_.reset(), odometry_.reset(), contacts_.reset(), tf_.reset();
  stance_.reset();
  readings_.reset();
  lock_step_.reset();
  waiting_.clear();
}

// ---- commands

void SimulatorNode::take_commands(const sensor_msgs::msg::JointState& message) {
  if (!is_sound(message)) {
    RCLCPP_WARN_THROTTLE(get_logger(), *get_clock(), 1000,
                         "joint_commands: position, velocity and effort must be empty or have one "
                         "number for each name; left out");
    return;
  }
  std::vector<JointCommand> commands;
  for (std::size_t k = 0; k < message.name.size(); ++k) {
    const auto joint = lock_step_->plant().find_driven_joint(message.name[k]);
    if (joint)
      commands.push_back({*joint, commands_of(message), command_of(message, k)});
    else
      RCLCPP_WARN_THROTTLE(get_logger(), *get_clock(), 1000, "joint_commands: %s",
                           joint.error().text().c_str());
  }
  const std::lock_guard lock(mutex_);
  waiting_.insert(waiting_.end(), commands.begin(), commands.end());
}

void SimulatorNode::apply_commands() {
  std::vector<JointCommand> commands;
  {
    const std::lock_guard lock(mutex_);
    commands.swap(waiting_);
  }
  auto& plant = lock_step_->plant();
  for (const JointCommand& c : commands) {
    if (plant.commands(c.joint) != c.set) (void)plant.switch_commands(c.joint, c.set);
    if (plant.write(c.joint, c.command) != Status::kOk) lock_step_->refused(c.joint);
  }
}

// ---- the stepping thread

void SimulatorNode::run() {
  const double factor = settings_.real_time_factor;
  const std::chrono::nanoseconds pace(
      factor > 0 ? static_cast<std::int64_t>(static_cast<double>(lock_step_->period()) / factor)
                 : 0);
  auto due = Steady::now(), last = due;
  bool complained = false;
  while (active_ && rclcpp::ok(stance_->get_node_base_interface()->get_context())) {
    const auto start = Steady::now();
    apply_commands();
    const Status status = lock_step_->cycle();
    lock_step_->measured(nanoseconds(Steady::now() - start), nanoseconds(start - last));
    last = start;
    if (status != Status::kOk && !complained) {
      RCLCPP_ERROR(get_logger(), "the simulation stopped at %.6f s: %s; reset it",
                   lock_step_->plant().time(), to_string(status));
    }
    complained = status != Status::kOk;
    publish_readings();
    due += pace;
    due = std::max(due, Steady::now() - pace);  // what is late is not caught up
    if (factor > 0) std::this_thread::sleep_until(due);
  }
}

void SimulatorNode::publish_readings() {
  readings_->take(lock_step_->plant(), lock_step_->stamp());
  joints_->publish(readings_->joints);
  odometry_->publish(readings_->base);
  contacts_->publish(readings_->contacts);
  const nav_msgs::msg::Odometry& base = readings_->base;
  tf_->sendTransform(to_transform(base.header, base.child_frame_id, base.pose.pose));
}

}  // namespace stance_nodes

RCLCPP_COMPONENTS_REGISTER_NODE(stance_nodes::SimulatorNode)
