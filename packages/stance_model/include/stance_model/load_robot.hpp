// A robot from a file or from text: read, parse, build, and one last look by urdfdom.
#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "stance_core/base/result.hpp"
#include "stance_core/model/build_model.hpp"
#include "stance_core/model/description.hpp"
#include "stance_core/model/model.hpp"
#include "stance_model/parameters.hpp"

namespace stance {

// Ten times the largest URDF we know of. A larger file is refused before it is read.
inline constexpr std::size_t kMaxRobotFileSize = std::size_t{16} << 20;

struct LoadOptions : BuildOptions {
  // Faults with one obvious meaning are taken by it, and told as remarks of the kind kLenient: README.md lists them.
  bool lenient = false;
  bool xacro = false;           // the file is xacro, whatever its name
  double xacro_seconds = 60;    // that the program `xacro` may take
  std::vector<Assignment> set;  // other values of parameters, put in before the robot is built
  std::string name = "robot";   // of a robot without one, leniently; load_robot takes the file's
};

struct Robot {
  Description description;
  Model model;
  std::vector<Remark> remarks;  // the load report: what was lumped, defaulted, ignored
  LoadOptions options;          // as it was asked for
};

// The text of a robot file. One whose name ends in .xacro, and any with options.xacro, is expanded by the program
// `xacro`; no other file makes it run.
Result<std::string> read_robot_file(const std::filesystem::path& path,
                                    const LoadOptions& options = {});

// From text, such as the robot_description of ROS. What we accept, urdfdom must accept too.
// On the heap: a Model is hundreds of kilobytes.
Result<std::unique_ptr<Robot>> make_robot(std::string_view xml, const LoadOptions& options = {});

// From a file. Errors name the file.
Result<std::unique_ptr<Robot>> load_robot(const std::filesystem::path& path,
                                          const LoadOptions& options = {});

}  // namespace stance
