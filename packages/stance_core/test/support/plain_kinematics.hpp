// Forward kinematics straight over a Description with Eigen, link by link as URDF defines it: no lumping, no canonical
// frames, no tree. What the model is checked against.
#pragma once

#include <map>
#include <string>

#include "stance_core/model/description.hpp"
#include "stance_core/model/tree.hpp"

namespace stance::test {

inline Eigen::Isometry3d isometry(const Transform<double>& X) {
  Eigen::Isometry3d out = Eigen::Isometry3d::Identity();
  out.linear() = X.R.eigen();
  out.translation() = X.p.eigen();
  return out;
}

// How far the child link is from its place at zero, in the child's own zero frame.
inline Eigen::Isometry3d plain_joint(const JointDescription& joint, const double* q) {
  const Eigen::Vector3d axis = joint.axis.normalized();
  Eigen::Isometry3d X = Eigen::Isometry3d::Identity();
  switch (joint.type) {
    case JointType::kFixed: break;
    case JointType::kRevolute:
    case JointType::kContinuous: X.rotate(Eigen::AngleAxisd(q[0], axis)); break;
    case JointType::kPrismatic: X.translate(axis * q[0]); break;
    case JointType::kBall: X.rotate(Eigen::Quaterniond(q[3], q[0], q[1], q[2])); break;
    case JointType::kPlanar: {
      // x and y of the plane are those of the canonical frame, which rotation.hpp defines
      const Eigen::Matrix3d R = z_onto(Vec3<double>(axis)).eigen();
      X.translate(R * Eigen::Vector3d(q[0], q[1], 0));
      X.rotate(Eigen::AngleAxisd(q[2], axis));
      break;
    }
    case JointType::kFloating:
      X.translate(Eigen::Vector3d(q[0], q[1], q[2]));
      X.rotate(Eigen::Quaterniond(q[6], q[3], q[4], q[5]));
      break;
  }
  return X;
}

// Pose of every link by name, from that of the root link and the coordinates of the named joints.
inline std::map<std::string, Eigen::Isometry3d> plain_poses(const Description& robot,
                                                            const Model& model, const State& state,
                                                            const std::string& root,
                                                            const Eigen::Isometry3d& X_root) {
  std::map<std::string, Eigen::Isometry3d> pose{{root, X_root}};
  while (pose.size() < robot.links.size()) {
    for (const JointDescription& joint : robot.joints) {
      if (!pose.contains(joint.parent) || pose.contains(joint.child)) continue;
      const JointId id = find_joint(model, joint.name);
      const double* q = id.valid() ? &state.q[model.joints[id].q_index] : nullptr;
      pose[joint.child] = pose[joint.parent] * joint.origin * plain_joint(joint, q);
    }
  }
  return pose;
}

}  // namespace stance::test
