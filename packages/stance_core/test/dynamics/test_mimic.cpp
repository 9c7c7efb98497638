// Mimic joints against the reduced system: with v = G r for the independent rates r, Gᵀ M G r' = Gᵀ (tau - bias).
#include <gtest/gtest.h>

#include <Eigen/Dense>

#include "stance_core/dynamics/aba.hpp"
#include "stance_core/dynamics/kinematics.hpp"
#include "stance_core/dynamics/rnea.hpp"
#include "support/mass_matrix.hpp"
#include "support/random_case.hpp"

namespace stance {
namespace {

using namespace test;

struct Geared {
  std::unique_ptr<Model> geared, loose;  // the same robot with and without its mimics
  Tree tree;
  State state;
  DofVector tau;
  std::unique_ptr<Workspace> w = std::make_unique<Workspace>();
  Eigen::MatrixXd G;  // used degrees of freedom by independent ones

  Geared(Random& random, JointKind support) {
    Description robot;
    do {
      robot = random_description(random, {.bodies = 12, .mimic = true});
      geared = std::make_unique<Model>(*build_model(robot));
    } while (geared->mimic_count < 2);
    loose = std::make_unique<Model>(*build_model(robot, {.mimic = false}));
    tree = make_tree(*geared, BodyId(pick(random, geared->body_count)),
                     random_support(random, support));
    state = random_state(random, *geared, tree);
    tau = random_dofs(random, *geared);
    for (int j = dof_count(support); j < kSupportDofs; ++j) tau[j] = 0;

    // columns of the followers fold into their leaders'
    const int n = geared->dof_count;
    Eigen::MatrixXd full = Eigen::MatrixXd::Identity(n, n);
    std::vector<bool> keep(n, true);
    for (int d = dof_count(support); d < kSupportDofs; ++d) keep[d] = false;
    for (int k = 0; k < geared->mimic_count; ++k) {
      const Mimic& mimic = geared->mimics[k];
      const int follower = geared->joints[mimic.joint].v_index;
      full(follower, geared->joints[mimic.leader].v_index) = mimic.multiplier;
      full(follower, follower) = 0;
      keep[follower] = false;
    }
    std::vector<int> independent;
    for (int d = 0; d < n; ++d) {
      if (keep[d]) independent.push_back(d);
    }
    G = full(Eigen::all, independent);
  }

