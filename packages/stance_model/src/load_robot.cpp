// The straight path from a file to a Model: read, parse, build, second opinion.
#include "stance_model/load_robot.hpp"

#include <fmt/format.h>

#include <utility>

#include "apply_parameters.hpp"
#include "refusal.hpp"
#include "stance_model/parse_urdf.hpp"
#include "urdfdom_check.hpp"

namespace stance {
namespace {

// Says in which file the fault is. A fault of the whole text has no element of its own: the file is it.
Error in_file(Error error, const std::filesystem::path& path) {
  if (error.element.empty()) {
    error.element = fmt::format("file '{}'", path.string());
  } else {
    error.message += fmt::format(" (file '{}')", path.string());
  }
  return error;
}

}  // namespace

Result<std::unique_ptr<Robot>> make_robot(std::string_view xml, const LoadOptions& options) {
  auto description = parse_urdf(xml, {options.lenient, options.name});
  if (!description) return description.error();
  auto robot = std::make_unique<Robot>();
  robot->description = *std::move(description);
  robot->options = options;
  try {
    apply_to_robot(options.set, robot->description);
  } catch (Refusal& refusal) {
    return std::move(refusal.error);
  }
  auto model = build_model(robot->description, options, &robot->remarks);
  if (!model) return model.error();
  robot->model = *model;
  if (options.min_armature > 0) {  // what the model was given, the description says
    for (JointDescription& joint : robot->description.joints) {
      if (const JointId id = find_joint(robot->model, joint.name); id.valid() && options.armature)
        joint.armature = robot->model.joints[id].armature;
    }
  }
  // Last: its words for a fault of the structure are poorer than those of build_model, and it is not made for
  // robots beyond our capacity (a long chain exhausts its stack).
  try {
    LoadReport report{robot->remarks, options.lenient};
    require_urdfdom_accepts(xml, report);
  } catch (Refusal& refusal) {
    return std::move(refusal.error);
  }
  return robot;
}

Result<std::unique_ptr<Robot>> load_robot(const std::filesystem::path& path,
                                          const LoadOptions& options) {
  auto text = read_robot_file(path, options);
  if (!text) return text.error();
  LoadOptions named = options;
  named.name = path.stem().string();
  auto robot = make_robot(*text, named);
  if (!robot) return in_file(robot.error(), path);
  return robot;
}

}  // namespace stance
