// Small robots by hand, for closed forms and for refusals.
#pragma once

#include <string>

#include "stance_core/model/build_model.hpp"
#include "stance_core/model/tree.hpp"

namespace stance::test {

// Mass m with its centre at c and moments I about it, axes along the link's.
inline LinkDescription link(const std::string& name, double m, const Eigen::Vector3d& c,
                            const Eigen::Vector3d& I) {
  InertialDescription b;
  b.mass = m;
  b.center = c;
  b.inertia = I.asDiagonal();
  return {name, b};
}

inline JointDescription joint(const std::string& name, JointType type, const std::string& parent,
                              const std::string& child, const Eigen::Vector3d& at = {0, 0, 0},
                              const Eigen::Vector3d& axis = {0, 1, 0}) {
  JointDescription out;
  out.name = name;
  out.type = type;
  out.parent = parent;
  out.child = child;
  out.origin.translation() = at;
  out.axis = axis;
  return out;
}

// Contact frame and place in the world at the origins of body and world.
inline Support support_of(JointKind kind) {
  Support support;
  support.kind = kind;
  return support;
}

// trunk - hip - thigh - knee - shin: the sound robot that refusals are made from.
inline Description leg() {
  Description robot;
  robot.name = "leg";
  robot.links = {link("trunk", 5, {0, 0, 0.1}, {0.3, 0.2, 0.25}),
                 link("thigh", 2, {0, 0, -0.2}, {0.03, 0.03, 0.01}),
                 link("shin", 1, {0, 0, -0.2}, {0.02, 0.02, 0.005})};
  robot.joints = {joint("hip", JointType::kRevolute, "trunk", "thigh", {0, 0.1, 0}),
                  joint("knee", JointType::kRevolute, "thigh", "shin", {0, 0, -0.4})};
  return robot;
}

}  // namespace stance::test
