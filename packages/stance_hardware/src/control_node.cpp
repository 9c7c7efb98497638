// A controller manager on simulated time that makes the time: each cycle is one period, as fast as it goes or at a pace.
//
// The stock ros2_control_node on simulated time waits for /clock after every cycle. The clock comes from the hardware, over
// the middleware, from what the cycle did: a round trip of a third of a millisecond, and a wait that can miss its message.
// Here nothing waits: the loop counts the periods, sets the manager's own clock to each, and tells /clock to the others, once a
// millisecond of the wall at the most. The manager does not listen to /clock itself: it would hear the past.
//
//   update_rate, and all that ros2_control_node knows but the scheduling
//   real_time_factor   1; 0: as fast as it goes
//
// The hardware's own `clock` is off then.
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <memory>
#include <mutex>
#include <thread>

#include "controller_manager/controller_manager.hpp"
#include "rcl/error_handling.h"
#include "rcl/time.h"
#include "rclcpp/rclcpp.hpp"
#include "rosgraph_msgs/msg/clock.hpp"

namespace {

using namespace std::chrono_literals;
using Steady = std::chrono::steady_clock;
using controller_manager::ControllerManager;

constexpr auto kTick = 1ms;  // of the wall
// The loop holds the manager's locks nearly all the time; whoever waits for one gets it in a nap.
constexpr auto kNap = 20us;

// What controllers get as the time, and what their periods are counted by.
void set_clock(ControllerManager& manager, std::int64_t now) {
  const auto clock = manager.get_clock();
  const std::lock_guard lock(clock->get_clock_mutex());
  if (rcl_set_ros_time_override(clock->get_clock_handle(), now) != RCL_RET_OK) rcl_reset_error();
}

double real_time_factor(const ControllerManager& manager) {
  rclcpp::Parameter given;
  if (!manager.get_parameter("real_time_factor", given)) return 1;
  return given.get_type() == rclcpp::ParameterType::PARAMETER_INTEGER
             ? static_cast<double>(given.as_int())
             : given.as_double();
}

void run(ControllerManager& manager) {
  const double factor = real_time_factor(manager);
  const auto period = std::chrono::nanoseconds(1'000'000'000 / manager.get_update_rate());
  const rclcpp::Duration lasts(period);
  // names on the command line are the manager's
  const auto node = std::make_shared<rclcpp::Node>(
      "simulated_clock", rclcpp::NodeOptions().use_global_arguments(false));
  const auto publisher = node->create_publisher<rosgraph_msgs::msg::Clock>("/clock",
                                                                           rclcpp::ClockQoS());
  std::chrono::nanoseconds now = period;  // zero means that there is no time yet
  const auto begun = Steady::now();
  auto due = begun, told = begun - kTick;
  while (rclcpp::ok()) {
    const rclcpp::Time time(now.count(), RCL_ROS_TIME);
    set_clock(manager, now.count());
    manager.read(time, lasts);
    manager.update(time, lasts);
    manager.write(time, lasts);
    now += period;
    const auto wall = Steady::now();
    if (wall - told >= kTick) {
      told = wall;
      rosgraph_msgs::msg::Clock message;
      message.clock = rclcpp::Time(now.count(), RCL_ROS_TIME);
      publisher->publish(message);
      if (factor == 0) std::this_thread::sleep_for(kNap);
    }
    if (factor == 0) continue;
    due += std::chrono::duration_cast<Steady::duration>(period / factor);
    due = std::max(due, wall - kTick);  // what is late is not caught up
    std::this_thread::sleep_until(due);
  }
  const double simulated = std::chrono::duration<double>(now - period).count();
  const double took = std::chrono::duration<double>(Steady::now() - begun).count();
  RCLCPP_INFO(manager.get_logger(), "%.3f s in %.3f s: %.2f times real time", simulated, took,
              simulated / took);
}

}  // namespace

int main(int argc, char** argv) {
  rclcpp::init(argc, argv);
  const auto executor = std::make_shared<rclcpp::executors::MultiThreadedExecutor>();
  rclcpp::NodeOptions options = controller_manager::get_cm_node_options();
  auto arguments = options.arguments();
  arguments.insert(arguments.end(), argv + 1, argv + argc);
  arguments.insert(arguments.end(),
                   {"--ros-args", "-r", "/clock:=~/own_clock", "-p", "use_sim_time:=true"});
  options.arguments(arguments);
  const auto manager = std::make_shared<ControllerManager>(executor, "controller_manager", "",
                                                           options);
  std::thread loop([&] { run(*manager); });
  executor->add_node(manager);
  executor->spin();
  loop.join();
  rclcpp::shutdown();
  return 0;
}
