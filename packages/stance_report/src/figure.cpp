#include "stance_report/figure.hpp"

#include <algorithm>
#include <cmath>

#include "stance_core/dynamics/kinematics.hpp"
#include "stance_core/dynamics/momentum.hpp"

namespace stance {

Figure::Figure(const Model& model)
    : model_(model),
      tree_(make_tree(model)),
      state_(neutral_state(model, tree_)),
      workspace_(std::make_unique<Workspace>()) {}

bool Figure::set_joint(std::string_view name, double position) noexcept {
  const JointId joint = find_joint(model_, name);
  if (!joint.valid() || dof_count(model_.joints[joint].kind) != 1) return false;
  state_.q[static_cast<std::size_t>(model_.joints[joint].q_index)] = position;
  stale_ = true;
  return true;
}

void Figure::set_base(const Vec3<double>& position, const Quaternion& orientation) noexcept {
  set_root_motion(tree_, {rotation(normalized(orientation)), position}, {}, state_);
  stale_ = true;
}

void Figure::update() noexcept {
  if (!stale_) return;
  apply_mimic(model_, state_);
  kinematics(model_, tree_, state_, *workspace_);
  stale_ = false;
}

Transform<double> Figure::pose(FrameId frame) noexcept {
  update();
  return frame_pose(model_, tree_, *workspace_, frame);
}

Vec3<double> Figure::center_of_mass() noexcept {
  update();
  return stance::center_of_mass(tree_, *workspace_);
}

Arrow arrow_at(const Vec3<double>& point, const Vec3<double>& vector, double scale,
               double longest) noexcept {
  const double wanted = scale * norm(vector);
  if (!(wanted > 0) || !std::isfinite(wanted)) return {point, point, 0, 0};
  const double length = std::min(wanted, longest);
  const double shaft = std::clamp(0.08 * length, 0.005, 0.03);
  return {point, point + vector * (scale * length / wanted), shaft, 2 * shaft};
}

double fading(double age, double lifetime) noexcept {
  return lifetime > 0 ? std::clamp(1 - age / lifetime, 0.0, 1.0) : 0;
}

}  // namespace stance
