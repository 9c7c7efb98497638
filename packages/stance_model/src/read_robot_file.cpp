// The text of a robot file, expanded if it is xacro.
#include <fmt/format.h>

#include <algorithm>

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

std::string without_comments(std::string_view text) {
  std::string result;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t begin = std::min(text.find("<!--", at), text.size());
    result += text.substr(at, begin - at);
    const std::size_t end = text.find("-->", begin);
    if (end == std::string_view::npos) break;
    at = end + 3;
  }
  return result;
}

// Named so, or using the namespace. Generated URDF often declares it and uses nothing of it, but in comments.
bool is_xacro(const fs::path& path, std::string_view text) {
  if (path.extension() == ".xacro") return true;
  if (text.find("xmlns:xacro") == std::string_view::npos) return false;
  const std::string content = without_comments(text);
  const auto has = [&](std::string_view part) { return content.find(part) != std::string::npos; };
  return has("<xacro:") || has("${") || has("$(");
}

std::string_view without_trailing_space(std::string_view text) {
  return text.substr(0, text.find_last_not_of(" \t\r\n") + 1);
}

std::string expand_xacro(const fs::path& path) {
  // absolute: a name that begins with a dash must not become an option
  const ProgramRun run = run_program({"xacro", fs::absolute(path).string()}, kMaxRobotFileSize);
  if (!run.started) {
    refuse(ErrorCode::kFile, of_file(path),
           "is xacro, and the program 'xacro' is not in PATH; source ROS 2 or run 'pip install "
           "xacro', or "
           "expand the file elsewhere and give the result");
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

Result<std::string> read_robot_file(const fs::path& path) {
  try {
    std::string text = read_bounded(path);
    if (is_xacro(path, text)) return expand_xacro(path);
    return text;
  } catch (Refusal& refusal) {
    return std::move(refusal.error);
  }
}

}  // namespace stance
