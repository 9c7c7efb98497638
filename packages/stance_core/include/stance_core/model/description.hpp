// What a loader read: links and joints as the file names them, unchecked. build_model turns it into a Model.
#pragma once

#include <Eigen/Geometry>
#include <optional>
#include <string>
#include <vector>

namespace stance {

enum class JointType { kFixed, kRevolute, kContinuous, kPrismatic, kBall, kPlanar, kFloating };

struct InertialDescription {
  double mass = 0;
  Eigen::Vector3d center = Eigen::Vector3d::Zero();        // centre of mass in the link frame
  Eigen::Matrix3d rotation = Eigen::Matrix3d::Identity();  // inertial axes to link axes
  Eigen::Matrix3d inertia = Eigen::Matrix3d::Zero();  // about the centre of mass, in inertial axes
};

struct LinkDescription {
  std::string name;
  std::optional<InertialDescription> inertial;
};

struct LimitsDescription {
  std::optional<double> lower, upper;  // none: unlimited
  std::optional<double> velocity, effort;
};

struct MimicDescription {
  std::string joint;
  double multiplier = 1;
  double offset = 0;
};

// Converts to and from Eigen::Isometry3d, whose alignment depends on the processor that a file is compiled for.
using Pose = Eigen::Transform<double, 3, Eigen::Isometry, Eigen::DontAlign>;

struct JointDescription {
  std::string name;
  JointType type = JointType::kFixed;
  std::string parent, child;
  Pose origin = Pose::Identity();  // of the child link at zero, in the parent link
  Eigen::Vector3d axis =
      Eigen::Vector3d::UnitX();  // in the child link; the normal of a planar joint
  LimitsDescription limits;
  double damping = 0;   // N m s/rad or N s/m
  double friction = 0;  // N m or N
  double armature = 0;  // kg m² or kg: inertia of the drive as seen by the joint
  std::optional<MimicDescription> mimic;
};

// Something the loader did that the user should know: it goes into the load report.
struct Remark {
  enum class Kind {
    kLumped,
    kDefaulted,
    kInertiaMissing,
    kPointMass,
    kTriangleInequality,
    kIgnored,
    kLenient  // a fault that was asked to be taken by its obvious meaning
  };
  Kind kind{};
  std::string element;
  std::string text;
};

struct Description {
  std::string name;
  std::vector<LinkDescription> links;
  std::vector<JointDescription> joints;
  std::vector<Remark> remarks;
};

}  // namespace stance
