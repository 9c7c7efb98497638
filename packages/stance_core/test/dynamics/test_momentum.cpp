// Newton's laws for the whole robot.
#include "stance_core/dynamics/momentum.hpp"

#include <gtest/gtest.h>

#include "stance_core/dynamics/aba.hpp"
#include "stance_core/dynamics/kinematics.hpp"
#include "support/random_case.hpp"
#include "support/spatial_matrices.hpp"

namespace stance {
namespace {

using namespace test;

// Momenta of some 10 N s, differenced over 2e-5 s: 1e-7 of rounding and truncation, times the accelerations' size.
constexpr double kStep = 1e-5;
constexpr double kTolerance = 1e-6;

Force<double> momentum_at(const Case& c, const State& state, const Vec3<double>& about = {}) {
  kinematics(*c.model, *c.tree, state, *c.w);
  return momentum(*c.tree, *c.w, about);
}

double largest(const DofVector& a) {
  double size = 1;
  for (const double x : a) size = std::max(size, std::abs(x));
  return size;
}

TEST(Momentum, CenterOfMassIsTheWeightedMean) {
  Random random(131);
  for (const JointKind kind : kSupports) {
    const Case c = random_case(random, {.bodies = 12}, kind);
    kinematics(*c.model, *c.tree, c.state, *c.w);
    Eigen::Vector3d sum = Eigen::Vector3d::Zero(), momentum_sum = Eigen::Vector3d::Zero();
    Eigen::Vector3d spin = Eigen::Vector3d::Zero();
    double mass = 0, energy = 0;
    const Vec3<double> about = random_vector(random);
    for (int i = 0; i < c.model->body_count; ++i) {
      // each body by its own centre, with its own inertia about it
      const RigidInertia<double>& I = c.model->bodies[i].I;
      const PoseTwist motion = body_motion(*c.model, *c.tree, c.state, BodyId(i));
      const Transform<double> X_HC{Mat3<double>::identity(), I.h * (1 / I.m)};
      const RigidInertia<double> at_center = to_parent(inverse(X_HC), I);
      const Motion<double> V = to_child(X_HC, motion.V_H);
      const Eigen::Vector3d center = (motion.X_WH * X_HC.p).eigen();
      const Eigen::Vector3d p = I.m * (motion.X_WH.R * V.v).eigen();
      mass += I.m;
      sum += I.m * center;
      momentum_sum += p;
      spin += (motion.X_WH.R * (at_center.I * V.w)).eigen() + (center - about.eigen()).cross(p);
      energy += 0.5 * I.m * dot(V.v, V.v) + 0.5 * dot(at_center.I * V.w, V.w);
    }
    for (int i = 1; i < c.model->body_count; ++i) {
      const Joint& joint = c.model->joints[i];
      for (int j = 0; j < dof_count(joint.kind); ++j) {
        energy += 0.5 * joint.armature * std::pow(c.state.v[joint.v_index + j], 2);
      }
    }
    // sums over twelve bodies a few metres from the origin
    EXPECT_LT(distance(center_of_mass(*c.tree, *c.w).eigen(), sum / mass), 1e-12);
    EXPECT_LT(distance(momentum(*c.tree, *c.w).f.eigen(), momentum_sum), 1e-11);
    EXPECT_LT(distance(momentum(*c.tree, *c.w, about).n.eigen(), spin), 1e-10);
    EXPECT_NEAR(kinetic_energy(*c.tree, c.state, *c.w), energy, 1e-12 * energy);
    EXPECT_NEAR(potential_energy(*c.model, *c.tree, *c.w), -c.model->gravity.eigen().dot(sum),
                1e-11);
  }
}

// In flight only outside forces and gravity change the momenta, whatever the joints do and whichever body is root.
TEST(Momentum, ChangesByOutsideForcesAlone) {
  Random random(132);
  for (int trial = 0; trial < 12; ++trial) {
    Case c = random_case(random, {.bodies = 8, .mimic = trial % 2 == 0}, JointKind::kFree);
    for (int j = 0; j < kSupportDofs; ++j) c.tau[j] = 0;
    DofVector a{};
    ASSERT_EQ(aba(*c.model, *c.tree, c.state, c.tau, c.f_ext, *c.w, a), Status::kOk);
    kinematics(*c.model, *c.tree, c.state, *c.w);
    const double mass = total_mass(*c.model);
    const Force<double> weight{cross(center_of_mass(*c.tree, *c.w), c.model->gravity * mass),
                               c.model->gravity * mass};
    Force<double> outside = weight;
    for (int i = 0; i < c.model->body_count; ++i) {
      const Transform<double> X_WH = body_motion(*c.model, *c.tree, c.state, BodyId(i)).X_WH;
      outside += to_parent(X_WH, c.f_ext[i]);
    }
    const Force<double> change = momentum_at(c, flowed(*c.model, *c.tree, c.state, a, kStep)) -
                                 momentum_at(c, flowed(*c.model, *c.tree, c.state, a, -kStep));
    EXPECT_LT(distance(change * (0.5 / kStep), outside), 10 * kTolerance * largest(a));
  }
}

TEST(Momentum, SpinAboutTheCenterIsKeptInFreeFall) {
  Random random(133);
  for (int trial = 0; trial < 12; ++trial) {
    Case c = random_case(random, {.bodies = 8}, JointKind::kFree);
    for (int j = 0; j < kSupportDofs; ++j) c.tau[j] = 0;
    DofVector a{};
    ASSERT_EQ(aba(*c.model, *c.tree, c.state, c.tau, {}, *c.w, a), Status::kOk);
    const auto spin = [&](double dt) {
      const State state = flowed(*c.model, *c.tree, c.state, a, dt);
      kinematics(*c.model, *c.tree, state, *c.w);
      return momentum(*c.tree, *c.w, center_of_mass(*c.tree, *c.w)).n;
    };
    EXPECT_GT(norm(spin(0)), 0.01);  // there is some
    EXPECT_LT(norm(spin(kStep) - spin(-kStep)) / (2 * kStep), 10 * kTolerance * largest(a));
  }
}

}  // namespace
}  // namespace stance
