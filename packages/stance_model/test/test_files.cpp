// Files: missing, a directory, unreadable, empty, too large, cut off, and xacro with and without the program.
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>

#include "sample_robot.hpp"
#include "stance_model/load_robot.hpp"

namespace stance {
namespace {

namespace fs = std::filesystem;

// Whether there is such a process, and not only what is left of it.
bool is_running(pid_t pid) {
  std::ifstream stat("/proc/" + std::to_string(pid) + "/stat");
  std::string id, name;
  char state = 'X';
  return (stat >> id >> name >> state) && state != 'Z' && state != 'X';
}

class FileTest : public testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (fs::temp_directory_path() / "stance_model_XXXXXX").string();
    ASSERT_NE(::mkdtemp(pattern.data()), nullptr);
    folder_ = pattern;
    if (const char* path = std::getenv("PATH")) path_ = path;
  }
  void TearDown() override {
    ::setenv("PATH", path_.c_str(), 1);
    fs::remove_all(folder_);
  }

  fs::path write(const std::string& name, std::string_view text) {
    fs::path path = folder_ / name;
    std::ofstream(path, std::ios::binary) << text;
    return path;
  }

  // A program `xacro` of our own, the first in PATH.
  void install_xacro(const std::string& script) {
    const fs::path program = write("xacro", "#!/bin/sh\n" + script + "\n");
    ::chmod(program.c_str(), 0755);
    ::setenv("PATH", (folder_.string() + ":" + path_).c_str(), 1);
  }
  void hide_all_programs() { ::setenv("PATH", folder_.c_str(), 1); }

  static void expect_error(const fs::path& path, ErrorCode code, const std::string& part) {
    const auto robot = load_robot(path);
    ASSERT_FALSE(robot);
    EXPECT_EQ(robot.error().code, code);
    EXPECT_NE(robot.error().text().find(part), std::string::npos) << robot.error().text();
    EXPECT_NE(robot.error().text().find(path.string()), std::string::npos) << robot.error().text();
  }

  fs::path folder_;
  std::string path_;
};

TEST_F(FileTest, Loads) {
  const auto robot = load_robot(write("robot.urdf", kSampleRobot));
  ASSERT_TRUE(robot) << robot.error().text();
  EXPECT_EQ((*robot)->model.body_count, 3);
  EXPECT_EQ((*robot)->description.joints.size(), 2U);
}

TEST_F(FileTest, Missing) {
  expect_error(folder_ / "none.urdf", ErrorCode::kFile, "does not exist; check the path");
}

TEST_F(FileTest, Directory) {
  expect_error(folder_, ErrorCode::kFile, "is a directory; give the URDF file in it");
}

TEST_F(FileTest, InsideAFile) {
  expect_error(write("robot.urdf", kSampleRobot) / "deeper.urdf", ErrorCode::kFile,
               "does not exist");
}

TEST_F(FileTest, Unreadable) {
  if (::geteuid() == 0) GTEST_SKIP() << "root reads everything";
  const fs::path path = write("robot.urdf", kSampleRobot);
  ::chmod(path.c_str(), 0);
  expect_error(path, ErrorCode::kFile, "cannot be read");
}

TEST_F(FileTest, Empty) { expect_error(write("robot.urdf", ""), ErrorCode::kFile, "is empty"); }

TEST_F(FileTest, TooLarge) {
  const fs::path path = write("robot.urdf", kSampleRobot);
  fs::resize_file(path, 100'000'000);
  expect_error(path, ErrorCode::kFile, "is larger than 16 MiB");
}

TEST_F(FileTest, WithoutEnd) {
  expect_error("/dev/zero", ErrorCode::kFile, "is larger than 16 MiB");
}

TEST_F(FileTest, CutOff) {
  expect_error(write("robot.urdf", kSampleRobot.substr(0, kSampleRobot.size() / 2)),
               ErrorCode::kSyntax, "line 22: ");
}

TEST_F(FileTest, Binary) {
  expect_error(write("robot.urdf", std::string_view("\x7F"
                                                    "ELF\0\0",
                                                    6)),
               ErrorCode::kSyntax, "line 1: the byte 0x00");
}

TEST_F(FileTest, AFaultInsideNamesElementAndFile) {
  const fs::path path = write("robot.urdf", sample_with("\"0 1 0\"", "\"0 0 0\""));
  const auto robot = load_robot(path);
  ASSERT_FALSE(robot);
  EXPECT_EQ(robot.error().element, "joint 'hip'");
  EXPECT_NE(robot.error().message.find("(file '" + path.string() + "')"), std::string::npos);
}

