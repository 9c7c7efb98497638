// The three algorithms against each other, over random trees, every kind of support and any root.
#include <gtest/gtest.h>

#include <memory>

#include "stance_core/dynamics/aba.hpp"
#include "stance_core/dynamics/crba.hpp"
#include "stance_core/dynamics/kinematics.hpp"
#include "stance_core/dynamics/rnea.hpp"
#include "support/random_robot.hpp"

namespace stance {
namespace {

using namespace test;

struct Case {
  std::unique_ptr<Model> model;
  std::unique_ptr<Tree> tree = std::make_unique<Tree>();
  std::unique_ptr<Workspace> w = std::make_unique<Workspace>();
  State state;
  DofVector tau;
  std::vector<Force<double>> f_ext;
};

Case random_case(Random& random, const RobotKind& kind, JointKind support) {
  Case c;
  c.model = random_model(random, kind);
  *c.tree = make_tree(*c.model, BodyId(pick(random, c.model->body_count)),
                      random_support(random, support));
  c.state = random_state(random, *c.model, *c.tree);
  c.tau = random_dofs(random, *c.model);
  for (int j = dof_count(support); j < kSupportDofs; ++j) c.tau[j] = 0;
  for (int i = 0; i < c.model->body_count; ++i) c.f_ext.push_back(random_force(random));
  return c;
}

constexpr JointKind kSupports[] = {JointKind::kFixed,  JointKind::kRevolute, JointKind::kBall,
                                   JointKind::kPlanar, JointKind::kFree,     JointKind::kRoll};

// 1e-9 relative: the condition of a mass matrix of 128 mixed degrees of freedom is up to 1e6, times rounding.
TEST(Dynamics, InverseOfForwardIsIdentityOverRandomTrees) {
  Random random(1);
  for (int trial = 0; trial < 1000; ++trial) {
    const int bodies = trial % 20 == 0 ? kMaxBodies : 1 + pick(random, kMaxBodies);
    Case c = random_case(random, {.bodies = bodies, .branching = uniform(random, 0, 1)},
                         kSupports[trial % 6]);
    DofVector a{}, tau{};
    ASSERT_EQ(aba(*c.model, *c.tree, c.state, c.tau, c.f_ext, *c.w, a), Status::kOk);
    ASSERT_EQ(rnea(*c.model, *c.tree, c.state, a, c.f_ext, *c.w, tau), Status::kOk);
    EXPECT_LT(relative_difference(tau, c.tau, c.model->dof_count), 1e-9) << "trial " << trial;
  }
}

TEST(Dynamics, ArticulatedBodiesAgreeWithMassMatrix) {
  Random random(2);
  for (int trial = 0; trial < 300; ++trial) {
    Case c = random_case(random, {.bodies = 1 + pick(random, 24), .mimic = trial % 2 == 0},
                         kSupports[trial % 6]);
    DofVector a{}, b{};
    ASSERT_EQ(aba(*c.model, *c.tree, c.state, c.tau, c.f_ext, *c.w, a), Status::kOk);
    ASSERT_EQ(crba_forward_dynamics(*c.model, *c.tree, c.state, c.tau, c.f_ext, *c.w, b),
              Status::kOk);
    EXPECT_LT(relative_difference(a, b, c.model->dof_count), 1e-9) << "trial " << trial;
  }
}

}  // namespace
}  // namespace stance
