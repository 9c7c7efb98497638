#include "stance_core/model/model.hpp"

namespace stance {

FrameId find_frame(const Model& model, std::string_view name) noexcept {
  for (int i = 0; i < model.frame_count; ++i) {
    if (model.frames[i].name == name) return FrameId(i);
  }
  return {};
}

JointId find_joint(const Model& model, std::string_view name) noexcept {
  for (int i = 1; i < model.body_count; ++i) {
    if (model.joints[i].name == name) return JointId(i);
  }
  return {};
}

double total_mass(const Model& model) noexcept {
  double mass = 0;
  for (int i = 0; i < model.body_count; ++i) mass += model.bodies[i].I.m;
  return mass;
}

void derive(Model& model) noexcept {
  model.damping = {};
  model.joints_have_one_coordinate = true;
  for (int i = 1; i < model.body_count; ++i) {
    const Joint& joint = model.joints[i];
    for (int j = 0; j < dof_count(joint.kind); ++j)
      model.damping[joint.v_index + j] = joint.damping;
    if (coordinate_count(joint.kind) != 1) model.joints_have_one_coordinate = false;
  }
  plan_lanes(model);
}

}  // namespace stance
