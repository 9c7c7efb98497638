// What a <ros2_control> tag asks for: every interface at its place, and every refusal in its words.
#include "stance_model/wiring.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <sstream>

#include "robot_folders.hpp"
#include "stance_core/plant/lock_step.hpp"
#include "stance_model/load_scenario.hpp"

namespace stance {
namespace {

namespace fs = std::filesystem;

std::unique_ptr<Scenario> scenario(const char* name) {
  auto loaded = load_scenario(own_folder() / "../config" / name);
  if (!loaded) {
    ADD_FAILURE() << loaded.error().text();
    return nullptr;
  }
  return *std::move(loaded);
}

const std::vector<std::string> kJointStates = {"position", "velocity", "effort"};
const std::vector<std::string> kJointCommands = {"position", "velocity", "effort", "kp", "kd"};
const std::vector<std::string> kXyz = {".x", ".y", ".z"};

std::vector<std::string> each(const std::string& prefix, bool quaternion = false) {
  std::vector<std::string> names;
  names.reserve(kXyz.size() + 1);
  for (const auto& axis : kXyz) names.push_back(prefix + axis);
  if (quaternion) names.push_back(prefix + ".w");
  return names;
}

std::vector<std::string> join(std::initializer_list<std::vector<std::string>> lists) {
  std::vector<std::string> all;
  for (const auto& list : lists) all.insert(all.end(), list.begin(), list.end());
  return all;
}

TagComponent sensor(const char* name, const char* type, std::vector<std::string> states,
                    std::map<std::string, std::string> parameters = {}) {
  parameters["type"] = type;
  return {name, {}, std::move(states), std::move(parameters), {}};
}

// All there is on a compass.
HardwareTag full_tag() {
  HardwareTag tag;
  tag.joints = {{"right_hip", kJointCommands, kJointStates, {}, {}}};
  tag.sensors = {sensor("base", "base",
                        join({each("position"), each("orientation", true), each("linear_velocity"),
                              each("angular_velocity")})),
                 sensor("imu", "imu",
                        join({each("orientation", true), each("angular_velocity"),
                              each("linear_acceleration")}),
                        {{"link", "hip"}}),
                 sensor("hip_ft", "force_torque", join({each("force"), each("torque")}),
                        {{"joint", "right_hip"}}),
                 sensor("left_foot", "foot",
                        join({{"contact", "contact_raw"},
                              each("force"),
                              each("torque"),
                              each("force_now"),
                              {"slip", "support"},
                              each("position"),
                              each("orientation", true),
                              each("linear_velocity"),
                              each("angular_velocity"),
                              each("normal")})),
                 sensor("right", "foot", {"contact"}, {{"link", "right_foot"}})};
  return tag;
}

// What the scenario says of the plant holds, and its sensors need no place in the tag.
TEST(Wiring, TakesTheScenariosPlant) {
  const auto walk = scenario("compass.yaml");
  walk->plant.seed = 11;
  walk->plant.imus.push_back({"imu", find_frame(walk->robot->model, "right_leg")});
  walk->plant.keyframes.push_back({"again", walk->plant.keyframes[0].snapshot});
  HardwareTag tag;
  tag.sensors = {sensor("imu", "imu", {"angular_velocity.y"})};
  const auto wiring = wire(tag, *walk);
  ASSERT_TRUE(wiring) << wiring.error().text();
  EXPECT_EQ(wiring->plant->settings().seed, 11U);
  EXPECT_EQ(wiring->plant->settings().imus.size(), 1U);
  EXPECT_EQ(wiring->plant->find_keyframe("initial"), 0);
  EXPECT_EQ(wiring->plant->find_keyframe("again"), 1);
}

TEST(Wiring, FindsEveryInterface) {
  const auto walk = scenario("compass.yaml");
  auto wiring = wire(full_tag(), *walk);
  ASSERT_TRUE(wiring) << wiring.error().text();
  EXPECT_EQ(wiring->commands.size(), 5U);
  EXPECT_EQ(wiring->states.size(), 3U + 13U + 10U + 6U + 29U + 1U);
  EXPECT_EQ(wiring->opening.size(), 2U);
  std::set<const double*> places;
  std::set<std::string> names;
  for (const StatePort& state : wiring->states) {
    ASSERT_NE(state.source, nullptr) << state.name;
    places.insert(state.source);
    names.insert(state.name);
  }
  EXPECT_EQ(places.size(), wiring->states.size()) << "two interfaces at one place";
  EXPECT_EQ(names.size(), wiring->states.size());

  // and each is the reading it says
  const Plant& plant = *wiring->plant;
  const auto at = [&](const std::string& name) -> const double* {
    for (const StatePort& state : wiring->states)
      if (state.name == name) return state.source;
    ADD_FAILURE() << name;
    return nullptr;
  };
  const JointId hip = *plant.find_driven_joint("right_hip");
  EXPECT_EQ(at("right_hip/velocity"), &plant.joint(hip).velocity);
  EXPECT_EQ(at("base/orientation.w"), &plant.base().orientation.w);
  EXPECT_EQ(at("base/linear_velocity.z"), &plant.base().linear_velocity.z);
  EXPECT_EQ(at("imu/linear_acceleration.y"), &plant.imu(0).linear_acceleration.y);
  EXPECT_EQ(at("hip_ft/torque.x"), &plant.force_torque(0).torque.x);
  EXPECT_EQ(at("left_foot/support"), &plant.foot(0).support);
  EXPECT_EQ(at("left_foot/force_now.x"), &plant.foot(0).force_now.x);
  EXPECT_EQ(at("left_foot/normal.z"), &plant.foot(0).normal.z);
  EXPECT_EQ(at("right/contact"), &plant.foot(1).contact);

  CommandSet all = kNoCommand;
  for (const CommandPort& command : wiring->commands) {
    EXPECT_EQ(command.joint, hip);
    all = static_cast<CommandSet>(all | command.bit);
  }
  EXPECT_EQ(all, kHybridCommand);
  EXPECT_EQ(wiring->commands[3].name, "right_hip/kp");
  EXPECT_EQ(wiring->commands[3].member, &Command::kp);
}

// A plant that is wired walks as the scenario does: same events, same hash, whatever sensors hang on it.
TEST(Wiring, WalksLikeTheScenario) {
  for (const char* name : {"compass.yaml", "compass_powered.yaml"}) {
    const auto walk = scenario(name);
    const auto simulator = std::make_unique<Simulator>(walk->robot->model, walk->settings);
    ASSERT_EQ(start(*walk, *simulator), Status::kOk);
    auto wiring = wire(full_tag(), *walk);
    ASSERT_TRUE(wiring) << wiring.error().text();
    const auto lock_step = std::make_unique<LockStep>(std::move(wiring->plant), 1, wiring->opening);
    lock_step->run(0);
    std::size_t count = 0;
    for (int k = 0; k < 10000; ++k) {
      ASSERT_EQ(simulator->step({}), Status::kOk);
      ASSERT_EQ(lock_step->cycle(), Status::kOk);
      StampedEvent mine;
      for (ContactEvent event; simulator->events().pop(event); ++count) {
        ASSERT_TRUE(lock_step->pop(mine));
        EXPECT_EQ(mine.event.sequence, event.sequence);
        EXPECT_EQ(mine.event.time, event.time);
        EXPECT_EQ(mine.event.kind, event.kind);
      }
      EXPECT_FALSE(lock_step->pop(mine));
    }
    EXPECT_GT(count, 25U);
    EXPECT_EQ(lock_step->plant().simulator().hash(), simulator->hash());
  }
}

TEST(Wiring, WiresThePushOff) {
  HardwareTag tag = full_tag();
  tag.gpios = {{"push_off", {"impulse"}, {}, {}, {}}};
  const auto powered = wire(tag, *scenario("compass_powered.yaml"));
  ASSERT_TRUE(powered) << powered.error().text();
  EXPECT_EQ(powered->commands.back().name, "push_off/impulse");
  EXPECT_FALSE(powered->commands.back().joint.valid());
  const auto passive = wire(tag, *scenario("compass.yaml"));
  ASSERT_FALSE(passive);
  EXPECT_EQ(passive.error().text(),
            "gpio 'push_off': needs a push_off in the scenario, which says what to push towards");
}

// The scenario says how a robot starts; what the tag says beside it must be the same, and NaN or words are not.
TEST(Wiring, TakesInitialValuesThatAreTrue) {
  const auto walk = scenario("compass.yaml");
  const JointId hip = find_joint(walk->robot->model, "right_hip");
  const auto plain = wire(full_tag(), *walk);
  ASSERT_TRUE(plain);
  const JointReading start = plain->plant->joint(hip);
  ASSERT_GT(std::abs(start.position), 0.1);
  HardwareTag tag = full_tag();
  tag.joints[0].initial_values = {{"position", fmt::format("{:.9g}", start.position)},
                                  {"velocity", fmt::format("{:.9g}", start.velocity)}};
  EXPECT_TRUE(wire(tag, *walk));
  for (const char* wrong : {"0", "nan", "a"}) {
    tag.joints[0].initial_values["position"] = wrong;
    const auto wiring = wire(tag, *walk);
    ASSERT_FALSE(wiring) << wrong;
    EXPECT_EQ(wiring.error().text(),
              fmt::format("joint 'right_hip': has the initial_value '{}' of position, and the "
                          "scenario starts it at {:g}; the scenario says how the robot starts "
                          "(initial, or a keyframe and <param name=\"keyframe\">): change it "
                          "there, or take the value out",
                          wrong, start.position));
  }
}

// From a keyframe: no opening events, which are the initial state's; a reset to that has them.
TEST(Wiring, StartsInAKeyframe) {
  const auto walk = scenario("compass.yaml");
  SimulatorSnapshot later = walk->plant.keyframes[0].snapshot;
  const auto simulator = std::make_unique<Simulator>(walk->robot->model, walk->settings);
  simulator->restore(later);
  for (int k = 0; k < 100; ++k) ASSERT_EQ(simulator->step({}), Status::kOk);
  walk->plant.keyframes.push_back({"later", simulator->save()});
  auto wiring = wire(full_tag(), *walk, "later");
  ASSERT_TRUE(wiring) << wiring.error().text();
  EXPECT_EQ(wiring->plant->time(), 0);
  const Joint& hip = walk->robot->model.joints[find_joint(walk->robot->model, "right_hip")];
  EXPECT_EQ(wiring->plant->joint(find_joint(walk->robot->model, "right_hip")).position,
            simulator->state().q[hip.q_index]);
  ASSERT_FALSE(wiring->opening.empty());
  const std::size_t opening = wiring->opening.size();
  const auto lock_step = std::make_unique<LockStep>(std::move(wiring->plant), 1, wiring->opening);
  lock_step->run(0);
  StampedEvent event;
  EXPECT_FALSE(lock_step->pop(event));
  Request reset;
  reset.kind = RequestKind::kReset;
  ASSERT_TRUE(lock_step->ask(reset));
  ASSERT_EQ(lock_step->cycle(), Status::kOk);
  std::size_t told = 0;
  while (lock_step->pop(event)) ++told;
  EXPECT_EQ(told, opening);

  EXPECT_EQ(wire(full_tag(), *walk, "sooner").error().text(),
            "param 'keyframe': is 'sooner', which the scenario does not have; there are initial, "
            "later");
}

TEST(Wiring, RefusesInWords) {
  struct Case {
    HardwareTag tag;
    const char* text;
  };
  const auto with = [](auto change) {
    HardwareTag tag = full_tag();
    change(tag);
    return tag;
  };
  const Case cases[] = {
      {with([](HardwareTag& t) { t.joints[0].name = "left_knee"; }),
       "joint 'left_knee': is in the <ros2_control> tag, but the robot has no joint of this name "
       "that "
       "moves; correct the name, or take it out of the tag"},
      {with([](HardwareTag& t) { t.joints[0].name = "left_hip"; }),  // fixed
       "joint 'left_hip': is in the <ros2_control> tag, but the robot has no joint of this name "
       "that "
       "moves; correct the name, or take it out of the tag"},
      {with([](HardwareTag& t) { t.joints[0].commands.emplace_back("torque"); }),
       "joint 'right_hip': has no command interface 'torque'; there are position, velocity, "
       "effort, "
       "kp and kd"},
      {with([](HardwareTag& t) { t.joints[0].commands.emplace_back("proportional"); }),
       "joint 'right_hip': has the command interface 'proportional' twice"},
      {with([](HardwareTag& t) { t.joints[0].states.emplace_back("current"); }),
       "joint 'right_hip': has no state interface 'current'; there are position, velocity, effort"},
      {with([](HardwareTag& t) { t.sensors[1].parameters["link"] = "torso"; }),
       "sensor 'imu': link 'torso' is not a link of the robot"},
      {with([](HardwareTag& t) { t.sensors[1].parameters.erase("link"); }),
       "sensor 'imu': does not say where it sits; give it <param name=\"link\">"},
      {with([](HardwareTag& t) { t.sensors[2].parameters["joint"] = "ankle"; }),
       "sensor 'hip_ft': joint 'ankle' is not a joint of the robot that moves"},
      {with([](HardwareTag& t) { t.sensors[3].name = "third_foot"; }),
       "sensor 'third_foot': link 'third_foot' is not a link of the robot; name a foot of the "
       "scenario "
       "in <param name=\"link\">"},
      {with([](HardwareTag& t) { t.sensors[3].name = "hip"; }),
       "sensor 'hip': link 'hip' is not among the scenario's feet; add it there"},
      {with([](HardwareTag& t) { t.sensors[0].parameters.clear(); }),
       "sensor 'base': does not say what it is; give it <param name=\"type\">, which is imu, "
       "force_torque, foot or base"},
      {with([](HardwareTag& t) { t.sensors[0].parameters["type"] = "gps"; }),
       "sensor 'base': type 'gps' is not imu, force_torque, foot or base"},
      {with([](HardwareTag& t) { t.sensors[2].states.emplace_back("force.w"); }),
       "sensor 'hip_ft': has no state interface 'force.w'; there are force.x, force.y, force.z, "
       "torque.x, torque.y, torque.z"},
      {with([](HardwareTag& t) {
         t.gpios = {{"lamp", {"on"}, {}, {}, {}}};
       }),
       "gpio 'lamp': is not known; the only one is 'push_off', with the command interface "
       "'impulse'"},
  };
  const auto walk = scenario("compass.yaml");
  for (const Case& one : cases) {
    const auto wiring = wire(one.tag, *walk);
    ASSERT_FALSE(wiring) << one.text;
    EXPECT_EQ(wiring.error().text(), one.text);
  }
}

TEST(Wiring, KnowsJointsBeforeTheScenario) {
  const auto walk = scenario("compass.yaml");
  const auto ports = find_commands(full_tag(), walk->robot->model);
  ASSERT_TRUE(ports);
  EXPECT_EQ(ports->size(), 5U);
  HardwareTag tag = full_tag();
  tag.joints[0].name = "knee";
  EXPECT_FALSE(find_commands(tag, walk->robot->model));
}

TEST(Wiring, ReadsSettings) {
  const auto all = read_settings({{"scenario", "/a/b.yaml"},
                                  {"update_rate", "500"},
                                  {"clock", "true"},
                                  {"real_time_factor", "2.5"},
                                  {"blocking_read", "False"},
                                  {"status_rate", "20"},
                                  {"lenient", "true"},
                                  {"min_armature", "2e-5"},
                                  {"start_paused", "true"},
                                  {"keyframe", "on_four_feet"}});
  ASSERT_TRUE(all) << all.error().text();
  EXPECT_EQ(all->scenario, "/a/b.yaml");
  EXPECT_EQ(all->update_rate, 500);
  EXPECT_TRUE(all->clock);
  EXPECT_EQ(all->real_time_factor, 2.5);
  EXPECT_FALSE(all->blocking_read);
  EXPECT_EQ(all->status_rate, 20);
  EXPECT_TRUE(all->lenient);
  EXPECT_EQ(all->min_armature, 2e-5);
  EXPECT_TRUE(all->start_paused);
  EXPECT_EQ(all->keyframe, "on_four_feet");

  const auto text = [](const std::map<std::string, std::string>& parameters) {
    const auto settings = read_settings(parameters);
    return settings ? std::string("accepted") : settings.error().text();
  };
  EXPECT_EQ(
      text({}),
      "param 'scenario': is missing; say which scenario file to simulate: <param name=\"scenario\">"
      "/path/to/scenario.yaml</param> in the <hardware> tag");
  EXPECT_EQ(text({{"scenario", "a"}, {"clock", "1"}}),
            "param 'clock': is '1'; it must be true or false");
  EXPECT_EQ(text({{"scenario", "a"}, {"real_time_factor", "-1"}}),
            "param 'real_time_factor': is '-1'; it must be a number, 0 or above");
  EXPECT_EQ(text({{"scenario", "a"}, {"status_rate", "10 Hz"}}),
            "param 'status_rate': is '10 Hz'; it must be a number, 0.01 or above");
  EXPECT_EQ(
      text({{"scenaro", "a"}}),
      "param 'scenaro': is not known; there are scenario, update_rate, clock, real_time_factor, "
      "blocking_read, status_rate, lenient, min_armature, start_paused and keyframe");
  EXPECT_EQ(text({{"scenario", "a"}, {"real_time_factor", "0"}}),
            "param 'real_time_factor': has no effect, as the controller manager goes by the wall's "
            "clock; say clock: true and start it with use_sim_time, or leave it out");
}

TEST(Wiring, CountsSubSteps) {
  EXPECT_EQ(*sub_steps_per_cycle(1000, 1e-3), 1);
  EXPECT_EQ(*sub_steps_per_cycle(250, 1e-3), 4);
  EXPECT_EQ(*sub_steps_per_cycle(500, 1.0 / 3000), 6);
  EXPECT_EQ(
      sub_steps_per_cycle(400, 1e-3).error().text(),
      "update rate: a period of 0.0025 s at 400 Hz is not a whole number of the scenario's steps "
      "of 0.001 s; change one of them");
  EXPECT_FALSE(sub_steps_per_cycle(2000, 1e-3));
  EXPECT_EQ(sub_steps_per_cycle(0, 1e-3).error().text(),
            "update rate: is 0 Hz; it must be above zero");
}

// The robot of a running ROS is text, with a tag in it; the scenario's own file is not read.
TEST(Wiring, TakesARobotAsText) {
  std::ifstream file(own_folder() / "compass.urdf");
  std::string xml{std::istreambuf_iterator<char>(file), {}};
  xml.insert(
      xml.rfind("</robot>"),
      "<ros2_control name=\"stance\" type=\"system\"><hardware><plugin>x</plugin></hardware>"
      "<joint name=\"right_hip\"><state_interface name=\"position\"/></joint></ros2_control>");
  const fs::path path = own_folder() / "../config/compass.yaml";
  const auto from_text = load_scenario(path, xml);
  ASSERT_TRUE(from_text) << from_text.error().text();
  EXPECT_EQ((*from_text)->robot->model.body_count, 2);
  EXPECT_EQ((*from_text)->settings.foot_count, 2);
  EXPECT_EQ(load_scenario(path, "<robot name='r'><link name='a'/></robot>")
                    .error()
                    .text()
                    .find("feet[0]") == std::string::npos,
            false);
  const auto broken = load_scenario(path, "<robot");
  ASSERT_FALSE(broken);
}

}  // namespace
}  // namespace stance
