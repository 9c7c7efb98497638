#include "stance_core/plant/standing.hpp"

#include <gtest/gtest.h>

#include "support/plants.hpp"

namespace stance {
namespace {

using namespace test;

// A table of 10 kg on four legs of 0.5 m, with friction under its feet.
struct Table {
  std::unique_ptr<Model> model;
  SimulatorSettings settings;
  PlantSettings plant;

  Table() {
    Description robot;
    robot.name = "table";
    robot.links = {link("top", 10, {0, 0, 0}, {0.3, 0.4, 0.6})};
    for (int k = 0; k < 4; ++k) {
      const std::string foot = "foot" + std::to_string(k);
      robot.links.push_back({foot, std::nullopt});
      robot.joints.push_back(joint("leg" + std::to_string(k), JointType::kFixed, "top", foot,
                                   {k % 2 == 0 ? 0.3 : -0.3, k < 2 ? 0.2 : -0.2, -0.5}));
    }
    model = std::make_unique<Model>(*build_model(robot));
    settings.foot_count = 4;
    for (int k = 0; k < 4; ++k) {
      Foot& foot = settings.feet[k];
      foot = {find_frame(*model, "foot" + std::to_string(k)), JointKind::kBall, 0, false};
      foot.material.mu_static = foot.material.mu_kinetic = 0.5;
    }
    plant.keyframes = {hung("low", 0.5), hung("high", 0.6)};
  }
  Keyframe hung(const char* name, double height) const {
    const auto simulator = std::make_unique<Simulator>(*model, settings);
    State state = neutral_state(*model, simulator->tree());
    Tree tree = make_tree(*model);
    Transform<double> X_WH;
    X_WH.p = {0, 0, height};
    set_root_motion(tree, X_WH, {}, state);
    simulator->start_in_flight(state);
    EXPECT_EQ(simulator->step({}), Status::kOk);  // feet that touch have landed
    return {name, simulator->save()};
  }
  std::unique_ptr<LockStep> lock_step() const {
    return std::make_unique<LockStep>(make_plant(*model, settings, plant), 4);
  }
};

void follow(LockStep& lock_step, StandingWatch& watch) {
  for (StampedEvent event; lock_step.pop(event);) (void)watch.follow(event);
}
bool report(LockStep& lock_step, StandingWatch& watch) {
  lock_step.want_report();
  EXPECT_EQ(lock_step.cycle(), Status::kOk);
  EXPECT_TRUE(lock_step.update_report());
  return watch.follow(lock_step.report());
}
void expect_true(const LockStep& lock_step, const StandingWatch& watch) {
  const Simulator& simulator = lock_step.plant().simulator();
  int count = 0;
  for (int i = 0; i < simulator.settings().foot_count; ++i) {
    const ContactMode mode = simulator.foot_mode(i);
    EXPECT_EQ(watch.standing().feet[i].stands, mode != ContactMode::kOpen) << i;
    EXPECT_EQ(watch.standing().feet[i].slides, mode == ContactMode::kSlide) << i;
    count += mode != ContactMode::kOpen;
  }
  EXPECT_EQ(watch.standing().count, count);
  EXPECT_EQ(watch.standing().root, simulator.support_foot());
}

// Events alone tell who stands, cycle by cycle, in a walk.
TEST(StandingWatch, FollowsAWalk) {
  const auto model = compass();
  const SimulatorSettings settings = compass_settings(*model, 0.0524);
  PlantSettings plant;
  plant.keyframes = {walking_compass(*model, settings)};
  const auto lock_step = std::make_unique<LockStep>(make_plant(*model, settings, plant), 1);
  lock_step->run(0);
  StandingWatch watch(settings);
  EXPECT_TRUE(report(*lock_step, watch)) << "a robot that begins on its foot has no event to tell";
  for (int k = 0; k < 5000; ++k) {
    expect_true(*lock_step, watch);
    EXPECT_EQ(watch.standing().count, 1);
    ASSERT_EQ(lock_step->cycle(), Status::kOk);
    follow(*lock_step, watch);
  }
  EXPECT_GE(watch.standing().touchdowns, 6U);
  EXPECT_FALSE(report(*lock_step, watch)) << "the report knows no more than the events";
}

// Four feet at once, landing, sliding and coming to rest; and a reset into a state that has no events.
TEST(StandingWatch, FollowsFourFeet) {
  const Table table;
  const auto lock_step = table.lock_step();
  lock_step->run(0);
  StandingWatch watch(table.settings);
  EXPECT_TRUE(report(*lock_step, watch));
  expect_true(*lock_step, watch);
  EXPECT_EQ(watch.standing().count, 4);
  EXPECT_EQ(watch.standing().touchdowns, 0U);
  for (int k = 0; k < 4; ++k) {
    EXPECT_LT(norm(watch.standing().feet[k].point_W -
                   Vec3<double>(k % 2 == 0 ? 0.3 : -0.3, k < 2 ? 0.2 : -0.2, 0)),
              1e-9);
  }

  Request reset;
  reset.kind = RequestKind::kReset;
  reset.keyframe = 1;
  ASSERT_TRUE(lock_step->ask(reset));
  EXPECT_TRUE(report(*lock_step, watch));
  EXPECT_EQ(watch.standing().count, 0);
  EXPECT_EQ(watch.standing().root, -1);

  Wrench push;  // along x, from the side
  push.frame = find_frame(*table.model, "top");
  push.point_F = {0, 0, -0.5};
  push.force_W = {70, 0, 0};
  push.start = 0.5, push.duration = 0.1;
  ASSERT_EQ(lock_step->plant().push(push), Status::kOk);
  bool slid = false;
  for (int k = 0; k < 250; ++k) {
    ASSERT_EQ(lock_step->cycle(), Status::kOk);
    follow(*lock_step, watch);
    expect_true(*lock_step, watch);
    slid = slid || watch.standing().feet[0].slides;
  }
  EXPECT_TRUE(slid);
  EXPECT_EQ(watch.standing().count, 4);
  EXPECT_EQ(watch.standing().touchdowns, 4U);
  EXPECT_FALSE(watch.standing().feet[0].slides);
  // landed after a fall of 0.1 m less what the keyframe's step had of it
  EXPECT_NEAR(1e-9 * static_cast<double>(watch.standing().feet[3].since), 0.004 + 0.1428, 2e-3);
}

// A report that has not seen what the events told is of no use, and neither is one that has seen more.
TEST(StandingWatch, LeavesReportsOfOtherInstants) {
  const Table table;
  const auto lock_step = table.lock_step();
  lock_step->run(0);
  StandingWatch watch(table.settings);
  Report stale;
  stale.events = 1;
  EXPECT_FALSE(watch.follow(stale));
  StampedEvent event;
  event.event.kind = EventKind::kTouchdown;
  event.event.frame = event.event.root = table.settings.feet[2].frame;
  event.event.mode = ContactMode::kStick;
  EXPECT_TRUE(watch.follow(event));
  stale.events = 0;
  EXPECT_FALSE(watch.follow(stale));
  EXPECT_EQ(watch.standing().count, 1);
  EXPECT_EQ(watch.standing().root, 2);
}

}  // namespace
}  // namespace stance