  Eigen::VectorXd reduced_accelerations() {
    const int n = loose->dof_count;
    kinematics(*loose, tree, state, *w);
    const Eigen::MatrixXd M = user_matrix(*loose, tree, *w);
    DofVector bias{};
    EXPECT_EQ(rnea(*loose, tree, state, {}, {}, *w, bias), Status::kOk);
    const Eigen::VectorXd b = Eigen::Map<Eigen::VectorXd>(tau.data(), n) -
                              Eigen::Map<Eigen::VectorXd>(bias.data(), n);
    return G * (G.transpose() * M * G).ldlt().solve(G.transpose() * b);
  }
};

TEST(Mimic, AccelerationsAreThoseOfTheReducedSystem) {
  Random random(151);
  for (int trial = 0; trial < 36; ++trial) {
    Geared g(random, kSupports[trial % 6]);
    const Eigen::VectorXd expected = g.reduced_accelerations();
    for (const auto algorithm : {&aba, &crba_dynamics}) {
      DofVector a{};
      ASSERT_EQ(algorithm(*g.geared, g.tree, g.state, g.tau, {}, *g.w, a), Status::kOk);
      for (int k = 0; k < g.geared->mimic_count; ++k) {
        const Mimic& mimic = g.geared->mimics[k];
        // the gear holds exactly, not to rounding
        EXPECT_EQ(a[g.geared->joints[mimic.joint].v_index],
                  mimic.multiplier * a[g.geared->joints[mimic.leader].v_index]);
      }
      const double size = 1 + expected.cwiseAbs().maxCoeff();
      for (int d = 0; d < g.geared->dof_count; ++d) {
        EXPECT_NEAR(a[d], expected[d], 1e-9 * size);  // two solves of condition up to 1e6
      }
    }
  }
}

// The leader carries its followers' efforts, theirs is zero: what rnea returns is Gᵀ tau of the loose robot.
TEST(Mimic, InverseDynamicsFoldsEffortsIntoTheLeader) {
  Random random(152);
  for (int trial = 0; trial < 24; ++trial) {
    Geared g(random, kSupports[trial % 6]);
    DofVector a = random_dofs(random, *g.geared), tau{}, loose_tau{};
    ASSERT_EQ(rnea(*g.geared, g.tree, g.state, a, {}, *g.w, tau), Status::kOk);
    for (int k = 0; k < g.geared->mimic_count; ++k) {
      const Mimic& mimic = g.geared->mimics[k];
      const int follower = g.geared->joints[mimic.joint].v_index;
      a[follower] = mimic.multiplier * a[g.geared->joints[mimic.leader].v_index];
      EXPECT_EQ(tau[follower], 0);
    }
    ASSERT_EQ(rnea(*g.loose, g.tree, g.state, a, {}, *g.w, loose_tau), Status::kOk);
    const int n = g.geared->dof_count;
    const Eigen::VectorXd folded = g.G.transpose() * Eigen::Map<Eigen::VectorXd>(tau.data(), n);
    const Eigen::VectorXd expected = g.G.transpose() *
                                     Eigen::Map<Eigen::VectorXd>(loose_tau.data(), n);
    EXPECT_LT((folded - expected).cwiseAbs().maxCoeff(),
              1e-11 * (1 + expected.cwiseAbs().maxCoeff()));
    // and forward dynamics of these efforts gives the accelerations back
    DofVector back{};
    ASSERT_EQ(aba(*g.geared, g.tree, g.state, tau, {}, *g.w, back), Status::kOk);
    EXPECT_LT(relative_difference(back, a, n, kSupportDofs), 1e-9);
  }
}

// Locking one joint of a geared group holds all of it: the same as locking each joint of the robot without gears.
TEST(Mimic, LockingHoldsTheWholeGroup) {
  Random random(7);
  for (int trial = 0; trial < 100; ++trial) {
    Geared c(random, JointKind::kFree);
    const Mimic mimic = c.geared->mimics[pick(random, c.geared->mimic_count)];
    const JointId locked = trial % 2 == 0 ? mimic.joint : mimic.leader;
    const auto q = [&](JointId joint) { return c.state.q[c.geared->joints[joint].q_index]; };
    Tree by_group = c.tree, one_by_one = c.tree;
    lock_joint(*c.geared, locked, q(locked), by_group);
    for (int i = 1; i < c.geared->body_count; ++i) {
      if (by_group.locked[i]) {
        c.state.v[c.geared->joints[i].v_index] = 0;
        lock_joint(*c.loose, JointId(i), q(JointId(i)), one_by_one);
      }
    }
    EXPECT_TRUE(by_group.locked[mimic.joint] && by_group.locked[mimic.leader]);
    // other groups stay geared in one robot only: hold them too, so that both have the same freedoms
    for (int k = 0; k < c.geared->mimic_count; ++k) {
      const JointId other = c.geared->mimics[k].leader;
      if (by_group.locked[other]) continue;
      lock_joint(*c.geared, other, q(other), by_group);
      for (int i = 1; i < c.geared->body_count; ++i) {
        if (!by_group.locked[i] || one_by_one.locked[i]) continue;
        c.state.v[c.geared->joints[i].v_index] = 0;
        lock_joint(*c.loose, JointId(i), q(JointId(i)), one_by_one);
      }
    }
    DofVector a{}, b{}, d{};
    ASSERT_EQ(aba(*c.geared, by_group, c.state, c.tau, {}, *c.w, a), Status::kOk);
    ASSERT_EQ(crba_dynamics(*c.geared, by_group, c.state, c.tau, {}, *c.w, d), Status::kOk);
    ASSERT_EQ(aba(*c.loose, one_by_one, c.state, c.tau, {}, *c.w, b), Status::kOk);
    EXPECT_LT(relative_difference(a, b, c.geared->dof_count), 1e-9);
    EXPECT_LT(relative_difference(a, d, c.geared->dof_count), 1e-9);
    EXPECT_EQ(a[c.geared->joints[mimic.joint].v_index], 0);
    release_joint(*c.geared, locked, by_group);
    EXPECT_FALSE(by_group.locked[mimic.joint] || by_group.locked[mimic.leader]);
  }
}

}  // namespace
}  // namespace stance
