// The plugin behind a ResourceManager: every interface, command modes, and the events of a run.
#include <cmath>
#include <limits>
#include <thread>

#include "compass_rig.hpp"
#include "stance_model/load_scenario.hpp"
#include "stance_msgs/msg/contact_event.hpp"
#include "stance_msgs/msg/simulation_status.hpp"
#include "stance_msgs/msg/support_state.hpp"

namespace stance::test {
namespace {

using namespace std::chrono_literals;
using lifecycle_msgs::msg::State;

std::unique_ptr<Simulator> run_of(const Scenario& scenario) {
  auto simulator = std::make_unique<Simulator>(scenario.robot->model, scenario.settings);
  EXPECT_EQ(start(scenario, *simulator), Status::kOk);
  return simulator;
}

TEST(StanceSystem, ExportsEveryInterface) {
  Rig rig(compass_urdf(full_tag(config("compass.yaml"))));
  ASSERT_TRUE(rig.loaded());
  ASSERT_EQ(rig.state_id(), State::PRIMARY_STATE_ACTIVE);
  EXPECT_EQ(rig.manager().state_interface_keys().size(), kStates);
  EXPECT_EQ(rig.manager().command_interface_keys().size(), 5U);
  for (int k = 0; k < 300; ++k) ASSERT_TRUE(rig.cycle());

  // each is a number, and most of them moved; what a planar walker cannot do stands still
  std::map<std::string, double> value;
  for (const auto& name : rig.manager().state_interface_keys()) {
    const auto state = rig.manager().claim_state_interface(name);
    const auto number = state.get_optional();
    ASSERT_TRUE(number.has_value()) << name;
    EXPECT_TRUE(std::isfinite(*number)) << name;
    value[name] = *number;
  }
  const auto scenario = load_scenario(config("compass.yaml"));
  const auto simulator = run_of(**scenario);
  for (int k = 0; k < 299; ++k)
    ASSERT_EQ(simulator->step({}), Status::kOk);  // read is before write
  const Joint& hip = simulator->model().joints[find_joint(simulator->model(), "right_hip")];
  EXPECT_EQ(value["right_hip/position"], simulator->state().q[hip.q_index]);
  EXPECT_EQ(value["right_hip/velocity"], simulator->state().v[hip.v_index]);
  EXPECT_EQ(value["right_hip/effort"], 0);
  EXPECT_NE(value["base/position.x"], 0);
  EXPECT_EQ(value["base/position.y"], 0);
  EXPECT_GT(value["base/position.z"], 0.5);
  EXPECT_NEAR(std::hypot(value["base/orientation.y"], value["base/orientation.w"]), 1, 1e-12);
  EXPECT_GT(value["base/linear_velocity.x"], 0.1);
  EXPECT_NE(value["imu/linear_acceleration.z"], 0);
  EXPECT_NE(value["hip_ft/force.z"], 0);
  EXPECT_EQ(value["left_foot/contact"] + value["right_foot/contact"], 1);
  EXPECT_EQ(value["left_foot/support"] + value["right_foot/support"], 1);
}

TEST(StanceSystem, TakesCommandsInEveryMode) {
  Rig rig(compass_urdf(full_tag(config("compass.yaml"))));
  auto& manager = rig.manager();
  std::map<std::string, hardware_interface::LoanedCommandInterface> command;
  for (const char* name : {"position", "velocity", "effort", "kp", "kd"})
    command.emplace(name, manager.claim_command_interface(std::string("right_hip/") + name));
  const auto effort = manager.claim_state_interface("right_hip/effort");
  const auto position = manager.claim_state_interface("right_hip/position");
  const auto set = [&](const char* name, double value) {
    EXPECT_TRUE(command.at(name).set_value(value));
  };
  const auto run = [&](int cycles) {
    for (int k = 0; k < cycles; ++k) ASSERT_TRUE(rig.cycle());
  };

  // nothing is claimed: what is written has no effect
  set("effort", 3);
  run(3);
  EXPECT_EQ(*effort.get_optional(), 0);
  // effort; a switch forgets what was written before it
  ASSERT_TRUE(rig.switch_mode({"right_hip/effort"}));
  run(3);
  EXPECT_EQ(*effort.get_optional(), 0);
  set("effort", 0.5);
  run(3);
  EXPECT_EQ(*effort.get_optional(), 0.5);
  // not a number: no effort. Infinite: refused, and the last one holds
  set("effort", std::numeric_limits<double>::infinity());
  run(3);
  EXPECT_EQ(rig.state_id(), State::PRIMARY_STATE_ACTIVE);
  EXPECT_EQ(*effort.get_optional(), 0.5);
  set("effort", std::numeric_limits<double>::quiet_NaN());
  run(3);
  EXPECT_EQ(*effort.get_optional(), 0);

  // position holds without a command, and goes where it is told
  ASSERT_TRUE(rig.switch_mode({"right_hip/position"}, {"right_hip/effort"}));
  const double here = *position.get_optional();
  run(100);
  EXPECT_NEAR(*position.get_optional(), here, 0.02);
  set("position", here + 0.1);
  run(300);
  EXPECT_NEAR(*position.get_optional(), here + 0.1, 0.02);

  // hybrid: kp (q* - q) + kd (v* - v) + effort, all at once
  ASSERT_TRUE(
      rig.switch_mode({"right_hip/velocity", "right_hip/effort", "right_hip/kp", "right_hip/kd"}));
  set("position", *position.get_optional());
  set("velocity", 0);
  set("effort", 0.25);
  set("kp", 0);
  set("kd", 0);
  run(3);
  EXPECT_NEAR(*effort.get_optional(), 0.25, 1e-12);
  // and a set that means nothing is refused before it happens
  EXPECT_FALSE(rig.switch_mode({}, {"right_hip/position"}));
  run(3);
  EXPECT_NEAR(*effort.get_optional(), 0.25, 1e-12);
}

// What comes on the topic is what a run has: nothing lost, in order, to the last bit; stamps on the located instants.
TEST(StanceSystem, PublishesTheEventsOfARun) {
  using Event = stance_msgs::msg::ContactEvent;
  auto node = std::make_shared<rclcpp::Node>("listener");
  std::vector<Event> events;
  std::vector<stance_msgs::msg::SupportState> supports;
  std::vector<stance_msgs::msg::SimulationStatus> statuses;
  const auto kept = rclcpp::QoS(10000).reliable().transient_local();
  const auto event_subscription = node->create_subscription<Event>(
      "/stance/contact_events", kept, [&](const Event& event) { events.push_back(event); });
  const auto support_subscription = node->create_subscription<stance_msgs::msg::SupportState>(
      "/stance/support_state", rclcpp::QoS(1000).reliable().transient_local(),
      [&](const stance_msgs::msg::SupportState& support) { supports.push_back(support); });
  const auto status_subscription = node->create_subscription<stance_msgs::msg::SimulationStatus>(
      "/stance/simulation_status", 100,
      [&](const stance_msgs::msg::SimulationStatus& status) { statuses.push_back(status); });

  Rig rig(compass_urdf(full_tag(config("compass.yaml"))));
  const auto scenario = load_scenario(config("compass.yaml"));
  const auto simulator = run_of(**scenario);
  for (int k = 0; k < 10000; ++k) {
    ASSERT_TRUE(rig.cycle());
    ASSERT_EQ(simulator->step({}), Status::kOk);
    if (k % 500 == 0) {
      std::this_thread::sleep_for(10ms);
      rclcpp::spin_some(node);
    }
  }
  std::vector<ContactEvent> expected;
  for (ContactEvent event; simulator->events().pop(event);) expected.push_back(event);
  const auto deadline = std::chrono::steady_clock::now() + 20s;
  while ((events.size() < expected.size() || statuses.empty() || statuses.back().cycles < 10000) &&
         std::chrono::steady_clock::now() < deadline) {
    if (events.size() >= expected.size()) ASSERT_TRUE(rig.cycle());
    rclcpp::spin_some(node);
    std::this_thread::sleep_for(2ms);
  }
  ASSERT_GE(expected.size(), 26U);
  ASSERT_GE(events.size(), expected.size());
  const auto nanoseconds = [](const builtin_interfaces::msg::Time& time) {
    return time.sec * 1'000'000'000LL + time.nanosec;
  };
  const Model& model = simulator->model();
  for (std::size_t k = 0; k < expected.size(); ++k) {
    const Event& event = events[k];
    EXPECT_EQ(event.sequence, k);
    EXPECT_EQ(event.time, expected[k].time);
    EXPECT_EQ(event.foot, model.frames[expected[k].frame].name.view());
    EXPECT_EQ(event.kind, static_cast<int>(expected[k].kind) + 1);
    EXPECT_EQ(event.point.x, expected[k].point_W.x);
    EXPECT_EQ(event.impulse.z, expected[k].impulse_W.z);
    EXPECT_EQ(event.velocity_before.z, expected[k].velocity_before_W.z);
    EXPECT_EQ(event.energy_lost, expected[k].energy_lost);
    EXPECT_EQ(event.root_after, model.frames[expected[k].root].name.view());
    EXPECT_EQ(event.bodies[0], event.foot == "left_foot" ? "hip" : "right_leg");
    EXPECT_EQ(event.bodies[1], "world");
    EXPECT_EQ(event.restitution, expected[k].restitution);
    EXPECT_EQ(event.law, jumps(expected[k].kind) ? Event::NEWTON : Event::NONE);
    EXPECT_EQ(event.header.frame_id, "world");
    EXPECT_NEAR(
        static_cast<double>(nanoseconds(event.header.stamp) - nanoseconds(events[0].header.stamp)),
        1e9 * (expected[k].time - expected[0].time), 1.1);
  }
  ASSERT_FALSE(supports.empty());
  for (const auto& support : supports) {  // one foot is on the ground at a time
    EXPECT_EQ(support.phase, stance_msgs::msg::SupportState::SINGLE);
    EXPECT_EQ(support.feet, std::vector<std::string>{support.support});
    EXPECT_EQ(support.points, std::vector{support.point});
    EXPECT_EQ(support.stands_since.size(), 1U);
    EXPECT_EQ(support.sliding, std::vector{false});
  }
  ASSERT_FALSE(statuses.empty());
  const auto& status = statuses.back();
  EXPECT_EQ(status.dropped_events, 0U);
  EXPECT_FALSE(status.fallen);
  EXPECT_GT(status.step_time_median, 0);
  EXPECT_LE(status.step_time_median, status.worst_step_time);
  EXPECT_EQ(status.period, 1e-3);
}

// Paused from the first cycle until the joint has a controller: nothing has moved by then, and then it walks.
TEST(StanceSystem, WaitsForItsControllers) {
  const std::string tag = replaced(full_tag(config("compass.yaml")), "</hardware>",
                                   "<param name=\"start_paused\">true</param></hardware>");
  const Log log;
  Rig rig(compass_urdf(tag));
  const auto position = [&] {
    return *rig.manager().claim_state_interface("right_hip/position").get_optional();
  };
  EXPECT_TRUE(log.has("start_paused: begins once 1 joint has a controller")) << log.text();
  ASSERT_TRUE(rig.cycle());
  const double start = position();
  for (int k = 0; k < 300; ++k) ASSERT_TRUE(rig.cycle());
  EXPECT_EQ(position(), start);
  ASSERT_TRUE(rig.switch_mode({"right_hip/effort"}));
  for (int k = 0; k < 300; ++k) ASSERT_TRUE(rig.cycle());
  EXPECT_GT(std::abs(position() - start), 0.05);
}

// The scenario's own robot file is not read under ROS, and that is said.
TEST(StanceSystem, SaysWhoseRobotItIs) {
  const Log log;
  Rig rig(compass_urdf(full_tag(config("compass.yaml"))));
  EXPECT_TRUE(log.has("urdf/compass.urdf', which the scenario names, is not read")) << log.text();
}

// The component can be taken down and up again, and walks anew.
TEST(StanceSystem, GoesThroughItsLifecycle) {
  Rig rig(compass_urdf(full_tag(config("compass.yaml"))));
  const auto position = [&] {
    return *rig.manager().claim_state_interface("base/position.x").get_optional();
  };
  const double start = position();
  for (int k = 0; k < 500; ++k) ASSERT_TRUE(rig.cycle());
  const double there = position();
  EXPECT_GT(there, start + 0.1);
  ASSERT_TRUE(rig.to(State::PRIMARY_STATE_INACTIVE, "inactive"));
  for (int k = 0; k < 100; ++k) ASSERT_TRUE(rig.cycle());
  EXPECT_NEAR(position(), there, 0.01);  // time stands still
  ASSERT_TRUE(rig.to(State::PRIMARY_STATE_ACTIVE, "active"));
  for (int k = 0; k < 500; ++k) ASSERT_TRUE(rig.cycle());
  EXPECT_GT(position(), there + 0.1);
  ASSERT_TRUE(rig.to(State::PRIMARY_STATE_INACTIVE, "inactive"));
  ASSERT_TRUE(rig.to(State::PRIMARY_STATE_UNCONFIGURED, "unconfigured"));
  ASSERT_TRUE(rig.to(State::PRIMARY_STATE_ACTIVE, "active"));
  EXPECT_EQ(position(), start);
}

}  // namespace
}  // namespace stance::test
