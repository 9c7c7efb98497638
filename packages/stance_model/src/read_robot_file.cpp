// The text of a robot file, expanded if it is xacro.
#include <fmt/format.h>

#include "read_file.hpp"
#include "refusal.hpp"
#include "run_program.hpp"
#include "stance_model/load_robot.hpp"

namespace stance {
namespace {

namespace fs = std::filesystem;

std::string of_file(const fs::path& path) { return fmt::format("file '{}'", path.string()); }

std::string read_bounded(const fs::path& path) {
  std::string text = read_file(
      path, of_file(path),
      {"URDF file", kMaxRobotFileSize, "it is no robot file; give the URDF itself"});
  if (text.empty())
    refuse(ErrorCode::kFile, of_file(path), "is empty; a URDF file holds one <robot> element");
  return text;
}

std::string_view without_trailing_space(std::string_view text) {
  return text.substr(0, text.find_last_not_of(" \t\r\n") + 1);
}

std::string expand_xacro(const fs::path& path, double seconds) {
  // absolute: a name that begins with a dash must not become an option
  const ProgramRun run = run_program({"xacro", fs::absolute(path).string()}, kMaxRobotFileSize,
                                     seconds);
  if (!run.started) {
    refuse(ErrorCode::kFile, of_file(path),
           "is xacro, and the program 'xacro' is not in PATH; source ROS 2 or run 'pip install "
           "xacro', or "
           "expand the file elsewhere and give the result");
  }
  if (run.late) {
    refuse(ErrorCode::kFile, of_file(path),
           fmt::format("xacro has not expanded it after {:g} s; expand it elsewhere and give the "
                       "result",
                       seconds));
  }
  if (run.cut) {
    refuse(ErrorCode::kFile, of_file(path),
           fmt::format("xacro makes more than {} MiB of it; give a smaller robot",
                       kMaxRobotFileSize >> 20));
  }
  if (run.exit_code != 0) {
    refuse(ErrorCode::kSyntax, of_file(path),
           fmt::format("xacro cannot expand it (exit code {}): {}", run.exit_code,
                       without_trailing_space(run.err)));
  }
  return run.out;
}

}  // namespace

Result<std::string> read_robot_file(const fs::path& path, const LoadOptions& options) {
  try {
    std::string text = read_bounded(path);
    if (options.xacro || path.extension() == ".xacro")
      return expand_xacro(path, options.xacro_seconds);
    return text;
  } catch (Refusal& refusal) {
    return std::move(refusal.error);
  }
}

}  // namespace stance
