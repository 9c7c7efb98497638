// Branches of gaits: folds are gone through, changes of stability are where they are known to be, and a branch is not left
// for another.
#include "stance_gait/follow.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "gait_walkers.hpp"
#include "stance_gait/find_gait.hpp"
#include "stance_gait/multipliers.hpp"

namespace stance {
namespace {

using namespace test;

Result<FamilyMember> member_of(const Walker& walker) {
  auto map = StepMap::make(walker);
  if (!map) return map.error();
  return FamilyMember{nullptr, std::make_shared<const StepMap>(*std::move(map))};
}

const BranchPoint* event_of(const Branch& branch, BranchEvent event) {
  const auto found = std::find_if(branch.points.begin(), branch.points.end(),
                                  [&](const BranchPoint& p) { return p.event == event; });
  return found == branch.points.end() ? nullptr : &*found;
}

// Slopes of the period doublings of two walkers by closed-form equations of motion and derivatives through events, from
// outside of this project; the second gives the cascade's second as well.
TEST(Follow, CompassDoublesItsPeriodWhereItIsKnownTo) {
  const auto model = compass();
  const Family family = [&](double slope) {
    Walker walker = compass_walker(*model, 0.0524, 0.27, 1.09, 0.38);
    walker.settings.ground = sloped_ground(slope);
    return member_of(walker);
  };
  const auto base = family(0.0524);
  ASSERT_TRUE(base);
  const auto gait = find_gait(*base->map);
  ASSERT_TRUE(gait);
  FollowSettings settings;
  settings.from = 0.04, settings.to = 0.08;
  settings.cascade = 1;
  const auto branches = follow(family, 0.0524, gait->gait.x, settings);
  ASSERT_TRUE(branches) << branches.error().text();
  ASSERT_EQ(branches->size(), 2u);
  const Branch& branch = branches->front();
  const BranchPoint* doubling = event_of(branch, BranchEvent::kDoubling);
  ASSERT_NE(doubling, nullptr);
  EXPECT_NEAR(doubling->parameter, 0.07663563157561405, 1e-8);
  EXPECT_EQ(event_of(branch, BranchEvent::kFold), nullptr);
  EXPECT_EQ(event_of(branch, BranchEvent::kNeimarkSacker), nullptr);
  for (const BranchPoint& p : branch.points) {  // a steady gait loses what the slope gives
    EXPECT_NEAR(p.gait.step.energy_lost, 4 * 9.81 * std::sin(p.parameter) * p.gait.step.length,
                1e-8);
    if (p.event != BranchEvent::kNone) continue;
    EXPECT_EQ(std::abs(p.gait.multipliers[0]) < 1, p.parameter < doubling->parameter)
        << p.parameter;
  }
  EXPECT_NEAR(branch.points.front().parameter, 0.04, 1e-12);
  EXPECT_NEAR(branch.points.back().parameter, 0.08, 1e-12);
  const Branch& limp = branches->back();
  EXPECT_EQ(limp.steps, 2);
  EXPECT_EQ(limp.parent, 0);
  for (const BranchPoint& p : limp.points) EXPECT_GT(p.parameter, doubling->parameter);
  EXPECT_NEAR(limp.points.back().parameter, 0.08, 1e-12);
}

TEST(Follow, SimplestWalkerHasItsCascade) {
  const auto model = compass(1e4, 1e-8, 1, 1);
  const Family family = [&](double slope) {
    Walker walker = compass_walker(*model, 0.012, 0.22, 0.217, 0.2);
    walker.settings.step = 1e-2;
    walker.settings.ground = sloped_ground(slope);
    return member_of(walker);
  };
  const auto base = family(0.014);
  const auto gait = find_gait(*base->map);
  ASSERT_TRUE(gait) << gait.error().text();
  FollowSettings settings;
  settings.from = 0.013, settings.to = 0.018;
  settings.cascade = 1;
  const auto branches = follow(family, 0.014, gait->gait.x, settings);
  ASSERT_TRUE(branches) << branches.error().text();
  ASSERT_EQ(branches->size(), 2u);
  for (const auto& [k, slope] :
       {std::pair{0, 0.015088437941115728}, std::pair{1, 0.01766937486246165}}) {
    const BranchPoint* doubling = event_of((*branches)[static_cast<std::size_t>(k)],
                                           BranchEvent::kDoubling);
    ASSERT_NE(doubling, nullptr) << k;
    EXPECT_NEAR(doubling->parameter, slope, 1e-8) << k;
  }
}

// A hip with damping walks no more beyond some of it: the stable gait meets an unstable one in a fold, and the branch goes
// round it, back to where there is none.
TEST(Follow, GoesRoundAFold) {
  const auto model = compass();
  const Family family = [&](double damping) {
    auto damped = std::make_shared<Model>(*model);
    damped->joints[1].damping = damping;
    derive(*damped);
    auto member = member_of(compass_walker(*damped, 0.0524, 0.27, 1.09, 0.38));
    if (member) member->keeps = damped;
    return member;
  };
  const auto base = family(0);
  ASSERT_TRUE(base);
  const auto gait = find_gait(*base->map);
  ASSERT_TRUE(gait) << gait.error().text();
  FollowSettings settings;
  settings.from = 0, settings.to = 1;
  const auto branches = follow(family, 0, gait->gait.x, settings);
  ASSERT_TRUE(branches) << branches.error().text();
  ASSERT_EQ(branches->size(), 1u);
  const Branch& branch = branches->front();
  const BranchPoint* fold = event_of(branch, BranchEvent::kFold);
  ASSERT_NE(fold, nullptr);
  EXPECT_EQ(event_of(branch, BranchEvent::kDoubling), nullptr);
  EXPECT_NEAR(std::abs(fold->gait.multipliers[0] - 1.0), 0, 1e-4);
  const auto here = static_cast<std::size_t>(fold - branch.points.data());
  int before = 0, after = 0;
  for (std::size_t k = 0; k < branch.points.size(); ++k) {
    const BranchPoint& p = branch.points[k];
    if (k == here) continue;
    EXPECT_LT(p.parameter, fold->parameter);
    const bool stable = std::abs(p.gait.multipliers[0]) < 1;
    EXPECT_EQ(stable, k < here) << k;
    ++(k < here ? before : after);
  }
  EXPECT_GT(before, 2);
  EXPECT_GT(after, 2);
}

}  // namespace
}  // namespace stance
