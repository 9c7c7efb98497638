// Several threads give the same bits as one, for every plan, and tell of the same failures.
#include <gtest/gtest.h>

#include <cstring>

#include "stance_core/assembly/crew_dynamics.hpp"
#include "stance_core/assembly/find_schedule.hpp"
#include "support/closed_case.hpp"
#include "support/random_schedule.hpp"

namespace stance::test {
namespace {

TEST(CrewDynamics, BitsAreThoseOfOneThread) {
  Random random(5);
  Crew crews[] = {Crew(1), Crew(2), Crew(4)};
  int different_plans = 0;
  for (int k = 0; k < 24; ++k) {
    RobotKind kind;
    kind.bodies = 2 + pick(random, 20);
    kind.branching = uniform(random, 0, 1);
    Case c = random_case(random, kind, kSupports[k % 6]);
    std::vector<Closure> closures;
    kinematics(*c.model, *c.tree, c.state, *c.w);
    if (k % 2 == 0) closures.push_back(random_closure(random, c));
    close_velocities(c, closures);
    for (const bool shuffled : {false, true}) {
      auto plan = make_plan(
          *c.model, *c.tree, closures,
          shuffled ? random_schedule(random, *c.model) : balanced_schedule(*c.model, *c.tree));
      share_out(*plan, 4);
      for (const PlanNode& node : plan->nodes) different_plans += node.processor == 3;
      AssemblyMemory memory(*plan);
      NodeClock clock(*plan);
      ClosureForces forces{};
      DofVector expected{};
      const Status status = assembly_dynamics(*c.model, *c.tree, *plan, c.state, c.tau, c.f_ext,
                                              closures, *c.w, memory, expected, forces);
      for (Crew& crew : crews) {
        for (int again = 0; again < 5; ++again) {
          DofVector a{};
          ASSERT_EQ(assembly_dynamics(*c.model, *c.tree, *plan, c.state, c.tau, c.f_ext, closures,
                                      *c.w, memory, a, forces, clock, crew),
                    status);
          ASSERT_EQ(std::memcmp(a.data(), expected.data(), sizeof(a)), 0) << crew.size();
        }
      }
    }
  }
  EXPECT_GT(different_plans, 20);
}

TEST(CrewDynamics, AContradictionIsToldAndNobodyWaitsForEver) {
  Random random(6);
  RobotKind kind;
  kind.bodies = 2;
  kind.only_revolute = true;
  Case c = random_case(random, kind, JointKind::kFixed);
  c.state.v[kSupportDofs] = 2;
  kinematics(*c.model, *c.tree, c.state, *c.w);
  Closure weld;
  weld.kind = ClosureKind::kWeld;
  weld.b = {BodyId(c.tree->root == 0 ? 1 : 0), {}};
  weld.a.X_HF = home_pose(*c.tree, *c.w, weld.b.body);
  const std::vector<Closure> closures{weld};
  auto plan = make_plan(*c.model, *c.tree, closures, balanced_schedule(*c.model, *c.tree));
  share_out(*plan, 2);
  AssemblyMemory memory(*plan);
  NodeClock clock(*plan);
  ClosureForces forces;
  Crew crew(2);
  DofVector a{};
  for (int k = 0; k < 3; ++k) {
    EXPECT_EQ(assembly_dynamics(*c.model, *c.tree, *plan, c.state, c.tau, c.f_ext, closures, *c.w,
                                memory, a, forces, clock, crew),
              Status::kInconsistent);
  }
  EXPECT_EQ(a, DofVector{});
}

}  // namespace
}  // namespace stance::test
