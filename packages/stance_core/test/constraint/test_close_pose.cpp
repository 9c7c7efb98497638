// Mechanisms that are open where they start: the nearest pose that closes them.
#include "stance_core/constraint/close_pose.hpp"

#include <gtest/gtest.h>

#include "stance_core/constraint/keep_closed.hpp"
#include "support/closed_case.hpp"

namespace stance::test {
namespace {

struct Open {
  Case robot;
  std::vector<Closure> closures;
  State closed;  // a pose that closes them, not the nearest
};

Open random_open(Random& random, int k) {
  RobotKind kind;
  kind.bodies = 5 + pick(random, 5);
  kind.mimic = k % 3 == 0;
  Open out{random_case(random, kind, kSupports[k % 6]), {}, {}};
  Case& c = out.robot;
  kinematics(*c.model, *c.tree, c.state, *c.w);
  out.closures.push_back(random_closure(random, c));
  out.closed = c.state;
  // a way off
  DofVector step{};
  for (const int d : free_dofs(c)) step[d] = uniform(random, -0.2, 0.2);
  c.state = moved(*c.model, *c.tree, c.state, step, 1);
  apply_mimic(*c.model, c.state);
  return out;
}

double open_by(const Case& c, const std::vector<Closure>& closures, const State& state) {
  kinematics(*c.model, *c.tree, state, *c.w);
  double open = 0;
  for (const Closure& closure : closures) {
    const ClosureResidual residual = closure_residual(*c.tree, *c.w, closure);
    open = std::max({open, residual.position, residual.velocity});
  }
  return open;
}

TEST(ClosePose, FindsAPoseThatClosesAndVelocitiesThatKeepIt) {
  Random random(11);
  int closed = 0, were_open = 0;
  for (int k = 0; k < 200; ++k) {
    Open o = random_open(random, k);
    were_open += open_by(o.robot, o.closures, o.robot.state) > 1e-3;
    const ClosedPose pose = close_pose(*o.robot.model, *o.robot.tree, o.closures, o.robot.state,
                                       *o.robot.w);
    if (!pose.is_closed) continue;  // some that turn far have no way that falls all along
    ++closed;
    EXPECT_LT(open_by(o.robot, o.closures, pose.state), 1e-9) << k;
  }
  EXPECT_GT(were_open, 150);
  EXPECT_GT(closed, 180);
}

// Nearest: no pose around it that is closed as well is nearer to the start. Those are found by closing it again from a
// little way off.
TEST(ClosePose, NoNeighbourThatIsClosedIsNearer) {
  Random random(12);
  int tried = 0;
  for (int k = 0; k < 60; ++k) {
    RobotKind kind;
    kind.bodies = 6;
    kind.only_revolute = true;  // coordinates whose distance is plain
    Case c = random_case(random, kind, JointKind::kFixed);
    kinematics(*c.model, *c.tree, c.state, *c.w);
    Closure closure = random_closure(random, c);
    closure.kind = ClosureKind::kPoint;
    const std::vector<Closure> closures{closure};
    DofVector step{};
    for (const int d : free_dofs(c)) step[d] = uniform(random, -0.3, 0.3);
    const State start = moved(*c.model, *c.tree, c.state, step, 1);
    const ClosedPose pose = close_pose(*c.model, *c.tree, closures, start, *c.w);
    if (!pose.is_closed || pose.moved < 1e-3) continue;
    const auto distance2 = [&](const State& state) {
      double sum = 0;
      for (int j = 1; j < c.model->body_count; ++j) {
        const double d = state.q[c.model->joints[j].q_index] - start.q[c.model->joints[j].q_index];
        sum += d * d;
      }
      return sum;
    };
    for (int j = 0; j < 5; ++j) {
      DofVector nudge{};
      for (const int d : free_dofs(c)) nudge[d] = uniform(random, -0.01, 0.01);
      const ClosedPose neighbour = close_pose(*c.model, *c.tree, closures,
                                              moved(*c.model, *c.tree, pose.state, nudge, 1), *c.w);
      if (!neighbour.is_closed) continue;
      ++tried;
      EXPECT_GE(distance2(neighbour.state), distance2(pose.state) - 1e-9);
    }
  }
  EXPECT_GT(tried, 50);
}

// A four-bar whose rod is too long by far: it stays open, and says by how much.
TEST(ClosePose, SaysHowFarWhatCannotCloseIsOpen) {
  Random random(13);
  RobotKind kind;
  kind.bodies = 3;
  kind.only_revolute = true;
  kind.branching = 0;
  Case c = random_case(random, kind, JointKind::kFixed);
  *c.tree = make_tree(*c.model, BodyId(0), c.tree->support);
  Closure far;
  far.b.body = BodyId(2);
  far.a.X_HF.p = {100, 0, 0};
  const ClosedPose pose = close_pose(*c.model, *c.tree, std::vector<Closure>{far}, c.state, *c.w);
  EXPECT_FALSE(pose.is_closed);
  EXPECT_GT(pose.open, 50);
  const auto joints = joints_of_loop(*c.model, *c.tree, far);
  EXPECT_EQ(joints, (std::vector<JointId>{JointId(1), JointId(2)}));
}

}  // namespace
}  // namespace stance::test
