#include "robot_names.hpp"

#include <fmt/format.h>

#include <vector>

namespace stance {
namespace {

std::vector<std::string> link_names(const Model& model) {
  std::vector<std::string> names;
  names.reserve(static_cast<std::size_t>(model.frame_count));
  for (int i = 0; i < model.frame_count; ++i)
    names.emplace_back(model.frames[static_cast<std::size_t>(i)].name.view());
  return names;
}

}  // namespace

FrameId link(const Setting& setting, const Model& model) {
  const std::string name = setting.text();
  const FrameId frame = find_frame(model, name);
  if (!frame.valid()) {
    setting.refuse(ErrorCode::kStructure, fmt::format("is '{}', and the robot has no such link{}",
                                                      name, suggestion(name, link_names(model))));
  }
  return frame;
}

JointId joint(const Setting& setting, const std::string& name, const Scenario& scenario) {
  const Model& model = model_of(scenario);
  const JointId found = find_joint(model, name);
  if (!found.valid()) {
    for (const JointDescription& description : scenario.robot->description.joints) {
      if (description.name == name) {
        setting.refuse(ErrorCode::kStructure,
                       fmt::format("names the joint '{}', which is fixed and does not move", name));
      }
    }
    std::vector<std::string> names;
    for (int i = 1; i < model.body_count; ++i)
      names.emplace_back(model.joints[static_cast<std::size_t>(i)].name.view());
    setting.refuse(ErrorCode::kStructure,
                   fmt::format("names '{}', and the robot has no such joint{}", name,
                               suggestion(name, names)));
  }
  if (dof_count(model.joints[found].kind) != 1) {
    setting.refuse(ErrorCode::kUnsupported,
                   fmt::format("names the joint '{}', which has {} degrees of freedom; a scenario "
                               "can only name joints with one",
                               name, dof_count(model.joints[found].kind)));
  }
  for (int i = 0; i < model.mimic_count; ++i) {
    const Mimic& mimic = model.mimics[static_cast<std::size_t>(i)];
    if (mimic.joint == found) {
      setting.refuse(ErrorCode::kMimic,
                     fmt::format("names the joint '{}', which follows '{}'; name that one", name,
                                 model.joints[mimic.leader].name.view()));
    }
  }
  return found;
}

int foot(const Setting& setting, const Scenario& scenario) {
  const FrameId frame = link(setting, scenario);
  std::vector<std::string> names;
  for (int i = 0; i < scenario.settings.foot_count; ++i) {
    const FrameId other = scenario.settings.feet[static_cast<std::size_t>(i)].frame;
    if (other == frame) return i;
    names.emplace_back(model_of(scenario).frames[other].name.view());
  }
  const std::string name = setting.text();
  setting.refuse(ErrorCode::kStructure, fmt::format("is '{}', which is not among the feet{}", name,
                                                    suggestion(name, names)));
}

}  // namespace stance
