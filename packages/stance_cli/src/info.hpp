// What `stance info` says of a robot: the facts, and their two forms, for people and for scripts.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "stance_model/load_robot.hpp"

namespace stance {

// ---- facts

struct Capacity {
  const char* key;    // for scripts
  const char* title;  // for people
  int used, available;
};

struct RobotFacts {
  double mass;
  Vec3<double> center;   // of mass, in the root link's frame, all joints at zero
  int joint_dofs;        // degrees of freedom of all joints
  int free_dofs;         // with a free base
  int independent_dofs;  // of joints that follow no other
  std::vector<Capacity> capacities;
};

RobotFacts robot_facts(const Model& model);

// The link a body is named after, and the body's centre of mass in that link's frame.
std::string_view link_name(const Model& model, BodyId body);
Vec3<double> body_center(const Model& model, BodyId body);

const char* kind_name(JointType type);

// Kinds of remark in the order of the load report.
struct RemarkGroup {
  Remark::Kind kind;
  const char* key;
  const char* title;
};

inline constexpr RemarkGroup kRemarkGroups[] = {
    {Remark::Kind::kLumped, "lumped", "lumped into the parent"},
    {Remark::Kind::kDefaulted, "defaulted", "taken from URDF's defaults"},
    {Remark::Kind::kInertiaMissing, "inertia_missing", "no inertia in the file"},
    {Remark::Kind::kPointMass, "point_mass", "point mass"},
    {Remark::Kind::kTriangleInequality, "triangle_inequality",
     "inertia breaks the triangle inequality"},
    {Remark::Kind::kIgnored, "ignored", "ignored"},
    {Remark::Kind::kLenient, "lenient", "taken because you asked for it"},
};

// ---- forms

// Tables that fit the page. Long lists of remarks are folded unless `all`.
std::string info_text(const Robot& robot, const std::string& file, bool all);

std::string info_json(const Robot& robot, const std::string& file);

}  // namespace stance
