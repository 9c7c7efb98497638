// Scenario files: what is read, how the simulator starts, and every refusal with its line and key.
#include <gtest/gtest.h>
#include <unistd.h>

#include <chrono>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <numbers>
#include <string>

#include "robot_folders.hpp"
#include "stance_model/load_scenario.hpp"
#include "stance_model/quantity.hpp"

namespace stance {
namespace {

namespace fs = std::filesystem;

// A file in a folder of its own, gone at the end.
class ScenarioTest : public testing::Test {
 protected:
  ScenarioTest()
      : folder_(fs::temp_directory_path() / ("stance_scenario_" + std::to_string(getpid()))) {
    fs::create_directories(folder_);
  }
  ~ScenarioTest() override {
    std::error_code ignored;
    fs::remove_all(folder_, ignored);
  }
  fs::path write(const std::string& text) const {
    std::ofstream(folder_ / "walk.yaml", std::ios::binary) << text;
    return folder_ / "walk.yaml";
  }
  Result<std::unique_ptr<Scenario>> load(const std::string& text) const {
    return load_scenario(write(text));
  }
  fs::path folder_;
};

std::string robot_line(const char* name) {
  return "robot: " + (fs::absolute(own_folder()) / name).lexically_normal().string() + '\n';
}

// Lines are counted by the refusals below.
std::string compass() {
  return "title: Test walk\n" + robot_line("compass.urdf") +                         // 1, 2
         "gravity: 9.81 m/s^2\n"                                                     // 3
         "ground: {slope: 0.0524 rad}\n"                                             // 4
         "feet:\n"                                                                   // 5
         "  - {link: left_foot, support: pin, scuff: ignore}\n"                      // 6
         "  - {link: right_foot, support: pin, scuff: ignore}\n"                     // 7
         "fall: [hip]\n"                                                             // 8
         "initial:\n"                                                                // 9
         "  support: left_foot\n"                                                    // 10
         "  angle: 0.3236 rad\n"                                                     // 11
         "  rate: 1.4939 rad/s\n"                                                    // 12
         "  joints: {right_hip: {position: -0.5424 rad, velocity: 0.3117 rad/s}}\n"  // 13
         "  strike: right_foot\n"                                                    // 14
         "integrator: {method: rk4, step: 1 ms}\n"                                   // 15
         "duration: 30 s\n"                                                          // 16
         "report: {sample: 20 ms, files: [events, summary]}\n";                      // 17
}

std::string with(std::string text, const std::string& from, const std::string& to) {
  const auto at = text.find(from);
  EXPECT_NE(at, text.npos) << from;
  return text.replace(at, from.size(), to);
}

TEST_F(ScenarioTest, ReadsEverySection) {
  const auto scenario = load(compass());
  ASSERT_TRUE(scenario) << scenario.error().text();
  const Scenario& s = **scenario;
  const Model& model = s.robot->model;
  EXPECT_EQ(s.title, "Test walk");
  EXPECT_EQ(model.gravity, Vec3<double>(0, 0, -9.81));
  EXPECT_DOUBLE_EQ(s.settings.ground.normal.x, std::sin(0.0524));
  ASSERT_EQ(s.settings.foot_count, 2);
  EXPECT_EQ(s.settings.feet[1].frame, find_frame(model, "right_foot"));
  EXPECT_EQ(s.settings.feet[1].support, JointKind::kRevolute);
  EXPECT_TRUE(s.settings.feet[1].ignore_scuff);
  ASSERT_EQ(s.settings.fall_count, 1);
  EXPECT_EQ(s.settings.fall_frames[0], find_frame(model, "hip"));
  EXPECT_EQ(s.initial.foot, 0);
  EXPECT_EQ(s.initial.strike, 1);
  EXPECT_EQ(s.initial.angle, 0.3236);
  EXPECT_EQ(s.initial.rate, 1.4939);
  ASSERT_EQ(s.initial.joints.size(), 1U);
  EXPECT_EQ(s.initial.joints[0].velocity, 0.3117);
  EXPECT_EQ(s.settings.step, 1e-3);
  EXPECT_EQ(s.duration, 30);
  EXPECT_EQ(s.sample_period, 0.02);
  EXPECT_EQ(s.report, (std::set<std::string>{"events", "summary"}));
}

TEST_F(ScenarioTest, StartsTheSimulator) {
  const auto scenario = load(with(compass(), "  strike: right_foot\n", ""));
  ASSERT_TRUE(scenario) << scenario.error().text();
  const Model& model = (*scenario)->robot->model;
  const auto simulator = std::make_unique<Simulator>(model, (*scenario)->settings);
  ASSERT_EQ(start(**scenario, *simulator), Status::kOk);
  EXPECT_EQ(simulator->support_foot(), 0);
  EXPECT_EQ(simulator->events().size(), 0);
  // the hip of a leg of 1 m that leans forward by the angle
  const Frame& hip = model.frames[find_frame(model, "hip")];
  const auto X_WH = body_motion(model, simulator->tree(), simulator->state(), hip.body).X_WH;
  const Vec3<double> p = X_WH * hip.X_HF.p;
  EXPECT_NEAR(p.x, std::sin(0.3236), 1e-15);
  EXPECT_NEAR(p.z, std::cos(0.3236), 1e-15);
  EXPECT_NEAR(simulator->foot_height(1), 0, 1e-4);  // Table 1 has four digits
}

TEST_F(ScenarioTest, StrikesFirst) {
  const auto scenario = load(compass());
  ASSERT_TRUE(scenario) << scenario.error().text();
  const auto simulator = std::make_unique<Simulator>((*scenario)->robot->model,
                                                     (*scenario)->settings);
  ASSERT_EQ(start(**scenario, *simulator), Status::kOk);
  EXPECT_EQ(simulator->support_foot(), 1);
  ContactEvent event;
  ASSERT_TRUE(simulator->events().pop(event));
  EXPECT_EQ(event.kind, EventKind::kTouchdown);
  EXPECT_EQ(event.time, 0);
}

TEST_F(ScenarioTest, LocksJointsAndReadsStops) {
  const auto scenario = load(
      robot_line("kneed_biped.urdf") +
      "feet: [{link: left_foot, support: pin}, {link: right_foot, support: pin}]\n"
      "stops: [{joint: left_knee, at: lower, release: left_foot}, {joint: right_knee, at: upper}]\n"
      "push_off: {impulse: 200 g*m/s, towards: hip}\n"
      "initial: {support: left_foot, joints: {right_knee: 30 deg}, locked: [left_knee]}\n"
      "integrator: {method: dormand_prince, step: 0.5 ms, tolerance: 1e-8}\n"
      "duration: 0.5 min\n");
  ASSERT_TRUE(scenario) << scenario.error().text();
  const Scenario& s = **scenario;
  const Model& model = s.robot->model;
  EXPECT_EQ(s.title, "walk");
  ASSERT_EQ(s.settings.stop_count, 2);
  EXPECT_EQ(s.settings.stops[0].release_foot, 0);
  EXPECT_EQ(s.settings.stops[1].release_foot, -1);
  EXPECT_FALSE(s.settings.stops[1].at_lower);
  EXPECT_DOUBLE_EQ(s.settings.push_off.impulse, 0.2);
  EXPECT_EQ(s.settings.integrator.method, Method::kDormandPrince);
  EXPECT_EQ(s.settings.integrator.tolerance, 1e-8);
  EXPECT_EQ(s.settings.step, 5e-4);
  EXPECT_EQ(s.duration, 30);
  const auto simulator = std::make_unique<Simulator>(model, s.settings);
  ASSERT_EQ(start(s, *simulator), Status::kOk);
  const JointId left = find_joint(model, "left_knee"), right = find_joint(model, "right_knee");
  EXPECT_TRUE(simulator->tree().locked[left]);
  EXPECT_FALSE(simulator->tree().locked[right]);
  EXPECT_DOUBLE_EQ(simulator->state().q[model.joints[right].q_index], std::numbers::pi / 6);
}

// Poses and velocities in flight and on a ball, against what was asked for.
TEST_F(ScenarioTest, StartsInFlightAndOnABall) {
  const std::string head = robot_line("quadruped.urdf") +
                           "feet: [{link: lf_foot, support: ball}]\nduration: 1\n";
  const auto flying = load(head +
                           "initial: {flight: free, position: [1, 2, 3], velocity: [0.1, 0.2, 0.3],"
                           " orientation: [0, 90 deg, 0], angular_velocity: [0.4, 0.5, 0.6]}\n");
  ASSERT_TRUE(flying) << flying.error().text();
  const Model& model = (*flying)->robot->model;
  auto simulator = std::make_unique<Simulator>(model, (*flying)->settings);
  ASSERT_EQ(start(**flying, *simulator), Status::kOk);
  auto motion = body_motion(model, simulator->tree(), simulator->state(), BodyId(0));
  EXPECT_LT(norm(motion.X_WH.p - Vec3<double>(1, 2, 3)), 1e-15);
  EXPECT_LT(norm(motion.X_WH.R * motion.V_H.v - Vec3<double>(0.1, 0.2, 0.3)), 1e-15);
  EXPECT_LT(norm(motion.X_WH.R * motion.V_H.w - Vec3<double>(0.4, 0.5, 0.6)), 1e-15);
  EXPECT_LT(norm(motion.X_WH.R.a - Vec3<double>(0, 0, -1)), 1e-15);  // nose down

  const auto standing = load(head +
                             "initial: {support: lf_foot, orientation: [0.1, 0.2, 0.3],"
                             " angular_velocity: [0.4, 0.5, 0.6]}\n");
  ASSERT_TRUE(standing) << standing.error().text();
  simulator = std::make_unique<Simulator>((*standing)->robot->model, (*standing)->settings);
  ASSERT_EQ(start(**standing, *simulator), Status::kOk);
  const Frame& foot = model.frames[find_frame(model, "lf_foot")];
  motion = body_motion(model, simulator->tree(), simulator->state(), foot.body);
  EXPECT_LT(norm(motion.X_WH * foot.X_HF.p), 1e-15);
  EXPECT_LT(norm(motion.X_WH.R * motion.V_H.w - Vec3<double>(0.4, 0.5, 0.6)), 1e-14);
  // R = Rz Ry Rx: its first column is (cy cp, sy cp, -sp)
  const Mat3<double> R = motion.X_WH.R * transpose(model.bodies[foot.body].R_bind);
  EXPECT_LT(norm(R.a - Vec3<double>(std::cos(0.3) * std::cos(0.2), std::sin(0.3) * std::cos(0.2),
                                    -std::sin(0.2))),
            1e-14);
}

TEST_F(ScenarioTest, AnchorsAndAliasesAreFine) {
  const auto scenario = load(with(with(compass(), "support: pin,", "support: &kind pin,"),
                                  "right_foot, support: pin", "right_foot, support: *kind"));
  ASSERT_TRUE(scenario) << scenario.error().text();
}

struct Refused {
  const char* name;
  const char* from;
  const char* to;
  ErrorCode code;
  const char* place;  // what follows the file: line and column
  const char* part;
};
std::ostream& operator<<(std::ostream& out, const Refused& refused) { return out << refused.name; }

class ScenarioRefusal : public ScenarioTest, public testing::WithParamInterface<Refused> {};

TEST_P(ScenarioRefusal, SaysWhereAndWhat) {
  const Refused& refused = GetParam();
  const auto scenario = load(with(compass(), refused.from, refused.to));
  ASSERT_FALSE(scenario);
  const Error& error = scenario.error();
  EXPECT_EQ(error.code, refused.code);
  EXPECT_EQ(error.element, (folder_ / "walk.yaml").string() + refused.place) << error.text();
  EXPECT_NE(error.message.find(refused.part), std::string::npos) << error.text();
}

constexpr auto kSyntax = ErrorCode::kSyntax;
constexpr auto kStructure = ErrorCode::kStructure;
constexpr auto kValue = ErrorCode::kValue;

INSTANTIATE_TEST_SUITE_P(
    Text, ScenarioRefusal,
    testing::Values(Refused{"bracket", "[hip]", "[hip", kSyntax, ":9:8", "this is not YAML"},
                    Refused{"tab", "  angle", "\tangle", kSyntax, ":11:1", "this is not YAML"},
                    Refused{"alias", "duration: 30 s", "duration: *none", kSyntax, ":16:11",
                            "this is not YAML"},
                    Refused{"second_document", "duration", "---\nduration", kSyntax, ":16",
                            "second document"},
                    Refused{"unknown_key", "duration", "durtion", kStructure, ":16:1",
                            "unknown key 'durtion'; did you mean 'duration'?"},
                    Refused{"unknown_inner_key", "scuff: ignore", "scuf: ignore", kStructure,
                            ":6:37", "unknown key 'scuf' in feet[0]; did you mean 'scuff'?"},
                    Refused{"twice", "fall: [hip]", "duration: 1 s", kStructure, ":16:1",
                            "duration is given twice"},
                    Refused{"missing", "duration: 30 s\n", "", kStructure, ":1:1",
                            "the file lacks the key 'duration'; add duration: 30 s"},
                    Refused{"missing_inner", "support: pin, ", "", kStructure, ":6:5",
                            "feet[0] lacks the key 'support'"},
                    Refused{"list_for_map", "{slope: 0.0524 rad}", "[1, 2]", kStructure, ":4:9",
                            "ground is a list; give keys and values"},
                    Refused{"map_for_list", "[hip]", "{hip: 1}", kStructure, ":8:7",
                            "fall is a map; give a list"},
                    Refused{"map_for_value", "30 s", "{a: 1}", kStructure, ":16:11",
                            "duration is a map; give a single value"},
                    Refused{"nothing", "duration: 30 s", "duration:", kStructure, ":16:1",
                            "duration is empty"}),
    [](const auto& row) { return std::string(row.param.name); });

INSTANTIATE_TEST_SUITE_P(
    Quantities, ScenarioRefusal,
    testing::Values(
        Refused{"dimension", "0.0524 rad", "3 m", kValue, ":4:17",
                "ground.slope takes an angle, and '3 m' is a length"},
        Refused{"rate", "1.4939 rad/s", "1.4939 rad", kValue, ":12:9",
                "initial.rate takes an angular rate, and '1.4939 rad' is an angle"},
        Refused{"joint", "-0.5424 rad", "-0.5 m", kValue, ":13:34",
                "initial.joints.right_hip.position takes an angle"},
        Refused{"compound", "30 s", "30 m^2/s", kValue, ":16:11",
                "takes a time, and '30 m^2/s' is something in m^2*s^-1"},
        Refused{"unit", "30 s", "30 furlong", kValue, ":16:11", "'furlong' is none that we know"},
        Refused{"word", "30 s", "long", kValue, ":16:11", "not a number; write it like 0.5 s"},
        Refused{"nan", "30 s", ".nan", kValue, ":16:11", "not finite"},
        Refused{"infinite", "30 s", "inf s", kValue, ":16:11", "not finite"},
        Refused{"huge", "30 s", "1e999", kValue, ":16:11", "no double can hold"},
        Refused{"zero_duration", "30 s", "0 s", kValue, ":16:11", "above zero"},
        Refused{"negative_step", "1 ms", "-1 ms", kValue, ":15:33",
                "integrator.step is '-1 ms'; it must be above zero"},
        Refused{"short_duration", "30 s", "0.1 ms", kValue, ":16:11", "shorter than the step"},
        Refused{"gravity_up", "9.81 m/s^2", "-9.81", kValue, ":3:10", "counts downwards"},
        Refused{"gravity_of_two", "9.81 m/s^2", "[0, 1]", kStructure, ":3:10",
                "gravity is a list of 2; give three values"},
        Refused{"wall", "0.0524 rad", "3", kValue, ":4:17", "which is a wall"}),
    [](const auto& row) { return std::string(row.param.name); });

INSTANTIATE_TEST_SUITE_P(
    Robot, ScenarioRefusal,
    testing::Values(
        Refused{"no_robot", "compass.urdf", "compas.urdf", ErrorCode::kFile, ":2:8",
                "does not exist"},
        Refused{"link", "link: left_foot", "link: left_fot", kStructure, ":6:12",
                "feet[0].link is 'left_fot', and the robot has no such link; did you mean "
                "'left_foot'?"},
        Refused{"same_foot", "link: right_foot", "link: left_foot", kStructure, ":7:12",
                "which is feet[0] already"},
        Refused{"support_kind", "support: pin", "support: pins", kValue, ":6:32",
                "it can be pin, ball, roll, weld"},
        Refused{"roll_without_radius", "support: pin", "support: roll", kStructure, ":6:5",
                "lacks the key 'radius'"},
        Refused{"no_feet", "feet:\n", "feet: []\nstops:\n", kStructure, ":5:7", "is an empty list"},
        Refused{"joint", "{right_hip: ", "{right_hop: ", kStructure, ":13:23",
                "no such joint; did you mean 'right_hip'?"},
        Refused{"fixed_joint", "{right_hip: ", "{left_hip: ", kStructure, ":13:22",
                "which is fixed and does not move"},
        Refused{"fall_is_foot", "[hip]", "[left_foot]", kStructure, ":8:8", "is a foot"},
        Refused{"support_is_no_foot", "support: left_foot\n", "support: hip\n", kStructure,
                ":10:12", "not among the feet; there are left_foot, right_foot"},
        Refused{"strikes_where_it_stands", "strike: right_foot", "strike: left_foot", kStructure,
                ":14:11", "the foot the robot stands on"},
        Refused{"does_not_strike", "-0.5424 rad", "-0.1 rad", kValue, ":14:11",
                "the ground in this state, so it does not strike"},
        Refused{"fallen", "angle: 0.3236 rad", "angle: 2 rad", kValue, ":10:3",
                "has 'hip' on or below the ground"},
        Refused{"stop_without_limit", "fall: [hip]", "stops: [{joint: right_hip, at: lower}]",
                ErrorCode::kLimits, ":8:32", "has no lower limit"},
        Refused{"push_towards_foot", "fall: [hip]",
                "push_off: {impulse: 1 N*s, towards: left_foot}", kStructure, ":8:37",
                "where the foot 'left_foot' is"},
        Refused{"pull", "fall: [hip]", "push_off: {impulse: -1 N*s, towards: hip}", kValue, ":8:21",
                "cannot pull"},
        Refused{"flies_and_stands", "  angle: 0.3236 rad", "  flight: free", kStructure, ":11:11",
                "stands or flies"},
        Refused{"place_while_standing", "  angle: 0.3236 rad", "  position: [0, 0, 1]", kStructure,
                ":11:13", "for a robot that stands on a foot"},
        Refused{"strike_in_flight",
                "  support: left_foot\n  angle: 0.3236 rad\n  rate: 1.4939 rad/s\n",
                "  flight: planar\n  position: [0, 1, 1]\n", kStructure, ":13:11",
                "initial.strike means nothing in flight"},
        Refused{"lock_and_move", "strike: right_foot", "locked: [right_hip]", kValue, ":14:12",
                "which is given a velocity"},
        Refused{"method", "rk4", "rk5", kValue, ":15:22", "rk4, euler, dormand_prince"},
        Refused{"tolerance", "step: 1 ms", "tolerance: 1e-9", kStructure, ":15:38",
                "for the method dormand_prince alone"},
        Refused{"report", "summary", "sumary", kValue, ":17:41", "it can be trajectory"},
        Refused{"report_nothing", "[events, summary]", "[]", kStructure, ":17:32", "empty list"}),
    [](const auto& row) { return std::string(row.param.name); });

TEST_F(ScenarioTest, FilesThatAreNone) {
  const auto expect = [](const Result<std::unique_ptr<Scenario>>& result, const char* part) {
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().code, ErrorCode::kFile);
    EXPECT_NE(result.error().text().find(part), std::string::npos) << result.error().text();
  };
  expect(load_scenario(folder_ / "none.yaml"), "does not exist");
  expect(load_scenario(folder_), "is a directory");
  expect(load(""), "is empty");
  expect(load("# a comment\n"), "is empty");
  expect(load(std::string(2 << 20, '#')), "larger than 1 MiB");
}

// yaml-cpp takes what no value can begin with for a document without end, after another and another.
TEST_F(ScenarioTest, TextsThatEatMemoryAreRefusedBeforeTheyAreParsed) {
  const auto expect = [&](const std::string& text, const char* part) {
    const auto result = load(text);
    ASSERT_FALSE(result);
    EXPECT_NE(result.error().text().find(part), std::string::npos) << result.error().text();
  };
  expect(",\n", "walk.yaml:1:1: this is not YAML: a value cannot go on or begin here");
  expect("\"time\",\"x\"\n0,1\n", "walk.yaml:1:7: this is not YAML: a value cannot go on");
  expect("time,x\n0,1\n", "is a single value; give keys and values");
  expect("title: a\n...\n, b\n", "this is not YAML");
  expect(std::string(500'000, '['), "this is not YAML");
  expect(std::string(500'000, '{'), "this is not YAML");
  std::string dashes;
  for (int i = 0; i < 100'000; ++i) dashes += "- ";
  expect(dashes, "this is not YAML");
}

TEST_F(ScenarioTest, SoManyKeysAreNoScenario) {
  const auto with_keyframes = [](int count) {
    std::string text = compass() + "keyframes:\n";
    for (int i = 0; i < count; ++i) text += "  k" + std::to_string(i) + ": 0\n";
    return text;
  };
  const auto many = load(with_keyframes(60'000));
  ASSERT_FALSE(many);
  EXPECT_NE(many.error().text().find("more than 100000 keys and values; this is no scenario"),
            std::string::npos)
      << many.error().text();
  // what passes there is read in a time that grows with it, not with its square
  const auto before = std::chrono::steady_clock::now();
  const auto fewer = load(with_keyframes(49'000));
  ASSERT_FALSE(fewer);
  EXPECT_NE(fewer.error().text().find("keyframes.k0 is a single value"), std::string::npos)
      << fewer.error().text();
  // 0.1 s; comparing all pairs takes 4 s, and forty times that under a sanitizer
  EXPECT_LT(std::chrono::steady_clock::now() - before, std::chrono::seconds(20));
}

// How to load the robot: in the file, or from whoever loads the scenario.
TEST_F(ScenarioTest, LoadsARobotLenientlyWhereAskedTo) {
  const fs::path robot = folder_ / "ghost.urdf";
  std::ofstream(robot) << "<robot><link name='hip'><inertial><mass value='1'/>"
                          "<inertia ixx='1' ixy='0' ixz='0' iyy='1' iyz='0' izz='1'/></inertial>"
                          "</link><link name='foot'/><joint name='ankle' type='continuous'>"
                          "<parent link='hip'/><child link='foot'/></joint></robot>";
  const auto with = [](const std::string& line) {
    return "robot: " + line +
           "\nfeet: [{link: foot, support: pin}]\ninitial: {support: foot}\nduration: 1 s\n";
  };
  const auto refused = [&](const std::string& line, const char* part) {
    const auto scenario = load(with(line));
    ASSERT_FALSE(scenario) << line;
    EXPECT_NE(scenario.error().text().find(part), std::string::npos) << scenario.error().text();
  };
  refused("ghost.urdf", "walk.yaml:1:8: robot cannot be used");
  refused("ghost.urdf", "with --lenient (lenient: yes), which names the robot 'ghost'");
  refused("{file: ghost.urdf}", "walk.yaml:1:15: robot.file cannot be used");
  refused("{file: ghost.urdf, lenient: no}", "--lenient");
  refused("{file: ghost.urdf, lenient: yes}", "--min-armature 1e-5 gives one");
  refused("{file: ghost.urdf, lenient: maybe}", "it can be yes, no");
  refused("{file: ghost.urdf, min_armature: -1}", "must be above zero");
  refused("{file: ghost.urdf, min_armature: 1 kg}", "is a mass");
  refused("{file: ghost.urdf, lenent: yes}", "did you mean 'lenient'?");
  refused("{lenient: yes}", "robot lacks the key 'file'");
  const auto scenario = load(with("{file: ghost.urdf, lenient: yes, min_armature: 2e-5 kg*m^2}"));
  ASSERT_TRUE(scenario) << scenario.error().text();
  EXPECT_EQ((*scenario)->robot->description.name, "ghost");
  EXPECT_EQ((*scenario)->robot->model.joints[1].armature, 2e-5);

  LoadOptions options;
  options.lenient = true;
  options.min_armature = 3e-5;
  const auto asked = load_scenario(write(with("ghost.urdf")), options);
  ASSERT_TRUE(asked) << asked.error().text();
  EXPECT_EQ((*asked)->robot->model.joints[1].armature, 3e-5);
  // the caller's number wins, and its silence takes nothing back
  options.lenient = false;
  const auto both = load_scenario(
      write(with("{file: ghost.urdf, lenient: yes, min_armature: 2e-5}")), options);
  ASSERT_TRUE(both) << both.error().text();
  EXPECT_EQ((*both)->robot->model.joints[1].armature, 3e-5);
}

TEST_F(ScenarioTest, BeyondCapacityLimitsAndPlane) {
  std::string feet = "feet: [";
  for (int i = 0; i < kMaxFeet + 1; ++i) feet += "{link: left_foot, support: pin}, ";
  auto scenario = load(robot_line("compass.urdf") + feet + "]\ninitial: {support: left_foot}\n" +
                       "duration: 1\n");
  ASSERT_FALSE(scenario);
  EXPECT_EQ(scenario.error().code, ErrorCode::kCapacity);
  EXPECT_NE(scenario.error().text().find(":2:7: feet has 33 entries"), std::string::npos)
      << scenario.error().text();

  scenario = load(robot_line("kneed_biped.urdf") +
                  "feet: [{link: left_foot, support: pin}]\nduration: 1\n"
                  "initial: {support: left_foot, joints: {left_knee: -0.1}}\n");
  ASSERT_FALSE(scenario);
  EXPECT_EQ(scenario.error().code, ErrorCode::kLimits);

  scenario = load(robot_line("compass.urdf") +
                  "feet: [{link: left_foot, support: pin}]\nduration: 1\n"
                  "initial: {flight: planar, position: [0, 1, 1]}\n");
  ASSERT_FALSE(scenario);
  EXPECT_NE(scenario.error().text().find("leaves the plane of planar flight"), std::string::npos)
      << scenario.error().text();
}

// Cut off anywhere and with single characters replaced: an answer, never a crash.
TEST_F(ScenarioTest, BrokenFilesNeverCrash) {
  const std::string whole = compass();
  int refused = 0;
  for (std::size_t length = 0; length < whole.size(); length += 3)
    refused += load(whole.substr(0, length)) ? 0 : 1;
  const char marks[] = "{}[]:,&*!|>'\"%@#\n\t -0";
  for (std::size_t at = 0; at < whole.size(); at += 5) {
    std::string broken = whole;
    broken[at] = marks[at % (sizeof marks - 1)];
    refused += load(broken) ? 0 : 1;
  }
  EXPECT_GT(refused, 100);
}

TEST(Quantity, Units) {
  const double pi = std::numbers::pi;
  EXPECT_DOUBLE_EQ(parse_quantity("180 deg", kAngle), pi);
  EXPECT_DOUBLE_EQ(parse_quantity("1 rev/min", kAngularRate), 2 * pi / 60);
  EXPECT_DOUBLE_EQ(parse_quantity("250cm", kLength), 2.5);
  EXPECT_DOUBLE_EQ(parse_quantity(" +9.81 m/s^2 ", kAcceleration), 9.81);
  EXPECT_DOUBLE_EQ(parse_quantity("9.81 m * s^-2", kAcceleration), 9.81);
  EXPECT_DOUBLE_EQ(parse_quantity("3 kN*ms", kImpulse), 3);
  EXPECT_EQ(parse_quantity("-1e-3", kTime), -1e-3);
  EXPECT_EQ(parse_quantity("2 s/s", kPureNumber), 2);
  for (const char* bad : {"", "m", "1 m/", "1 *m", "1 m^x", "1 m^99", "1 2", "0x10", "1,5", "+-1",
                          "1 m//s", "1e308 km"}) {
    EXPECT_THROW(parse_quantity(bad, kLength), QuantityError) << bad;
  }
}

}  // namespace
}  // namespace stance
