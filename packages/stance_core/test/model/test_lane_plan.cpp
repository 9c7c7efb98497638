// Which limbs share lanes, on robots whose limbs one can count, and what must hold of every plan.
#include "stance_core/model/lane_plan.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "support/limbed_robot.hpp"
#include "support/random_case.hpp"

namespace stance {
namespace {

using namespace test;

std::vector<int> lengths(const LanePlan& plan, int group) {
  std::vector<int> out;
  for (const int length : plan.groups[group].length) {
    if (length > 0) out.push_back(length);
  }
  return out;
}

TEST(LanePlan, PutsTheFourLegsOfAQuadrupedIntoFourLanes) {
  const auto model = limbed_robot({{"", 3}, {"", 3}, {"", 3}, {"", 3}});
  ASSERT_EQ(model->lanes.group_count, 1);
  EXPECT_EQ(model->lanes.pack_count, 3);
  EXPECT_EQ(lengths(model->lanes, 0), std::vector({3, 3, 3, 3}));
  const Tree tree = make_tree(*model);
  EXPECT_EQ(tree.lanes.trunk_count, 1);
  EXPECT_EQ(tree.lanes.active[0], 0b1111);
}

// A humanoid: arms hang on a trunk of two joints, the head is alone and not worth a group.
TEST(LanePlan, GroupsArmsWithLegsAndLeavesTheHeadToTheTrunk) {
  const auto model = limbed_robot(
      {{"", 6}, {"", 6}, {"", 2}, {"limb2_2", 7}, {"limb2_2", 7}, {"limb2_2", 2}});
  EXPECT_EQ(lengths(model->lanes, 0), std::vector({7, 7, 6, 6}));
  const Tree tree = make_tree(*model);
  EXPECT_EQ(tree.lanes.group_count, 1);
  EXPECT_EQ(tree.lanes.trunk_count, 1 + 2 + 2);
}

// The leg that carries the root leaves its lane to the head.
TEST(LanePlan, LendsTheLaneOfTheSupportingLegToTheHead) {
  const auto model = limbed_robot(
      {{"", 6}, {"", 6}, {"", 2}, {"limb2_2", 7}, {"limb2_2", 7}, {"limb2_2", 2}});
  const BodyId foot = model->frames[find_frame(*model, "limb1_6")].body;
  const Tree tree = make_tree(*model, foot);
  ASSERT_EQ(tree.lanes.group_count, 1);
  EXPECT_EQ(tree.lanes.active[0], 0b1111);
  EXPECT_EQ(tree.lanes.trunk_count, 6 + 1 + 2);
  // limbs hang on the base and on the end of the trunk; the leg is a chain
  EXPECT_EQ(std::count(tree.lanes.branches.begin(), tree.lanes.branches.end(), true), 2);
  EXPECT_TRUE(tree.lanes.branches[0]);
  EXPECT_TRUE(tree.lanes.branches[model->frames[find_frame(*model, "limb2_2")].body]);
  EXPECT_EQ(std::count(tree.lanes.groups[0].length.begin(), tree.lanes.groups[0].length.end(), 2),
            1);
}

// Fingers are limbs of limbs: they come first on the way in. Legs wait for the arms.
TEST(LanePlan, TakesFingersBeforeArms) {
  const auto model = limbed_robot({{"", 6},
                                   {"", 6},
                                   {"", 7},
                                   {"", 7},
                                   {"limb2_7", 2},
                                   {"limb2_7", 2},
                                   {"limb3_7", 2},
                                   {"limb3_7", 2}});
  ASSERT_EQ(model->lanes.group_count, 2);
  EXPECT_EQ(lengths(model->lanes, 0), std::vector({2, 2, 2, 2}));
  EXPECT_EQ(lengths(model->lanes, 1), std::vector({7, 7, 6, 6}));
  EXPECT_EQ(make_tree(*model).lanes.trunk_count, 1);
}

// A file that begins at a foot has the same limbs.
TEST(LanePlan, DoesNotCareWhereTheFileBegins) {
  const auto model = limbed_robot({{"", 3}, {"limb0_3", 3}, {"limb0_3", 3}, {"limb0_3", 3}});
  ASSERT_EQ(model->lanes.group_count, 1);
  EXPECT_EQ(lengths(model->lanes, 0), std::vector({3, 3, 3, 3}));
  // rooted at the foot, the leg it stands on is part of the trunk
  const Tree tree = make_tree(*model);
  EXPECT_EQ(tree.lanes.trunk_count, 4);
  EXPECT_EQ(std::popcount(unsigned{tree.lanes.active[0]}), 3);
}

TEST(LanePlan, LeavesTwoLegsOfDifferentLengthOrALonelyOneToTheTrunk) {
  const auto walker = limbed_robot({{"", 3}});
  EXPECT_EQ(make_tree(*walker).lanes.group_count, 0);
  EXPECT_EQ(walker->lanes.group_count, 0);  // decided at load, not at each switch of the root
  const auto uneven = limbed_robot({{"", 8}, {"", 1}});
  EXPECT_EQ(make_tree(*uneven).lanes.group_count, 0);
}

// Of every plan and root: each body is in the trunk or in one lane; parents of the trunk are in the trunk; what hangs
// on a limb comes before it on the way in; the constants are the tree's.
TEST(LanePlan, HoldsTogetherForRandomTreesAndAnyRoot) {
  Random random(71);
  int in_lanes_count = 0;
  for (int trial = 0; trial < 300; ++trial) {
    const RobotKind kind{.bodies = 2 + pick(random, 60),
                         .only_revolute = trial % 3 != 0,
                         .branching = uniform(random, 0, 1)};
    const Case c = random_case(random, kind, JointKind::kFree);
    const Tree& tree = *c.tree;
    const LanePlan& plan = c.model->lanes;
    if (plan.group_count == 0) continue;
    std::vector<int> place(kMaxBodies, -2);  // of a group in the walk, -1 for the trunk
    for (int k = 0; k < tree.lanes.trunk_count; ++k) {
      const BodyId body = tree.lanes.trunk[k];
      EXPECT_EQ(place[body], -2);
      place[body] = -1;
      const BodyId parent = tree.links[body].parent;
      EXPECT_TRUE(!parent.valid() || place[parent] == -1);
    }
    for (int g = 0; g < tree.lanes.group_count; ++g) {
      const LimbGroup& group = tree.lanes.groups[g];
      for (int lane = 0; lane < kLimbLanes; ++lane) {
        if ((tree.lanes.active[g] >> lane & 1) == 0) continue;
        BodyId parent = group.parent[lane];
        EXPECT_EQ(place[parent] >= 0, false) << "a limb after the one it hangs on";
        for (int k = 0; k < group.length[lane]; ++k) {
          const LimbPack& pack = plan.packs[group.first_pack + k];
          const BodyId body = pack.body[lane];
          ASSERT_TRUE(body.valid());
          EXPECT_EQ(place[body], -2);
          place[body] = g;
          ++in_lanes_count;
          const Link& link = tree.links[body];
          EXPECT_EQ(link.parent, parent);
          EXPECT_EQ(get_lane(lane, k == 0 ? tree.lanes.X_T[g] : pack.X_T), link.X_T);
          EXPECT_EQ(get_lane(lane, pack.I), link.I);
          EXPECT_EQ(pack.sign[lane], link.sign);
          EXPECT_EQ(pack.armature[lane], link.armature);
          EXPECT_EQ(pack.q_index[lane], link.q_index);
          EXPECT_EQ(pack.v_index[lane], link.v_index);
          parent = body;
        }
      }
    }
    for (int i = 0; i < tree.body_count; ++i) EXPECT_NE(place[i], -2);
  }
  EXPECT_GT(in_lanes_count, 2000);  // the test tests something
}

}  // namespace
}  // namespace stance
