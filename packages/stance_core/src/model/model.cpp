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

}  // namespace stance
