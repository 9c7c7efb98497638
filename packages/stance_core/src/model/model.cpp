#include "stance_core/model/model.hpp"

#include <algorithm>

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

// Which joints turn together. The bodies of a gear are one more than its joints exactly where these hang together.
static void derive_gears(Model& model) noexcept {
  model.gear_count = 0;
  model.gear_of.fill(-1);
  model.gear_ratio.fill(1);
  for (int k = 0; k < model.mimic_count; ++k) {
    const Mimic& mimic = model.mimics[k];
    std::int16_t& gear = model.gear_of[mimic.leader];
    if (gear < 0) gear = static_cast<std::int16_t>(model.gear_count++);
    model.gear_of[mimic.joint] = gear;
    model.gear_ratio[mimic.joint] = mimic.multiplier;
  }
  model.gears_are_joined = true;
  for (int gear = 0; gear < model.gear_count; ++gear) {
    std::array<bool, kMaxBodies> touched{};
    int joints = 0;
    for (int i = 1; i < model.body_count; ++i) {
      if (model.gear_of[i] != gear) continue;
      ++joints;
      touched[i] = touched[model.bodies[i].parent] = true;
    }
    const auto bodies = std::count(touched.begin(), touched.end(), true);
    model.gears_are_joined = model.gears_are_joined && bodies == joints + 1;
  }
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
  derive_gears(model);
  plan_lanes(model);
}

}  // namespace stance
