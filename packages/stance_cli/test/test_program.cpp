// The program as a whole: exit codes, help, and what goes to which stream.
#include <gtest/gtest.h>

#include <filesystem>

#include "program.hpp"
#include "sample_robots.hpp"

namespace stance {
namespace {

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(Program, HelpTeaches) {
  for (const char* arguments : {"--help", "-h", "info --help", "dynamics --help"}) {
    const auto run = run_stance(arguments);
    EXPECT_EQ(run.exit_code, 0) << arguments;
    EXPECT_EQ(run.err, "") << arguments;
    EXPECT_TRUE(contains(run.out, "Usage: stance")) << run.out;
  }
  EXPECT_TRUE(contains(run_stance("info --help").out, "Example"));
  EXPECT_TRUE(contains(run_stance("dynamics --help").out, "Example"));
}

TEST(Program, VersionIsOneLine) {
  const auto run = run_stance("--version");
  EXPECT_EQ(run.exit_code, 0);
  EXPECT_EQ(run.out.substr(0, 7), "stance ");
  EXPECT_EQ(run.out.find('\n'), run.out.size() - 1);
}

TEST(Program, WrongCommandLinesExitWithTwo) {
  const std::pair<const char*, const char*> cases[] = {
      {"", "Usage: stance"},
      {"fly", "stance: "},
      {"info", "stance: ROBOT is required"},
      {"info a.urdf b.urdf", "stance: 'b.urdf' is one argument too many for stance info"},
      {"run s.yaml --durations 3",
       "'--durations' is no option of stance run; did you mean --duration?"},
      {"run s.yaml --fast=yes", "stance: '--fast=yes' is no option of stance run\n"},
      {"walk", "stance: 'walk' is no command of stance"},
      {"runn s.yaml", "'runn' is no command of stance; did you mean run?"},
      {"run s.yaml --steps 0",
       "stance: --steps: must be a whole number from 1 to 2147483647, not '0'\n"},
      {"run s.yaml --steps 1.5", "stance: --steps: must be a whole number from 1"},
      {"run s.yaml --seed -1", "stance: --seed: must be a whole number, 0 or more, not '-1'\n"},
      {"run s.yaml --duration 5m", "stance: --duration: takes a time, and '5m' is a length\n"},
      {"run s.yaml --duration 0", "stance: --duration: must be from 1e-09 to 1e+09 s, not '0'\n"},
      {"run s.yaml --duration nan", "stance: --duration: has 'nan', which is not finite"},
      {"rt s.yaml --rate 1kg", "stance: --rate: takes a frequency, and '1kg' is a mass\n"},
      {"rt s.yaml --cpu -1", "stance: --cpu: must be a whole number from 0"},
      {"dynamics a.urdf", "stance: --states is required"},
      {"dynamics a.urdf --states s.csv --algorithm magic", "stance: --algorithm:"},
      {"dynamics a.urdf --states s.csv --fixed-base --root foot",
       "stance: --fixed-base excludes --root"},
      {"dynamics a.urdf --states s.csv --fast", "stance: "},
  };
  for (const auto& [arguments, message] : cases) {
    const auto run = run_stance(arguments);
    EXPECT_EQ(run.exit_code, 2) << arguments;
    EXPECT_EQ(run.out, "") << arguments;
    EXPECT_TRUE(contains(run.err, message)) << arguments << '\n' << run.err;
  }
}

TEST(Program, BadInputExitsWithOne) {
  const TemporaryFile leg(sample::leg(), ".urdf"), grounded(sample::grounded(), ".urdf"),
      brick("<robot name='brick'>" + sample::link("brick") + "</robot>", ".urdf"),
      empty("", ".csv");
  const std::string dynamics = "dynamics " + leg.path() + " --states ";
  const std::pair<std::string, std::string> cases[] = {
      {"info no_such.urdf", "no_such.urdf"},
      {dynamics + "no_such.csv", "no_such.csv: cannot be opened: No such file or directory"},
      {dynamics + "/tmp", "/tmp: is a directory: give a CSV file"},
      {dynamics + empty.path(), empty.path() + ": is empty"},
      {dynamics + "-", "standard input: is empty"},
      {dynamics + "- --root tail",
       "has no link 'tail' to root the tree at: stance info lists the links"},
      {"dynamics " + brick.path() + " --states - --fixed-base",
       "has no joint that moves: with --fixed-base there is nothing to compute"},
      {"dynamics " + grounded.path() + " --states -",
       "root link 'ground' has no mass, so it cannot float free: give --fixed-base"},
  };
  for (const auto& [arguments, message] : cases) {
    const auto run = run_stance(arguments);
    EXPECT_EQ(run.exit_code, 1) << arguments;
    EXPECT_EQ(run.out, "") << arguments;
    EXPECT_EQ(run.err.substr(0, 8), "stance: ") << run.err;
    EXPECT_TRUE(contains(run.err, message)) << arguments << '\n' << run.err;
  }
}

// A robot with two faults of one obvious meaning and a finger without mass, for every command that loads a robot.
TEST(Program, LoadsRobotsLeniently) {
  const TemporaryFile robot_file(
      "<robot>" + sample::link("body") + sample::link("foot") +
          "<link name='pack'><inertial><mass value='1'/></inertial></link><link name='tip'/>"
          "<joint name='strap' type='fixed'><parent link='body'/><child link='pack'/></joint>"
          "<joint name='knee' type='continuous'><parent link='body'/><child link='foot'/></joint>"
          "<joint name='toe' type='continuous'><parent link='foot'/><child link='tip'/></joint>"
          "</robot>",
      ".urdf");
  const std::string& robot = robot_file.path();
  const TemporaryFile scenario_file("robot: " + robot +
                                        "\ninitial: {flight: free, position: [0, 0, 99]}\n"
                                        "feet: [{link: tip, support: ball}]\nduration: 0.1 s\n",
                                    ".yaml");
  const std::string& scenario = scenario_file.path();
  const TemporaryFile states_file(
      "base.x,base.y,base.z,base.qx,base.qy,base.qz,base.qw,base.vx,base.vy,base.vz,base.wx,base."
      "wy,"
      "base.wz,q.knee,q.toe,v.knee,v.toe\n0,0,9,0,0,0,1,0,0,0,0,0,0,0.1,0.2,0,0\n");
  const std::string& states = states_file.path();
  const std::string as_asked = " --lenient --min-armature 1e-5";
  for (const std::string& command : {"info " + robot, "dynamics " + robot + " --states " + states,
                                     "inverse " + robot + " --motion " + states, "run " + scenario,
                                     "rt " + scenario, "gait " + scenario}) {
    SCOPED_TRACE(command);
    const auto strict = run_stance(command);
    EXPECT_EQ(strict.exit_code, 1);
    EXPECT_TRUE(contains(strict.err, "or load it with --lenient")) << strict.err;
    const auto lenient = run_stance(command + " --lenient");
    EXPECT_EQ(lenient.exit_code, 1);
    EXPECT_TRUE(contains(lenient.err, "--min-armature 1e-5 gives one")) << lenient.err;
  }
  const auto info = run_stance("info " + robot + as_asked);
  EXPECT_EQ(info.exit_code, 0) << info.err;
  EXPECT_TRUE(contains(info.out, "  taken because you asked for it (4)\n")) << info.out;
  EXPECT_TRUE(contains(info.out, "joint 'toe': moves no inertia: given an armature of 1e-05"))
      << info.out;
  EXPECT_TRUE(
      contains(info.out, "Robot '" + std::filesystem::path(robot).stem().string() + "' from"))
      << info.out;
  const auto json = run_stance("info --json " + robot + as_asked);
  EXPECT_TRUE(contains(json.out, "\"lenient\"")) << json.out;
  for (const std::string& command :
       {"dynamics " + robot + " --states " + states, "run " + scenario}) {
    const auto run = run_stance(command + as_asked);
    EXPECT_EQ(run.exit_code, 0) << run.err;
    EXPECT_TRUE(contains(run.err, "4 things of the robot file were taken because you asked"))
        << run.err;
  }
  const auto wrong = run_stance("info " + robot + " --min-armature 1kg");
  EXPECT_EQ(wrong.exit_code, 2);
  EXPECT_TRUE(contains(wrong.err, "--min-armature: takes a moment of inertia")) << wrong.err;
}

TEST(Program, NeverOverwritesTheTableItReads) {
  const TemporaryFile leg(sample::leg(), ".urdf");
  const std::string table = "q.hip,q.knee,v.hip,v.knee\n0,0,0,0\n";
  const TemporaryFile states(table, ".csv");
  const auto run = run_stance("dynamics " + leg.path() + " --fixed-base --states " + states.path() +
                              " --out " + states.path());
  EXPECT_EQ(run.exit_code, 1);
  EXPECT_TRUE(contains(run.err, "is read by this command and would be overwritten")) << run.err;
  EXPECT_EQ(read_text(states.path()), table);
}

TEST(Program, AFullDiskIsAnError) {
  if (read_text("/proc/self/status").empty()) GTEST_SKIP() << "needs /dev/full, which is Linux";
  const TemporaryFile leg(sample::leg(), ".urdf");
  const auto run = run_stance("dynamics " + leg.path() + " --fixed-base --states - --out /dev/full",
                              "q.hip,q.knee,v.hip,v.knee\n0,0,0,0\n");
  EXPECT_EQ(run.exit_code, 1);
  EXPECT_TRUE(contains(run.err, "/dev/full: cannot be written to its end: No space left on device"))
      << run.err;
}

TEST(Program, AnAnswerThatNobodyGotIsAnError) {
  if (read_text("/proc/self/status").empty()) GTEST_SKIP() << "needs /dev/full, which is Linux";
  const TemporaryFile leg(sample::leg(), ".urdf");
  const TemporaryFile scenario(
      "robot: " + leg.path() +
          "\nfeet: [{link: shank, support: ball}]\n"
          "initial: {flight: free, position: [0, 0, 9]}\nduration: 10 ms\n",
      ".yaml");
  const std::string dynamics = "dynamics " + leg.path() + " --fixed-base --states - ";
  const std::string table = "q.hip,q.knee,v.hip,v.knee\n0,0,0,0\n";
  for (const std::string& arguments :
       {std::string("--help"), std::string("--version"), std::string("run --help"),
        "info " + leg.path(), "info " + leg.path() + " --json", dynamics, "run " + scenario.path(),
        "run --quiet " + scenario.path(), "rt " + scenario.path() + " --seconds 10ms"}) {
    for (const char* where : {">/dev/full", ">&-"}) {  // a full disk, and no standard output at all
      const auto run = run_stance(arguments + ' ' + where, table);
      EXPECT_NE(run.exit_code, 0) << arguments << where;
      EXPECT_TRUE(contains(run.err, "stance: standard output: cannot be written to its end: "))
          << arguments << where << '\n'
          << run.err;
      EXPECT_EQ(run.err.find("standard output"), run.err.rfind("standard output"))
          << run.err;  // once
    }
  }
}

TEST(Program, TakesUnitsWhereScenariosDo) {
  const TemporaryFile leg(sample::leg(), ".urdf");
  const TemporaryFile scenario("robot: " + leg.path() +
                                   "\nfeet: [{link: shank, support: ball}]\n"
                                   "initial: {flight: free, position: [0, 0, 9]}\nduration: 1 s\n",
                               ".yaml");
  for (const char* duration : {"0.02", "20ms", "'20 ms'"}) {
    const auto run = run_stance("run " + scenario.path() + " --duration " + duration);
    EXPECT_EQ(run.exit_code, 0) << run.err;
    EXPECT_TRUE(contains(run.out, "0 steps in 0.02 s;")) << run.out;
  }
}

TEST(Program, AReaderThatLeavesIsNoError) {
  const TemporaryFile leg(sample::leg(), ".urdf");
  std::string table = "q.hip,q.knee,v.hip,v.knee\n";
  for (int i = 0; i < 20000; ++i) table += "0.1,0.2,0.3,0.4\n";
  const auto run = run_stance(
      "dynamics " + leg.path() + " --fixed-base --states - 2>&1 | head -n 1 >&2; true", table);
  EXPECT_EQ(run.exit_code, 0);
  EXPECT_FALSE(contains(run.err, "cannot be written")) << run.err;
}

}  // namespace
}  // namespace stance
