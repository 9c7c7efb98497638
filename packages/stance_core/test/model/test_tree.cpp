// The same robot from every root: nothing the user sees changes.
#include "stance_core/model/tree.hpp"

#include <gtest/gtest.h>

#include "support/random_case.hpp"
#include "support/spatial_matrices.hpp"

namespace stance {
namespace {

using namespace test;

static_assert(std::is_trivially_copyable_v<Tree> && std::is_trivially_copyable_v<State> &&
              std::is_trivially_copyable_v<Model>);
static_assert(noexcept(make_tree(std::declval<const Model&>(), BodyId(),
                                 std::declval<const Support&>())));

constexpr double kRounding = 1e-12;  // up to 30 bodies deep, a metre each, there and back

class TreeTest : public testing::Test {
 protected:
  Random random{81};
  std::unique_ptr<Model> model = random_model(random, {.bodies = 16, .branching = 0.5});
};

TEST_F(TreeTest, OrderIsTopologicalAndAPermutationFromEveryRoot) {
  for (int root = 0; root < model->body_count; ++root) {
    const Tree tree = make_tree(*model, BodyId(root));
    ASSERT_EQ(tree.body_count, model->body_count);
    EXPECT_EQ(tree.root, BodyId(root));
    EXPECT_EQ(tree.order[0], BodyId(root));
    std::vector<bool> seen(model->body_count), entered(model->body_count);
    for (int k = 0; k < tree.body_count; ++k) {
      const BodyId i = tree.order[k];
      ASSERT_TRUE(i.valid() && i < model->body_count);
      EXPECT_FALSE(seen[i]);
      seen[i] = true;
      const Link& link = tree.links[i];
      if (k == 0) {
        EXPECT_FALSE(link.parent.valid());
        EXPECT_FALSE(link.joint.valid());
        continue;
      }
      ASSERT_TRUE(link.parent.valid());
      EXPECT_TRUE(seen[link.parent]) << "a parent comes after its child";
      // the joint is the one between the two bodies, and each joint is crossed once
      ASSERT_TRUE(link.joint.valid());
      EXPECT_FALSE(entered[link.joint]);
      entered[link.joint] = true;
      const int child = link.reversed ? int(link.parent) : int(i);
      const int parent = link.reversed ? int(i) : int(link.parent);
      EXPECT_EQ(int(link.joint), child);
      EXPECT_EQ(model->bodies[child].parent, BodyId(parent));
      EXPECT_EQ(link.sign, link.reversed ? -1 : 1);
      EXPECT_EQ(link.kind, model->joints[link.joint].kind);
      EXPECT_EQ(link.q_index, model->joints[link.joint].q_index);
      EXPECT_EQ(link.v_index, model->joints[link.joint].v_index);
      EXPECT_EQ(link.armature, model->joints[link.joint].armature);
    }
  }
}

// A body that does not branch has no child but the next in the order.
TEST_F(TreeTest, BranchesAreTheBodiesWithOtherChildrenThanTheNext) {
  int branches = 0;
  for (int root = 0; root < model->body_count; ++root) {
    const Tree tree = make_tree(*model, BodyId(root));
    for (int k = 0; k < tree.body_count; ++k) {
      const BodyId body = tree.order[k];
      bool hands_on = true;  // every child is the next in the order
      for (int child = 0; child < model->body_count; ++child) {
        if (tree.links[child].parent == body)
          hands_on &= k + 1 < tree.body_count && tree.order[k + 1] == BodyId(child);
      }
      EXPECT_EQ(tree.branches[body], !hands_on) << "root " << root << ", body " << body;
      branches += tree.branches[body] ? 1 : 0;
    }
  }
  EXPECT_GT(branches, model->body_count);
}

TEST_F(TreeTest, DofParentsFollowTheBodies) {
  for (const JointKind kind : kSupports) {
    for (int root = 0; root < model->body_count; ++root) {
      const Tree tree = make_tree(*model, BodyId(root), random_support(random, kind));
      EXPECT_EQ(tree.dof_count, model->dof_count - kSupportDofs + dof_count(kind));
      std::vector<BodyId> body_of(tree.dof_count);
      for (int i = 0; i < tree.body_count; ++i) {
        const Link& link = tree.links[i];
        for (int j = 0; j < dof_count(link.kind); ++j) {
          ASSERT_LT(link.dof + j, tree.dof_count);
          EXPECT_FALSE(body_of[link.dof + j].valid()) << "two joints share a degree of freedom";
          body_of[link.dof + j] = BodyId(i);
        }
      }
      for (int d = 0; d < tree.dof_count; ++d) {
        // walking dof_parent from d visits all freedoms at or above it, and no others
        std::vector<int> visited, expected;
        for (int e = d; e >= 0; e = tree.dof_parent[e]) {
          ASSERT_LT(tree.dof_parent[e], e);
          visited.push_back(e);
        }
        for (BodyId b = body_of[d]; b.valid(); b = tree.links[b].parent) {
          const int first = tree.links[b].dof;
          const int last = b == body_of[d] ? d : first + dof_count(tree.links[b].kind) - 1;
          for (int e = last; e >= first; --e) expected.push_back(e);
        }
        EXPECT_EQ(visited, expected);
      }
    }
  }
}

TEST_F(TreeTest, PosesAndVelocitiesAreTheSameFromEveryRoot) {
  for (const JointKind kind : kSupports) {
    for (int from = 0; from < model->body_count; from += 5) {
      const Tree tree = make_tree(*model, BodyId(from), random_support(random, kind));
      const State state = random_state(random, *model, tree);
      for (int root = 0; root < model->body_count; ++root) {
        Support support = random_support(random, JointKind::kFree);
        const Tree other = make_tree(*model, BodyId(root), support);
        State same = state;
        const PoseTwist motion = body_motion(*model, tree, state, BodyId(root));
        set_root_motion(other, motion.X_WH, motion.V_H, same);
        for (int i = 0; i < model->body_count; ++i) {
          const PoseTwist a = body_motion(*model, tree, state, BodyId(i));
          const PoseTwist b = body_motion(*model, other, same, BodyId(i));
          EXPECT_LT(distance(a.X_WH, b.X_WH), kRounding);
          EXPECT_LT(distance(a.V_H, b.V_H), 10 * kRounding);  // a few units of speed
        }
      }
    }
  }
}

// A support that can do the motion takes it over as it is.
TEST_F(TreeTest, RootMotionGoesThroughEverySupport) {
  for (const JointKind kind : kSupports) {
    const Tree tree = make_tree(*model, BodyId(3), random_support(random, kind));
    const State state = random_state(random, *model, tree);
    const PoseTwist motion = body_motion(*model, tree, state, BodyId(3));
    State again = state;
    again.q.fill(0), again.v.fill(0);
    set_root_motion(tree, motion.X_WH, motion.V_H, again);
    const PoseTwist back = body_motion(*model, tree, again, BodyId(3));
    EXPECT_LT(distance(back.X_WH, motion.X_WH), kRounding) << to_string(kind);
    EXPECT_LT(distance(back.V_H, motion.V_H), kRounding) << to_string(kind);
    for (int d = dof_count(kind); d < kSupportDofs; ++d) EXPECT_EQ(again.v[d], 0);
  }
}

TEST_F(TreeTest, NeutralStateHasTheContactFrameOnItsPlace) {
  for (const JointKind kind : kSupports) {
    const Support support = random_support(random, kind);
    const Tree tree = make_tree(*model, BodyId(5), support);
    const State state = neutral_state(*model, tree);
    const Transform<double> X_WH = body_motion(*model, tree, state, BodyId(5)).X_WH;
    EXPECT_LT(distance(X_WH * support.X_HC, support.X_WA), kRounding);
    for (int d = 0; d < model->dof_count; ++d) EXPECT_EQ(state.v[d], 0);
  }
}

// reversed and restored are inverse to each other, and power is the same on both sides.
TEST_F(TreeTest, ReversedReadingOfAJointKeepsThePower) {
  const Transform<double> X = random_transform(random);
  const Motion<double> m = random_motion(random);
  const Force<double> f = random_force(random);
  EXPECT_LT(distance(restored_motion(X, reversed_motion(X, m)), m), 1e-14);
  EXPECT_LT(distance(restored_force(X, reversed_force(X, f)), f), 1e-14);
  EXPECT_NEAR(dot(reversed_force(X, f), reversed_motion(X, m)), dot(f, m), 1e-14);
}

}  // namespace
}  // namespace stance
