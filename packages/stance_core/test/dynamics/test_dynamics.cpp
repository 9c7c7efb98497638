// The three algorithms against each other, over random trees, every kind of support and any root.
#include <gtest/gtest.h>

#include "stance_core/dynamics/aba.hpp"
#include "stance_core/dynamics/kinematics.hpp"
#include "stance_core/dynamics/rnea.hpp"
#include "support/mass_matrix.hpp"
#include "support/random_case.hpp"

namespace stance {
namespace {

using namespace test;

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
    ASSERT_EQ(crba_dynamics(*c.model, *c.tree, c.state, c.tau, c.f_ext, *c.w, b), Status::kOk);
    EXPECT_LT(relative_difference(a, b, c.model->dof_count), 1e-9) << "trial " << trial;
  }
}

}  // namespace
}  // namespace stance
