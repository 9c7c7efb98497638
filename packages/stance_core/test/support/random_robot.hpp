// Seeded random robots and states: trees that mix all joint types, with fixed links, armature and mimics.
#pragma once

#include <memory>
#include <ostream>
#include <random>

#include "stance_core/model/build_model.hpp"
#include "stance_core/model/tree.hpp"

namespace stance {

// How GoogleTest shows a test's parameter.
inline void PrintTo(JointKind kind, std::ostream* out) { *out << to_string(kind); }

}  // namespace stance

namespace stance::test {

using Random = std::mt19937_64;

inline double uniform(Random& random, double low = -1, double high = 1) {
  return std::uniform_real_distribution<double>(low, high)(random);
}
inline int pick(Random& random, int count) {
  return std::uniform_int_distribution<int>(0, count - 1)(random);
}

inline Eigen::Matrix3d random_rotation(Random& random) {
  // in braces the numbers are drawn from left to right, so that every compiler tests the same robots
  const Eigen::Quaterniond q{uniform(random), uniform(random), uniform(random), uniform(random)};
  return q.normalized().toRotationMatrix();
}
inline Vec3<double> random_vector(Random& random, double size = 1) {
  return {uniform(random, -size, size), uniform(random, -size, size), uniform(random, -size, size)};
}
inline Transform<double> random_transform(Random& random) {
  return {Mat3<double>(random_rotation(random)), random_vector(random)};
}
inline Motion<double> random_motion(Random& random) {
  return {random_vector(random), random_vector(random)};
}
inline Force<double> random_force(Random& random) {
  return {random_vector(random), random_vector(random)};
}
// A symmetric positive definite matrix with no further structure.
inline ArticulatedInertia<double> random_articulated(Random& random) {
  using Matrix6 = Eigen::Matrix<double, 6, 6>;
  const Matrix6 half = Matrix6::NullaryExpr([&] { return uniform(random); });
  const Matrix6 m = half * half.transpose() + Matrix6::Identity();
  return {symmetric<double>(m.topLeftCorner<3, 3>()),
          Mat3<double>(Eigen::Matrix3d(m.topRightCorner<3, 3>())),
          symmetric<double>(m.bottomRightCorner<3, 3>())};
}

struct RobotKind {
  int bodies = 8;
  bool only_revolute = false;
  bool mimic = false;
  double branching = 0.5;  // 0: a chain, 1: parents picked among all bodies
  bool geared = false;     // mimic joints whose leaders are next to them
};

inline InertialDescription random_inertial(Random& random) {
  InertialDescription inertial;
  inertial.mass = uniform(random, 0.5, 3);
  inertial.center = random_vector(random, 0.2).eigen();
  inertial.rotation = random_rotation(random);
  // principal moments of a box with these half sides: the triangle inequality holds
  const double x = uniform(random, 0.05, 0.3), y = uniform(random, 0.05, 0.3),
               z = uniform(random, 0.05, 0.3);
  inertial.inertia.diagonal() << y * y + z * z, x * x + z * z, x * x + y * y;
  inertial.inertia *= inertial.mass / 3;
  return inertial;
}

inline Description random_description(Random& random, const RobotKind& kind) {
  Description robot;
  robot.name = "random";
  robot.links.push_back({"link0", random_inertial(random)});
  int dofs = kSupportDofs;
  std::string last_one_axis;
  for (int i = 1; i < kind.bodies; ++i) {
    JointDescription joint;
    joint.name = "joint" + std::to_string(i);
    const int parent = uniform(random, 0, 1) < kind.branching ? pick(random, i) : i - 1;
    joint.parent = "link" + std::to_string(parent);
    joint.child = "link" + std::to_string(i);
    constexpr JointType kTypes[] = {JointType::kRevolute,  JointType::kContinuous,
                                    JointType::kPrismatic, JointType::kBall,
                                    JointType::kPlanar,    JointType::kFloating};
    joint.type = kind.only_revolute ? JointType::kRevolute : kTypes[pick(random, 6)];
    // the rest must still fit with one degree of freedom each
    const int size = joint.type == JointType::kFloating                                   ? 6
                     : joint.type == JointType::kBall || joint.type == JointType::kPlanar ? 3
                                                                                          : 1;
    if (dofs + size + (kind.bodies - 1 - i) > kMaxDofs) joint.type = JointType::kRevolute;
    dofs += joint.type == JointType::kRevolute ? 1 : size;
    joint.origin.linear() = random_rotation(random);
    joint.origin.translation() = random_vector(random, 0.4).eigen();
    joint.axis = random_vector(random).eigen();
    const bool one_axis = joint.type == JointType::kRevolute ||
                          joint.type == JointType::kContinuous ||
                          joint.type == JointType::kPrismatic;
    if (one_axis || joint.type == JointType::kBall)
      joint.armature = pick(random, 2) * uniform(random, 0, 0.1);
    if (one_axis && kind.mimic && !last_one_axis.empty() && pick(random, 3) == 0) {
      joint.mimic = MimicDescription{last_one_axis, uniform(random, -2, 2), uniform(random)};
    }
    if (one_axis) last_one_axis = joint.name;
    robot.links.push_back({joint.child, random_inertial(random)});
    robot.joints.push_back(joint);
    if (pick(random, 4) == 0) {  // something fixed on it
      JointDescription fixed;
      fixed.name = "fixed" + std::to_string(i);
      fixed.type = JointType::kFixed;
      fixed.parent = joint.child;
      fixed.child = "tip" + std::to_string(i);
      fixed.origin.linear() = random_rotation(random);
      fixed.origin.translation() = random_vector(random, 0.2).eigen();
      robot.links.push_back({fixed.child, random_inertial(random)});
      robot.joints.push_back(fixed);
    }
  }
  return robot;
}

// Gears every third joint, of those that can be, to a neighbour: one before or beside it on the same body.
inline void gear_neighbours(Random& random, Description& robot) {
  const auto has_one_axis = [](const JointDescription& joint) {
    return joint.type == JointType::kRevolute || joint.type == JointType::kContinuous ||
           joint.type == JointType::kPrismatic;
  };
  for (std::size_t i = 0; i < robot.joints.size(); ++i) {
    JointDescription& joint = robot.joints[i];
    if (!has_one_axis(joint) || pick(random, 3) != 0) continue;
    for (std::size_t k = 0; k < i; ++k) {
      const JointDescription& other = robot.joints[k];
      if (!has_one_axis(other) || (other.child != joint.parent && other.parent != joint.parent))
        continue;
      joint.mimic = MimicDescription{other.name, uniform(random, -2, 2), uniform(random)};
      if (pick(random, 2) == 0) break;
    }
  }
}

inline std::unique_ptr<Model> random_model(Random& random, const RobotKind& kind) {
  Description robot = random_description(random, kind);
  if (kind.geared) gear_neighbours(random, robot);
  return std::make_unique<Model>(*build_model(robot));
}

// Positions within a turn, velocities and support of the size of a robot's.
inline State random_state(Random& random, const Model& model, const Tree& tree) {
  State state = neutral_state(model, tree);
  const auto shake = [&](JointKind kind, double* q, double* v) {
    double step[6];
    for (int j = 0; j < dof_count(kind); ++j)
      step[j] = uniform(random, -2, 2), v[j] = uniform(random);
    joint_integrate(kind, q, step, 1);
  };
  shake(tree.support.kind, state.q.data(), state.v.data());
  for (int i = 1; i < model.body_count; ++i) {
    const Joint& joint = model.joints[i];
    shake(joint.kind, &state.q[joint.q_index], &state.v[joint.v_index]);
  }
  apply_mimic(model, state);
  return state;
}

inline DofVector random_dofs(Random& random, const Model& model, double size = 10) {
  DofVector x{};
  for (int d = 0; d < model.dof_count; ++d) x[d] = uniform(random, -size, size);
  return x;
}

// Largest |a - b| over the largest |b| (or 1).
inline double relative_difference(const DofVector& a, const DofVector& b, int count,
                                  int first = 0) {
  double difference = 0, size = 1;
  for (int d = first; d < count; ++d) {
    difference = std::max(difference, std::abs(a[d] - b[d]));
    size = std::max(size, std::abs(b[d]));
  }
  return difference / size;
}

inline Support random_support(Random& random, JointKind kind) {
  return {kind, random_transform(random), random_transform(random),
          kind == JointKind::kRoll ? 0.3 : 0};
}

}  // namespace stance::test
