// Inverse dynamics against energy: gravity is the gradient of the potential, and what goes in as power comes out as
// energy.
#include "stance_core/dynamics/rnea.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>

#include "stance_core/dynamics/aba.hpp"
#include "stance_core/dynamics/kinematics.hpp"
#include "stance_core/dynamics/momentum.hpp"
#include "support/random_case.hpp"
#include "support/small_robots.hpp"
#include "support/spatial_matrices.hpp"

namespace stance {
namespace {

using namespace test;

// Energies are some 100 J: rounding 1e-14/h and truncation h² both give about 1e-8; 1e-6 leaves room.
constexpr double kStep = 1e-5;
constexpr double kTolerance = 1e-6;

double potential(const Case& c, const State& state) {
  kinematics(*c.model, *c.tree, state, *c.w);
  return potential_energy(*c.model, *c.tree, *c.w);
}
double kinetic(const Case& c, const State& state) {
  kinematics(*c.model, *c.tree, state, *c.w);
  return kinetic_energy(*c.tree, state, *c.w);
}

class RneaTest : public testing::TestWithParam<JointKind> {
 protected:
  Random random{121};
};

INSTANTIATE_TEST_SUITE_P(Supports, RneaTest, testing::ValuesIn(kSupports),
                         [](const auto& row) { return std::string(to_string(row.param)); });

TEST_P(RneaTest, AtRestIsTheGradientOfThePotential) {
  for (int trial = 0; trial < 4; ++trial) {
    Case c = random_case(random, {.bodies = 10}, GetParam());
    c.model->gravity = {3, -2, -9};  // no axis is special
    State state = c.state;
    state.v.fill(0);
    DofVector tau{};
    ASSERT_EQ(rnea(*c.model, *c.tree, state, {}, {}, *c.w, tau), Status::kOk);
    for (const int d : used_dofs(*c.model, *c.tree)) {
      DofVector unit{};
      unit[d] = 1;
      const double rise = potential(c, moved(*c.model, *c.tree, state, unit, kStep)) -
                          potential(c, moved(*c.model, *c.tree, state, unit, -kStep));
      EXPECT_NEAR(tau[d], rise / (2 * kStep), kTolerance) << "degree of freedom " << d;
    }
  }
}

TEST_P(RneaTest, PowerInIsEnergyGained) {
  for (int trial = 0; trial < 4; ++trial) {
    const Case c = random_case(random, {.bodies = 8, .mimic = trial % 2 == 0}, GetParam());
    const DofVector tau = c.tau;
    DofVector a{};
    ASSERT_EQ(aba(*c.model, *c.tree, c.state, tau, c.f_ext, *c.w, a), Status::kOk);
    double power = 0, size = 1;
    for (int d = 0; d < c.model->dof_count; ++d) {
      power += tau[d] * c.state.v[d];
      size = std::max(size, std::abs(a[d]));
    }
    kinematics(*c.model, *c.tree, c.state, *c.w);
    for (int i = 0; i < c.model->body_count; ++i) {
      power += dot(c.f_ext[i], body_motion(*c.model, *c.tree, c.state, BodyId(i)).V_H);
    }
    const double gravity_power = dot(c.model->gravity, momentum(*c.tree, *c.w).f);

    const State after = flowed(*c.model, *c.tree, c.state, a, kStep);
    const State before = flowed(*c.model, *c.tree, c.state, a, -kStep);
    const double kinetic_rate = (kinetic(c, after) - kinetic(c, before)) / (2 * kStep);
    const double potential_rate = (potential(c, after) - potential(c, before)) / (2 * kStep);
    EXPECT_NEAR(potential_rate, -gravity_power, kTolerance * size);
    EXPECT_NEAR(kinetic_rate, power + gravity_power, 10 * kTolerance * size);
  }
}

// One body with an offset centre: Newton's and Euler's equations at its centre of mass.
TEST(Rnea, OfOneBodyIsNewtonAndEuler) {
  Random random(122);
  Description robot;
  robot.name = "body";
  robot.links = {{"body", random_inertial(random)}};
  const Model model = *build_model(robot);
  const Tree tree = make_tree(model);
  const auto w = std::make_unique<Workspace>();
  const State state = random_state(random, model, tree);
  const DofVector a = random_dofs(random, model);
  DofVector tau{};
  ASSERT_EQ(rnea(model, tree, state, a, {}, *w, tau), Status::kOk);

  const InertialDescription& b = *robot.links[0].inertial;
  const Eigen::Matrix3d I = b.rotation * b.inertia * b.rotation.transpose();
  const Eigen::Map<const Eigen::Vector3d> omega(&state.v[0]), v(&state.v[3]), alpha(&a[0]),
      dv(&a[3]);
  const Eigen::Matrix3d R = joint_transform(JointKind::kFree, state.q.data()).R.eigen();
  const Eigen::Vector3d g = R.transpose() * model.gravity.eigen();
  // acceleration of the centre: dv + w × v is the origin's, in body axes
  const Eigen::Vector3d a_center = dv + omega.cross(v) + alpha.cross(b.center) +
                                   omega.cross(omega.cross(b.center));
  const Eigen::Vector3d force = b.mass * (a_center - g);
  const Eigen::Vector3d moment = I * alpha + omega.cross(Eigen::Vector3d(I * omega)) +
                                 b.center.cross(force);
  EXPECT_LT(distance(Eigen::Map<Eigen::Vector3d>(&tau[0]), moment), 1e-12);  // forces of 100 N
  EXPECT_LT(distance(Eigen::Map<Eigen::Vector3d>(&tau[3]), force), 1e-12);
}

// A force on a body is held by the joints as Jᵀ f: its virtual work is the same.
TEST(Rnea, ExternalForcesDoTheirVirtualWork) {
  Random random(123);
  for (const JointKind kind : kSupports) {
    const Case c = random_case(random, {.bodies = 10}, kind);
    DofVector without{}, with{};
    ASSERT_EQ(rnea(*c.model, *c.tree, c.state, {}, {}, *c.w, without), Status::kOk);
    ASSERT_EQ(rnea(*c.model, *c.tree, c.state, {}, c.f_ext, *c.w, with), Status::kOk);
    for (const int d : used_dofs(*c.model, *c.tree)) {
      State unit = c.state;
      unit.v.fill(0);
      unit.v[d] = 1;
      double work = 0;
      for (int i = 0; i < c.model->body_count; ++i) {
        work += dot(c.f_ext[i], body_motion(*c.model, *c.tree, unit, BodyId(i)).V_H);
      }
      EXPECT_NEAR(without[d] - with[d], work, 1e-11);  // differences of some 100 N m
    }
  }
}

}  // namespace
}  // namespace stance
