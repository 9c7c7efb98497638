// Closed systems by assembly, by rows and by a dense solve: the same accelerations, and the same forces in the loops.
#include <gtest/gtest.h>

#include <algorithm>

#include "stance_core/assembly/disassemble.hpp"
#include "stance_core/contact/forward_dynamics.hpp"
#include "stance_core/dynamics/aba.hpp"
#include "support/closed_case.hpp"
#include "support/random_schedule.hpp"

namespace stance::test {
namespace {

struct ClosedCase {
  Case robot;
  std::vector<Closure> closures;
};

// Every fourth with gears, every fifth with a joint held, every seventh with a loop that is there twice.
ClosedCase random_closed_case(Random& random, int k) {
  RobotKind kind;
  kind.bodies = 2 + pick(random, 11);
  kind.mimic = k % 4 == 0;
  kind.branching = uniform(random, 0, 1);
  ClosedCase out{random_case(random, kind, kSupports[k % 6]), {}};
  Case& c = out.robot;
  const int joint = 1 + pick(random, kind.bodies - 1);
  if (k % 5 == 0 && !kind.mimic && dof_count(c.model->joints[joint].kind) == 1) {
    const Joint& held = c.model->joints[joint];
    lock_joint(*c.model, JointId(joint), c.state.q[held.q_index], *c.tree);
    c.state.v[held.v_index] = c.tau[held.v_index] = 0;
  }
  kinematics(*c.model, *c.tree, c.state, *c.w);
  const int count = 1 + pick(random, 3);
  for (int j = 0; j < count; ++j) out.closures.push_back(random_closure(random, c));
  if (k % 7 == 0) out.closures.push_back(out.closures.front());
  close_velocities(c, out.closures);
  return out;
}

struct Answer {
  Status status = Status::kOk;
  DofVector a{};
  ClosureForces forces{};
};

Answer assembled(const ClosedCase& closed, const Schedule& schedule) {
  const Case& c = closed.robot;
  const auto plan = make_plan(*c.model, *c.tree, closed.closures, schedule);
  EXPECT_TRUE(plan);
  AssemblyMemory memory(*plan);
  const auto w = std::make_unique<Workspace>();
  Answer out;
  out.status = assembly_dynamics(*c.model, *c.tree, *plan, c.state, c.tau, c.f_ext, closed.closures,
                                 *w, memory, out.a, out.forces);
  return out;
}

double lambda_difference(const double* found, const Eigen::VectorXd& expected, int rows) {
  double difference = 0, size = 1;
  for (int r = 0; r < rows; ++r) {
    difference = std::max(difference, std::abs(found[r] - expected[r]));
    size = std::max(size, std::abs(expected[r]));
  }
  return difference / size;
}

TEST(ClosedSystems, AThousandAgreeWithADenseSolveUnderThreeSchedulesEach) {
  Random random(57);
  double worst_a = 0, worst_lambda = 0, worst_rows = 0;
  int redundant = 0, held = 0, skipped = 0;
  for (int k = 0; k < 1000; ++k) {
    ClosedCase closed = random_closed_case(random, k);
    const Case& c = closed.robot;
    const DenseAnswer dense = dense_answer(c, closed.closures);
    // Rows that are as good as dependent: of K, which has the square of that, nine digits are not left. Or no freedom.
    if (dense.conditioning < 1e-3 || dense.lambda.size() == 0) {
      ++skipped;
      --k;
      continue;
    }
    int rows = 0;
    for (const Closure& closure : closed.closures) rows += row_count(closure.kind);
    const int gears = static_cast<int>(dense.lambda.size()) - rows;
    redundant += dense.rank < rows + gears;
    held += std::any_of(c.tree->locked.begin(), c.tree->locked.end(), [](bool is) { return is; });

    for (const Schedule& schedule :
         {chain_schedule(*c.model, *c.tree, closed.closures), balanced_schedule(*c.model, *c.tree),
          random_schedule(random, *c.model)}) {
      const Answer found = assembled(closed, schedule);
      ASSERT_EQ(found.status, Status::kOk)
          << k << ": " << rows << " rows and " << gears << " gears of rank " << dense.rank
          << ", which miss by " << dense.missed;
      ASSERT_EQ(found.forces.rows, rows) << k;
      ASSERT_EQ(found.forces.rank, dense.rank - gears) << k;
      worst_a = std::max(worst_a, relative_difference(found.a, dense.a, c.model->dof_count));
      worst_lambda = std::max(
          worst_lambda, lambda_difference(found.forces.multipliers.data(), dense.lambda, rows));
    }
    // the other algorithm, but where nothing in the loops can move: it has no measure for rounding alone
    if (dense.rank == 0) continue;
    const auto system = std::make_unique<RowSystem>();
    const auto closure_set = std::make_unique<ClosureRows>();
    kinematics(*c.model, *c.tree, c.state, *c.w);
    ASSERT_TRUE(closure_rows(*c.model, *c.tree, *c.w, closed.closures, *closure_set));
    system->clear();
    system->row_count = closure_set->count;
    std::copy_n(closure_set->rows.begin(), closure_set->count, system->rows.begin());
    DofVector a{};
    ASSERT_EQ(forward_dynamics(*c.model, *c.tree, c.state, c.tau, c.f_ext, Modes::kGiven, *system,
                               *c.w, a),
              Status::kOk)
        << k;
    const double by_rows = relative_difference(a, dense.a, c.model->dof_count);
    worst_rows = std::max(worst_rows, by_rows);
    if (gears == 0) {
      worst_rows = std::max(worst_rows,
                            lambda_difference(system->lambda.data(), dense.lambda, rows));
    }
  }
  std::printf("assembly %.1e, forces %.1e, rows %.1e; redundant %d, held %d, skipped %d\n", worst_a,
              worst_lambda, worst_rows, redundant, held, skipped);
  // the worst of a thousand, one that is nearly dependent: 0.7e-9 or 1.1e-9, as the compiler fuses products
  EXPECT_LT(worst_a, 2e-9);
  EXPECT_LT(worst_lambda, 1e-9);
  EXPECT_LT(worst_rows, 1e-9);
  EXPECT_GT(redundant, 150);
  EXPECT_GT(held, 30);
  EXPECT_LT(skipped, 100);
}

// A door on a hinge that turns, and whose handle is welded to the world: no acceleration satisfies that.
TEST(ClosedSystems, ThatContradictThemselvesAreNamedAndLeaveTheAnswerAlone) {
  Random random(3);
  RobotKind kind;
  kind.bodies = 2;
  kind.only_revolute = true;
  ClosedCase closed{random_case(random, kind, JointKind::kFixed), {}};
  Case& c = closed.robot;
  c.state.v[kSupportDofs] = 2;
  kinematics(*c.model, *c.tree, c.state, *c.w);
  Closure weld;
  weld.kind = ClosureKind::kWeld;
  weld.b = {BodyId(c.tree->root == 0 ? 1 : 0), random_transform(random)};
  weld.a.X_HF = home_pose(*c.tree, *c.w, weld.b.body) * weld.b.X_HF;
  closed.closures = {weld};
  for (const Schedule& schedule :
       {chain_schedule(*c.model, *c.tree, closed.closures), balanced_schedule(*c.model, *c.tree)}) {
    const Answer found = assembled(closed, schedule);
    EXPECT_EQ(found.status, Status::kInconsistent);
    EXPECT_EQ(found.a, DofVector{});
  }
}

// A loop that is not active is not there.
TEST(ClosedSystems, LoopsThatAreOpenedAreFree) {
  Random random(8);
  double worst = 0;
  for (int k = 0; k < 50; ++k) {
    ClosedCase closed = random_closed_case(random, 1);
    Case& c = closed.robot;
    for (Closure& closure : closed.closures) closure.active = false;
    DofVector a{};
    ASSERT_EQ(aba(*c.model, *c.tree, c.state, c.tau, c.f_ext, *c.w, a), Status::kOk);
    const Answer found = assembled(closed, balanced_schedule(*c.model, *c.tree));
    ASSERT_EQ(found.status, Status::kOk);
    EXPECT_EQ(found.forces.rows, 0);
    worst = std::max(worst, relative_difference(found.a, a, c.model->dof_count));
  }
  EXPECT_LT(worst, 1e-9);
}

}  // namespace
}  // namespace stance::test
