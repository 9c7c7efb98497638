// What a run says against itself: nothing where all is well, and a sentence for each thing that is not.
#include "stance_report/doubts.hpp"

#include <gtest/gtest.h>

#include "support/walkers.hpp"

namespace stance {
namespace {

using namespace test;

std::vector<std::string> doubts_of(Walk& walk, double duration,
                                   const std::vector<Wrench>& pushes = {}) {
  Doubts doubts(*walk.model, walk.settings);
  std::vector<Force<double>> forces(static_cast<std::size_t>(walk.model->body_count));
  for (;;) {
    doubts.observe(*walk.simulator);
    const State& state = walk.simulator->state();
    if (state.time > duration || walk.simulator->fallen()) break;
    const bool pushed = wrench_forces(*walk.model, walk.simulator->tree(), state, pushes,
                                      state.time, walk.settings.step, forces);
    const std::span<const Force<double>> none;
    if (walk.simulator->step({}, pushed ? forces : none) != Status::kOk) break;
  }
  return doubts.sentences();
}

TEST(Doubts, HasNoneWhereAllIsWell) {
  for (const auto& make : {+[] { return compass_walk(); }, +[] { return kneed_walker(); },
                           +[] { return powered_compass(); }, +[] { return rimless_wheel(); }}) {
    Walk walk = make();
    const auto doubts = doubts_of(walk, 10);
    EXPECT_TRUE(doubts.empty()) << doubts.front();
  }
}

TEST(Doubts, TellsEnergyFromNowhere) {
  Walk walk = compass_walk();
  walk.settings.integrator.method = Method::kSemiImplicitEuler;
  walk.settings.step = 0.05;
  restart(walk);
  const auto doubts = doubts_of(walk, 5);
  ASSERT_EQ(doubts.size(), 1u);
  EXPECT_NE(doubts[0].find("that no effort, push, friction, damping or impact explains"),
            std::string::npos);
  EXPECT_NE(doubts[0].find("the step of 0.05 s is too long for this robot"), std::string::npos);
}

TEST(Doubts, CountsDampingAndPushes) {
  Walk walk = compass_walk();
  for (int k = kSupportDofs; k < walk.model->dof_count; ++k) walk.model->damping[k] = 0.5;
  Wrench push;
  push.frame = find_frame(*walk.model, "hip");
  push.force_W = {20, 0, 0};
  push.start = 0.2, push.duration = 0.1;
  const auto doubts = doubts_of(walk, 1, {push});
  EXPECT_TRUE(doubts.empty()) << doubts.front();
}

TEST(Doubts, TellsAJointBeyondItsLimitOnce) {
  Walk walk = compass_walk();
  Joint& hip = walk.model->joints[1];
  hip.limits = {-0.2, 0.2};
  const auto doubts = doubts_of(walk, 3);
  ASSERT_EQ(doubts.size(), 2u);  // one for each side
  const std::string begin = "joint '" + std::string(hip.name.view()) + "' passed its limit of ";
  EXPECT_EQ(doubts[0].substr(0, begin.size()), begin);
  EXPECT_NE(doubts[0].find("limits hold only where the scenario has stops"), std::string::npos);
  // a stop is asked to hold it: then it is the simulator's to do so
  walk = compass_walk();
  walk.model->joints[1].limits = {-0.2, 0.2};
  walk.settings.stop_count = 2;
  walk.settings.stops[0] = {JointId(1), true, -1};
  walk.settings.stops[1] = {JointId(1), false, -1};
  EXPECT_TRUE(doubts_of(walk, 3).empty());
}

}  // namespace
}  // namespace stance
