// What integration opens is put back, and no energy comes of it.
#include "stance_core/constraint/keep_closed.hpp"

#include <gtest/gtest.h>

#include "stance_core/dynamics/momentum.hpp"
#include "support/closed_case.hpp"

namespace stance::test {
namespace {

double energy_of(const Case& c, const State& state) {
  kinematics(*c.model, *c.tree, state, *c.w);
  return kinetic_energy(*c.tree, state, *c.w) + potential_energy(*c.model, *c.tree, *c.w);
}

TEST(KeepClosed, PutsBackWhatDriftedAndAddsNoEnergy) {
  Random random(21);
  const auto keeper = std::make_unique<ClosureKeeper>();
  double worst_gap = 0, worst_rate = 0, gained = -1;
  int counted = 0;
  for (int k = 0; k < 200; ++k) {
    RobotKind kind;
    kind.bodies = 4 + pick(random, 6);
    kind.mimic = k % 4 == 0;
    Case c = random_case(random, kind, kSupports[k % 6]);
    kinematics(*c.model, *c.tree, c.state, *c.w);
    std::vector<Closure> closures{random_closure(random, c)};
    if (k % 3 == 0) closures.push_back(closures.front());
    close_velocities(c, closures);
    if (dense_answer(c, closures).conditioning < 1e-3) continue;
    ++counted;
    DofVector drift{};
    for (const int d : free_dofs(c)) drift[d] = uniform(random, -1e-7, 1e-7);
    State state = moved(*c.model, *c.tree, c.state, drift, 1);
    for (const int d : free_dofs(c)) state.v[d] += uniform(random, -1e-7, 1e-7);
    apply_mimic(*c.model, state);
    const double before = energy_of(c, state);
    ASSERT_EQ(keep_closed(*c.model, *c.tree, closures, state, *c.w, *keeper), Status::kOk);
    const double after = energy_of(c, state);
    gained = std::max(gained, (after - before) / (1 + std::abs(before)));
    for (const Closure& closure : closures) {
      const ClosureResidual open = closure_residual(*c.tree, *c.w, closure);
      worst_gap = std::max(worst_gap, open.position);
      worst_rate = std::max(worst_rate, open.velocity);
    }
  }
  std::printf("gap %.1e rate %.1e energy %.1e of %d\n", worst_gap, worst_rate, gained, counted);
  EXPECT_GT(counted, 150);
  EXPECT_LT(worst_gap,
            1e-11);  // 1e-7 squared, times what the robot's size makes of it, and rounding
  EXPECT_LT(worst_rate, 1e-11);
  EXPECT_LT(gained, 1e-13);
}

// An impact against closures loses energy, and what it leaves is nearest in energy: M (v' - v) is a force of the rows.
TEST(KeepClosed, VelocitiesAreThoseOfAnImpact) {
  Random random(22);
  const auto keeper = std::make_unique<ClosureKeeper>();
  for (int k = 0; k < 60; ++k) {
    RobotKind kind;
    kind.bodies = 4 + pick(random, 6);
    Case c = random_case(random, kind, kSupports[k % 6]);
    kinematics(*c.model, *c.tree, c.state, *c.w);
    const std::vector<Closure> closures{random_closure(random, c)};
    if (dense_answer(c, closures).conditioning < 1e-3) continue;
    State after = c.state;
    const double before = kinetic_energy(*c.tree, c.state, *c.w);
    ASSERT_EQ(stance::close_velocities(*c.model, *c.tree, closures, after, *c.w, *keeper),
              Status::kOk);
    const std::vector<int> free = free_dofs(c);
    kinematics(*c.model, *c.tree, after, *c.w);
    EXPECT_LE(kinetic_energy(*c.tree, after, *c.w), before * (1 + 1e-14));
    const DenseRows rows = dense_rows(c, closures, free);
    const Eigen::MatrixXd M_all = user_matrix(*c.model, *c.tree, *c.w);
    const int n = static_cast<int>(free.size());
    Eigen::VectorXd impulse(n), v(n);
    for (int i = 0; i < n; ++i) {
      impulse[i] = 0, v[i] = after.v[free[static_cast<std::size_t>(i)]];
      for (int j = 0; j < n; ++j) {
        const int d = free[static_cast<std::size_t>(j)];
        impulse[i] += M_all(free[static_cast<std::size_t>(i)], d) * (after.v[d] - c.state.v[d]);
      }
    }
    EXPECT_LT((rows.J * v).cwiseAbs().maxCoeff(), 1e-9);
    const auto solver = orthogonal(rows.J.transpose());
    EXPECT_LT((rows.J.transpose() * solver.solve(impulse) - impulse).norm(),
              1e-9 * (1 + impulse.norm()));
  }
}

// Like everything under a step.
TEST(KeepClosed, LeavesTheStateAloneWhereThereIsNothingToKeep) {
  Random random(23);
  const auto keeper = std::make_unique<ClosureKeeper>();
  Case c = random_case(random, {}, JointKind::kFree);
  kinematics(*c.model, *c.tree, c.state, *c.w);
  std::vector<Closure> closures{random_closure(random, c)};
  closures[0].active = false;
  State state = c.state;
  ASSERT_EQ(keep_closed(*c.model, *c.tree, closures, state, *c.w, *keeper), Status::kOk);
  EXPECT_EQ(state.q, c.state.q);
  EXPECT_EQ(state.v, c.state.v);
}

}  // namespace
}  // namespace stance::test
