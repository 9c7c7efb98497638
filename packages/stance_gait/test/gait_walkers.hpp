// The walkers of the core's tests as the step map takes them.
#pragma once

#include "stance_gait/fixed_point.hpp"
#include "support/wheel_and_knees.hpp"

namespace stance::test {

// Half the angle between the legs, rates of stance and swing leg, both feet on the slope.
inline Walker compass_walker(const Model& model, double slope, double half, double stance_rate,
                             double swing_rate) {
  Walker walker;
  walker.model = &model;
  walker.settings = compass_settings(model, slope);
  sharpen(walker.settings);
  walker.start.q[0] = slope - half, walker.start.v[0] = stance_rate;
  walker.start.q[kSupportCoordinates] = 2 * half;
  walker.start.v[kSupportDofs] = swing_rate - stance_rate;
  walker.exchange.feet = {1, 0};
  walker.exchange.joints = {
      {JointId(1), JointId(1), -1}};  // right relative to left, and left to right
  return walker;
}

inline Walker wheel_walker(const Model& model, int spokes, double slope, double rate) {
  Walker walker;
  walker.model = &model;
  walker.settings = wheel_settings(model, spokes, slope);
  sharpen(walker.settings);
  walker.start.q[0] = slope - M_PI / spokes, walker.start.v[0] = rate;
  for (int k = 0; k < spokes; ++k) walker.exchange.feet.push_back((k + 1) % spokes);
  walker.exchange.support_offset = -2 * M_PI / spokes;
  return walker;
}

inline Walker kneed_walker(const Model& model) {
  Walker walker;
  walker.model = &model;
  walker.settings = kneed_settings(model);
  sharpen(walker.settings);
  const JointId hips[] = {find_joint(model, "left_hip"), find_joint(model, "right_hip")};
  const JointId knees[] = {find_joint(model, "left_knee"), find_joint(model, "right_knee")};
  const auto set = [&](JointId joint, double q, double v) {
    walker.start.q[static_cast<std::size_t>(model.joints[joint].q_index)] = q;
    walker.start.v[static_cast<std::size_t>(model.joints[joint].v_index)] = v;
  };
  walker.start.q[0] = -0.1945, walker.start.v[0] = 1.1084;
  set(hips[0], -0.1945, 1.1084), set(hips[1], 0.2953, 0.1469);
  walker.locked = {knees[0]};
  walker.exchange.feet = {1, 0};
  walker.exchange.joints = {
      {hips[0], hips[1]}, {hips[1], hips[0]}, {knees[0], knees[1]}, {knees[1], knees[0]}};
  return walker;
}

}  // namespace stance::test
