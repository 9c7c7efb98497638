#include "urdfdom_agreement.hpp"

#include <console_bridge/console.h>
#include <gtest/gtest.h>
#include <urdf_parser/urdf_parser.h>

#include <string>

namespace stance {
namespace {

class Counter final : public console_bridge::OutputHandler {
 public:
  void log(const std::string& /*text*/, console_bridge::LogLevel /*level*/, const char* /*file*/,
           int /*line*/) override {
    ++count;
  }
  int count = 0;
};

void expect_same_pose(const Eigen::Isometry3d& ours, const urdf::Pose& pose) {
  EXPECT_EQ(ours.translation(), Eigen::Vector3d(pose.position.x, pose.position.y, pose.position.z));
  const Eigen::Quaterniond q(pose.rotation.w, pose.rotation.x, pose.rotation.y, pose.rotation.z);
  // urdfdom goes through half angles: both are within a few roundings of the exact rotation
  EXPECT_LT((ours.linear() - q.toRotationMatrix()).cwiseAbs().maxCoeff(), 1e-14);
}

int type_of(JointType type) {
  switch (type) {
    case JointType::kFixed: return urdf::Joint::FIXED;
    case JointType::kRevolute: return urdf::Joint::REVOLUTE;
    case JointType::kContinuous: return urdf::Joint::CONTINUOUS;
    case JointType::kPrismatic: return urdf::Joint::PRISMATIC;
    case JointType::kPlanar: return urdf::Joint::PLANAR;
    case JointType::kBall:
    case JointType::kFloating: return urdf::Joint::FLOATING;
  }
  return urdf::Joint::UNKNOWN;
}

void expect_same_link(const LinkDescription& ours, const urdf::Link& link) {
  ASSERT_EQ(ours.inertial.has_value(), link.inertial != nullptr);
  if (!ours.inertial) return;
  const urdf::Inertial& I = *link.inertial;
  Eigen::Matrix3d inertia;
  inertia << I.ixx, I.ixy, I.ixz, I.ixy, I.iyy, I.iyz, I.ixz, I.iyz, I.izz;
  EXPECT_EQ(ours.inertial->mass, I.mass);
  EXPECT_EQ(ours.inertial->inertia, inertia);
  Eigen::Isometry3d pose = Eigen::Isometry3d::Identity();
  pose.linear() = ours.inertial->rotation;
  pose.translation() = ours.inertial->center;
  expect_same_pose(pose, I.origin);
}

void expect_same_joint(const JointDescription& ours, const urdf::Joint& joint) {
  EXPECT_EQ(type_of(ours.type), joint.type);
  EXPECT_EQ(ours.parent, joint.parent_link_name);
  EXPECT_EQ(ours.child, joint.child_link_name);
  expect_same_pose(ours.origin, joint.parent_to_joint_origin_transform);
  if (joint.type == urdf::Joint::FIXED) return;
  if (joint.type != urdf::Joint::FLOATING) {
    EXPECT_EQ(ours.axis, Eigen::Vector3d(joint.axis.x, joint.axis.y, joint.axis.z));
  }
  if (joint.type == urdf::Joint::REVOLUTE || joint.type == urdf::Joint::PRISMATIC) {
    EXPECT_EQ(ours.limits.lower, joint.limits->lower);
    EXPECT_EQ(ours.limits.upper, joint.limits->upper);
    EXPECT_EQ(ours.limits.effort, joint.limits->effort);
    EXPECT_EQ(ours.limits.velocity, joint.limits->velocity);
  }
  EXPECT_EQ(ours.damping, joint.dynamics ? joint.dynamics->damping : 0);
  EXPECT_EQ(ours.friction, joint.dynamics ? joint.dynamics->friction : 0);
  ASSERT_EQ(ours.mimic.has_value(), joint.mimic != nullptr);
  if (!ours.mimic) return;
  EXPECT_EQ(ours.mimic->joint, joint.mimic->joint_name);
  EXPECT_EQ(ours.mimic->multiplier, joint.mimic->multiplier);
  EXPECT_EQ(ours.mimic->offset, joint.mimic->offset);
}

}  // namespace

void expect_urdfdom_agrees(std::string_view xml, const Description& ours) {
  Counter counter;
  auto* previous = console_bridge::getOutputHandler();
  console_bridge::useOutputHandler(&counter);
  const auto theirs = urdf::parseURDF(std::string(xml));
  console_bridge::useOutputHandler(previous);
  if (!theirs || counter.count > 0) return;
  EXPECT_EQ(ours.name, theirs->getName());
  ASSERT_EQ(ours.links.size(), theirs->links_.size());
  ASSERT_EQ(ours.joints.size(), theirs->joints_.size());
  for (const LinkDescription& link : ours.links) {
    SCOPED_TRACE("link " + link.name);
    ASSERT_TRUE(theirs->getLink(link.name));
    expect_same_link(link, *theirs->getLink(link.name));
  }
  for (const JointDescription& joint : ours.joints) {
    SCOPED_TRACE("joint " + joint.name);
    ASSERT_TRUE(theirs->getJoint(joint.name));
    expect_same_joint(joint, *theirs->getJoint(joint.name));
  }
}

}  // namespace stance