TEST_F(FileTest, ReadsAPipe) {
  const fs::path path = folder_ / "pipe.urdf";
  ASSERT_EQ(::mkfifo(path.c_str(), 0600), 0);
  const pid_t writer = ::fork();
  if (writer == 0) {
    std::ofstream(path) << kSampleRobot;
    ::_exit(0);
  }
  EXPECT_TRUE(load_robot(path));
  ::waitpid(writer, nullptr, 0);
}

// ---- xacro

TEST_F(FileTest, ExpandsXacro) {
  const fs::path expanded = write("expanded", kSampleRobot);
  install_xacro("test -f \"$1\" && echo a warning >&2 && cat '" + expanded.string() + "'");
  const auto robot = load_robot(write("a robot; with $odd name.urdf.xacro", "<robot/>"));
  ASSERT_TRUE(robot) << robot.error().text();
  EXPECT_EQ((*robot)->description.name, "sample");
}

// A file that only mentions xacro runs nothing, unless one asks for it.
TEST_F(FileTest, RunsXacroOnlyForItsNameOrWhenAskedTo) {
  install_xacro("touch '" + (folder_ / "has run").string() + "'; cat '" +
                write("expanded", kSampleRobot).string() + "'");
  const fs::path path = write(
      "robot.urdf",
      "<robot name='r' xmlns:xacro='http://ros.org/wiki/xacro'>\n<xacro:leg/></robot>");
  expect_error(path, ErrorCode::kSyntax,
               "line 2: this xacro element was not expanded; run xacro, name the file .xacro, or "
               "give --xacro");
  EXPECT_FALSE(fs::exists(folder_ / "has run"));
  LoadOptions options;
  options.xacro = true;
  const auto robot = load_robot(path, options);
  ASSERT_TRUE(robot) << robot.error().text();
  EXPECT_TRUE(fs::exists(folder_ / "has run"));
}

TEST_F(FileTest, LeavesAGeneratedFileWithXacroInItsComments) {
  std::string text = sample_with("<robot ", "<robot xmlns:xacro=\"http://ros.org/wiki/xacro\" ");
  text.insert(text.find("<link"), "<!-- <xacro:leg length='${l}'/> -->");
  EXPECT_TRUE(load_robot(write("robot.urdf", text)));
}

TEST_F(FileTest, SaysHowToGetXacro) {
  hide_all_programs();
  expect_error(write("robot.xacro", kSampleRobot), ErrorCode::kFile,
               "the program 'xacro' is not in PATH");
}

TEST_F(FileTest, PassesOnWhatXacroComplainsAbout) {
  install_xacro("echo 'undefined parameter leg_length' >&2; exit 2");
  expect_error(write("robot.xacro", "<robot/>"), ErrorCode::kSyntax,
               "xacro cannot expand it (exit code 2): undefined parameter leg_length");
}

TEST_F(FileTest, ChecksWhatXacroMade) {
  install_xacro("echo '<robot name=\"r\">'");
  expect_error(write("robot.xacro", "<robot/>"), ErrorCode::kSyntax, "looks cut off");
}

TEST_F(FileTest, DrainsBothEndsOfALoudXacro) {
  install_xacro("head -c 1000000 /dev/zero >&2; cat '" + write("expanded", kSampleRobot).string() +
                "'");
  EXPECT_TRUE(load_robot(write("robot.xacro", "<robot/>")));
}

TEST_F(FileTest, StopsAnEndlessXacro) {
  install_xacro("exec cat /dev/zero");
  expect_error(write("robot.xacro", "<robot/>"), ErrorCode::kFile, "xacro makes more than 16 MiB");
}

// It may print nothing, print for ever, or close its outputs and stay; what it has started goes with it.
TEST_F(FileTest, StopsAnXacroThatTakesTooLong) {
  const fs::path child = folder_ / "child";
  const std::string start = "sleep 1000 & echo $! > '" + child.string() + "'; ";
  for (const char* script :
       {"wait", "while :; do echo x; sleep 0.05; done", "exec >&- 2>&-; wait"}) {
    SCOPED_TRACE(script);
    install_xacro(start + script);
    LoadOptions options;
    options.xacro_seconds = 0.3;
    const auto before = std::chrono::steady_clock::now();
    const auto robot = load_robot(write("robot.xacro", "<robot/>"), options);
    ASSERT_FALSE(robot);
    EXPECT_EQ(robot.error().code, ErrorCode::kFile);
    EXPECT_NE(robot.error().text().find("xacro has not expanded it after 0.3 s"), std::string::npos)
        << robot.error().text();
    // not for ever; processes of other people may be served first
    EXPECT_LT(std::chrono::steady_clock::now() - before, std::chrono::seconds(20));
    pid_t pid = 0;
    ASSERT_TRUE(std::ifstream(child) >> pid);
    // killed, but whoever inherits it must still take note
    for (int i = 0; i < 1000 && is_running(pid); ++i)
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    EXPECT_FALSE(is_running(pid));
  }
}

}  // namespace
}  // namespace stance
