// Assembly and disassembly against the articulated-body algorithm, whatever the schedule; its joint forces against the
// recursive Newton-Euler algorithm.
#include <gtest/gtest.h>

#include <algorithm>

#include "stance_core/assembly/disassemble.hpp"
#include "stance_core/dynamics/aba.hpp"
#include "stance_core/dynamics/rnea.hpp"
#include "support/random_case.hpp"
#include "support/random_schedule.hpp"

namespace stance::test {
namespace {

struct Answer {
  Status status;
  DofVector a{};
  std::vector<Force<double>> f;
};

Answer answer(const Case& c, const Schedule& schedule) {
  const auto plan = make_plan(*c.model, *c.tree, {}, schedule);
  EXPECT_TRUE(plan);
  AssemblyMemory memory(*plan);
  auto w = std::make_unique<Workspace>();
  Answer out;
  ClosureForces forces;
  out.status = assembly_dynamics(*c.model, *c.tree, *plan, c.state, c.tau, c.f_ext, {}, *w, memory,
                                 out.a, forces);
  out.f.assign(w->f.begin(), w->f.begin() + c.model->body_count);
  return out;
}

// Largest difference over the largest force.
double force_difference(const std::vector<Force<double>>& a, const std::vector<Force<double>>& b) {
  double difference = 0, size = 1;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const Force<double> d = a[i] - b[i];
    for (const Vec3<double>& v : {d.n, d.f}) difference = std::max(difference, norm(v));
    for (const Vec3<double>& v : {b[i].n, b[i].f}) size = std::max(size, norm(v));
  }
  return difference / size;
}

TEST(Assembly, EveryScheduleAgreesWithAbaOnAThousandRandomTrees) {
  Random random(2002);
  double worst_chain = 0, worst_any = 0, worst_force = 0;
  for (int k = 0; k < 1000; ++k) {
    RobotKind kind;
    kind.bodies = 1 + pick(random, 12);
    kind.mimic = k % 3 == 0;
    kind.branching = uniform(random, 0, 1);
    const Case c = random_case(random, kind, kSupports[k % 6]);
    DofVector a{};
    ASSERT_EQ(aba(*c.model, *c.tree, c.state, c.tau, c.f_ext, *c.w, a), Status::kOk);
    auto w = std::make_unique<Workspace>();
    DofVector tau{};
    ASSERT_EQ(rnea(*c.model, *c.tree, c.state, a, c.f_ext, *w, tau), Status::kOk);
    const std::vector<Force<double>> f(w->f.begin(), w->f.begin() + c.model->body_count);

    const auto compare = [&](const Schedule& schedule, double& worst) {
      const Answer found = answer(c, schedule);
      ASSERT_EQ(found.status, Status::kOk) << k;
      worst = std::max(worst, relative_difference(found.a, a, c.model->dof_count));
      if (c.model->mimic_count == 0)
        worst_force = std::max(worst_force, force_difference(found.f, f));
    };
    compare(chain_schedule(*c.model, *c.tree, {}), worst_chain);
    compare(balanced_schedule(*c.model, *c.tree), worst_any);
    compare(random_schedule(random, *c.model), worst_any);
  }
  RecordProperty("worst_chain", std::to_string(worst_chain));
  EXPECT_LT(worst_chain, 1e-9);
  EXPECT_LT(worst_any, 1e-9);
  EXPECT_LT(worst_force, 1e-9);
  std::printf("chain %.1e any %.1e force %.1e\n", worst_chain, worst_any, worst_force);
}

TEST(Assembly, APlanOfAnotherSupportIsRefused) {
  Random random(9);
  const Case c = random_case(random, {}, JointKind::kFixed);
  Tree free = *c.tree;
  change_root(*c.model, c.tree->root, {}, free);
  const auto plan = make_plan(*c.model, free, {}, chain_schedule(*c.model, free, {}));
  AssemblyMemory memory(*plan);
  DofVector a{};
  ClosureForces forces;
  EXPECT_EQ(assembly_dynamics(*c.model, *c.tree, *plan, c.state, c.tau, c.f_ext, {}, *c.w, memory,
                              a, forces),
            Status::kBadCommand);
  EXPECT_EQ(a, DofVector{});
}

}  // namespace
}  // namespace stance::test
