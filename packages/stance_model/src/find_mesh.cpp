// The name of a mesh -> a file. ROS names a package and a path in its share folder; others a path beside the robot file.
#include <cstdlib>
#include <system_error>

#include "stance_model/geometry.hpp"

namespace stance {
namespace {

namespace fs = std::filesystem;

bool is_file(const fs::path& path) {
  std::error_code failure;
  return fs::is_regular_file(path, failure);
}

// The folders of a list like PATH.
std::vector<fs::path> folders_of(const char* variable) {
  std::vector<fs::path> folders;
  const char* value = std::getenv(variable);
  if (value == nullptr) return folders;
  std::string_view rest = value;
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find(':'), rest.size());
    if (end > 0) folders.emplace_back(rest.substr(0, end));
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return folders;
}

std::optional<fs::path> find_in_packages(std::string_view name, const fs::path& robot_file) {
  const fs::path path(name);  // package/path/in/it
  for (const auto& folder : folders_of("ROS_PACKAGE_PATH")) {
    if (is_file(folder / path)) return folder / path;
    // the variable may name the package itself
    if (folder.filename() == *path.begin() && is_file(folder.parent_path() / path))
      return folder.parent_path() / path;
  }
  for (const auto& prefix : folders_of("AMENT_PREFIX_PATH")) {
    if (is_file(prefix / "share" / path)) return prefix / "share" / path;
  }
  // most often the robot file is in its package: PACKAGE/urdf/robot.urdf
  const fs::path inside = path.lexically_relative(*path.begin());
  std::error_code failure;
  for (fs::path folder = fs::absolute(robot_file, failure).parent_path();;
       folder = folder.parent_path()) {
    if (is_file(folder / path)) return folder / path;
    if (folder.filename() == *path.begin() && is_file(folder / inside)) return folder / inside;
    if (folder == folder.parent_path()) return {};
  }
}

}  // namespace

std::optional<fs::path> find_mesh(std::string_view name, const fs::path& robot_file) {
  constexpr std::string_view kPackage = "package://", kFile = "file://";
  if (name.starts_with(kPackage)) {
    name.remove_prefix(kPackage.size());
    return name.empty() || name.front() == '/' ? std::nullopt : find_in_packages(name, robot_file);
  }
  if (name.starts_with(kFile)) name.remove_prefix(kFile.size());
  const fs::path path = robot_file.parent_path() / fs::path(name);  // an absolute name stays
  if (is_file(path)) return path;
  return {};
}

}  // namespace stance
