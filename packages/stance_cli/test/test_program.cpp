// The program as a whole: exit codes, help, and what goes to which stream.
#include <gtest/gtest.h>

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
      {"info a.urdf b.urdf", "stance: "},
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

TEST(Program, NeverOverwritesTheTableItReads) {
  const TemporaryFile leg(sample::leg(), ".urdf");
  const std::string table = "q.hip,q.knee,v.hip,v.knee\n0,0,0,0\n";
  const TemporaryFile states(table, ".csv");
  const auto run = run_stance("dynamics " + leg.path() + " --fixed-base --states " + states.path() +
                              " --out " + states.path());
  EXPECT_EQ(run.exit_code, 1);
  EXPECT_TRUE(contains(run.err, "is the table of states itself")) << run.err;
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
