#include "robot_options.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "command.hpp"
#include "option_checks.hpp"

namespace stance {

void add_robot_options(CLI::App& command, LoadOptions& options) {
  command.add_flag("--lenient", options.lenient,
                   "take faults of the robot file that have one obvious meaning, and list them");
  command
      .add_option("--min-armature", options.min_armature,
                  "give an armature to joints that move no inertia, such as 1e-5")
      ->option_text("KG_M2")
      ->transform(quantity(kMomentOfInertia, kMinInertia, 1e6));
  command.add_flag("--xacro", options.xacro,
                   "expand the robot file with xacro, whatever its name ends in");
}

void note_leniency(const Robot& robot, const std::string& file) {
  const auto count = std::count_if(
      robot.remarks.begin(), robot.remarks.end(),
      [](const Remark& remark) { return remark.kind == Remark::Kind::kLenient; });
  if (count == 0) return;
  note(fmt::format(
      "{} thing{} of the robot file {} taken because you asked for it: stance info {} "
      "with the same options lists {}",
      count, count > 1 ? "s" : "", count > 1 ? "were" : "was", file, count > 1 ? "them" : "it"));
}

}  // namespace stance
