// A pendulum released from the horizontal: its first acceleration is g l m / (I + m l²).
#include <cmath>
#include <cstdio>
#include <memory>

#include "stance_core/dynamics/aba.hpp"
#include "stance_core/model/build_model.hpp"

int main() {
  stance::Description robot;
  robot.name = "pendulum";
  stance::InertialDescription inertial;
  inertial.mass = 2;
  inertial.center = {0.5, 0, 0};
  inertial.inertia = Eigen::Vector3d(0.1, 0.1, 0.1).asDiagonal();
  robot.links = {{"wall", inertial}, {"bob", inertial}};
  stance::JointDescription hinge;
  hinge.name = "hinge";
  hinge.type = stance::JointType::kContinuous;
  hinge.parent = "wall";
  hinge.child = "bob";
  hinge.axis = {0, 1, 0};
  robot.joints = {hinge};

  const auto result = stance::build_model(robot);
  if (!result) {
    std::printf("%s\n", result.error().text().c_str());
    return 1;
  }
  stance::Support wall;
  wall.kind = stance::JointKind::kFixed;
  const stance::Tree tree = stance::make_tree(*result, stance::BodyId(0), wall);
  const stance::State state = stance::neutral_state(*result, tree);
  const auto workspace = std::make_unique<stance::Workspace>();
  stance::DofVector a{};
  const stance::Status status = stance::aba(*result, tree, state, {}, {}, *workspace, a);
  const double expected = 9.81 * 0.5 * 2 / (0.1 + 2 * 0.5 * 0.5);
  std::printf("%s, acceleration %.15g, expected %.15g\n", stance::to_string(status), a[6],
              expected);
  return status == stance::Status::kOk && std::abs(a[6] - expected) < 1e-12 ? 0 : 1;
}
