// A robot as large as this build allows. Compiled a second time with a library for 1,024 bodies (test/CMakeLists.txt).
#include "stance_core/base/capacity.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "stance_core/dynamics/aba.hpp"
#include "stance_core/dynamics/rnea.hpp"
#include "stance_core/hybrid/simulator.hpp"
#include "support/mass_matrix.hpp"
#include "support/random_case.hpp"

namespace stance {
namespace {

using namespace test;

// Memory is linear in bodies. Degrees of freedom and frames are in proportion to them, with some to spare.
constexpr std::size_t kShare = std::max({kMaxBodies, kMaxDofs / 2, kMaxFrames / 4, 64});
static_assert(sizeof(Workspace) < 3 * 1024 * kShare);
static_assert(sizeof(Tree) < 2 * 1024 * kShare);
static_assert(sizeof(Model) < 4 * 1024 * kShare);
static_assert(sizeof(Simulator) < 16 * 1024 * kShare + 256 * 1024);

// Each body carries two others.
Case binary_tree() {
  Random random(91);
  Description robot;
  robot.name = "binary";
  robot.links.push_back({"link0", random_inertial(random)});
  for (int i = 1; i < std::min(kMaxBodies, kMaxDofs - kSupportDofs + 1); ++i) {
    JointDescription joint;
    joint.name = "joint" + std::to_string(i);
    joint.parent = "link" + std::to_string((i - 1) / 2);
    joint.child = "link" + std::to_string(i);
    joint.type = JointType::kRevolute;
    joint.origin.linear() = random_rotation(random);
    joint.origin.translation() = random_vector(random, 0.4).eigen();
    joint.axis = random_vector(random).eigen();
    robot.links.push_back({joint.child, random_inertial(random)});
    robot.joints.push_back(joint);
  }
  Case c;
  c.model = std::make_unique<Model>(*build_model(robot));
  *c.tree = make_tree(*c.model, BodyId(c.model->body_count / 3));
  c.state = random_state(random, *c.model, *c.tree);
  c.tau = random_dofs(random, *c.model);
  for (int i = 0; i < c.model->body_count; ++i) c.f_ext.push_back(random_force(random));
  return c;
}

// The tolerance of test_dynamics.cpp.
TEST(Capacity, AlgorithmsAgreeOnTheLargestTree) {
  const Case c = binary_tree();
  DofVector a{}, in_lanes{}, by_matrix{}, tau{};
  ASSERT_EQ(aba(*c.model, *c.tree, c.state, c.tau, c.f_ext, *c.w, a), Status::kOk);
  ASSERT_EQ(rnea_lanes(*c.model, *c.tree, c.state, a, c.f_ext, *c.w, tau), Status::kOk);
  EXPECT_LT(relative_difference(tau, c.tau, c.model->dof_count), 1e-9);
  ASSERT_EQ(aba_lanes(*c.model, *c.tree, c.state, c.tau, c.f_ext, *c.w, in_lanes), Status::kOk);
  EXPECT_LT(relative_difference(in_lanes, a, c.model->dof_count), 1e-9);
  ASSERT_EQ(crba_dynamics(*c.model, *c.tree, c.state, c.tau, c.f_ext, *c.w, by_matrix),
            Status::kOk);
  EXPECT_LT(relative_difference(by_matrix, a, c.model->dof_count), 1e-9);
}

// Its many small limbs are in lanes, however many there are: all but the way from the root to body 0, and pairs that are
// too few.
TEST(Capacity, LanesHaveNoCliff) {
  const Case c = binary_tree();
  const int depth = static_cast<int>(std::log2(c.model->body_count)) + 1;
  EXPECT_LE(c.tree->lanes.trunk_count, 3 * depth);
}

}  // namespace
}  // namespace stance
