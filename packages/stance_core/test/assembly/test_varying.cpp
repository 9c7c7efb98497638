// Structure that varies: loops that come and go between calls, without the heap, as if they had always been so.
#include <gtest/gtest.h>

#include "stance_core/assembly/disassemble.hpp"
#include "support/closed_case.hpp"
#include "support/count_heap.hpp"
#include "support/random_schedule.hpp"

namespace stance::test {
namespace {

TEST(VaryingStructure, LoopsComeAndGoWithoutTheHeap) {
  if (!CountHeap::works()) GTEST_SKIP() << "a sanitizer owns the heap";
  Random random(31);
  double worst = 0;
  long calls = 0;
  for (int k = 0; k < 40; ++k) {
    RobotKind kind;
    kind.bodies = 6 + pick(random, 10);
    Case c = random_case(random, kind, kSupports[k % 6]);
    kinematics(*c.model, *c.tree, c.state, *c.w);
    std::vector<Closure> closures;
    for (int j = 0; j < 3; ++j) {
      closures.push_back(random_closure(random, c));
      closures.back().kind = ClosureKind::kPoint;
    }
    close_velocities(c, closures);
    if (dense_answer(c, closures).conditioning < 1e-3) continue;
    const Schedule schedule = k % 2 == 0 ? chain_schedule(*c.model, *c.tree, closures)
                                         : random_schedule(random, *c.model);
    const auto plan = make_plan(*c.model, *c.tree, closures, schedule);
    AssemblyMemory memory(*plan);
    for (int which = 7; which >= 0; --which) {  // all three, two, … none
      std::vector<Closure> left;
      for (int j = 0; j < 3; ++j) {
        closures[static_cast<std::size_t>(j)].active = (which >> j & 1) != 0;
        if (closures[static_cast<std::size_t>(j)].active)
          left.push_back(closures[static_cast<std::size_t>(j)]);
      }
      DofVector a{};
      ClosureForces forces;
      const CountHeap heap;
      const Status status = assembly_dynamics(*c.model, *c.tree, *plan, c.state, c.tau, c.f_ext,
                                              closures, *c.w, memory, a, forces);
      calls += heap.calls();
      ASSERT_EQ(status, Status::kOk);
      const DenseAnswer dense = dense_answer(c, left);
      if (dense.conditioning < 1e-3) continue;
      worst = std::max(worst, relative_difference(a, dense.a, c.model->dof_count));
    }
  }
  EXPECT_EQ(calls, 0);
  EXPECT_LT(worst, 1e-9);
}

}  // namespace
}  // namespace stance::test
