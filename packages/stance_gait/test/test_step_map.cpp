// The step map as a map: coordinates, composition, relabelling, and what it refuses.
#include "stance_gait/step_map.hpp"

#include <gtest/gtest.h>

#include "gait_walkers.hpp"
#include "stance_gait/find_gait.hpp"

namespace stance {
namespace {

using namespace test;

Walker table_1(const Model& model) { return compass_walker(model, 0.0524, 0.27, 1.09, 0.38); }

TEST(StepMap, CoordinatesAndStatesAreInverse) {
  const auto model = compass();
  const Result<StepMap> map = StepMap::make(table_1(*model));
  ASSERT_TRUE(map);
  ASSERT_EQ(map->dimension(), 4);
  const Eigen::Vector4d x(-0.2, 0.5, 1.1, -0.7);
  const State state = map->state(x);
  EXPECT_EQ(state.q[0], x[0]);
  EXPECT_EQ(state.q[kSupportCoordinates], x[1]);
  EXPECT_EQ(state.v[0], x[2]);
  EXPECT_EQ(state.v[kSupportDofs], x[3]);
  EXPECT_EQ(map->coordinates(state), x);
}

// A walk on both legs, without the map, is the map's: relabelling stands for going on on the other leg.
TEST(StepMap, StepsAreThoseOfAWalk) {
  const auto model = compass();
  const Walker walker = table_1(*model);
  const Result<StepMap> map = StepMap::make(walker);
  const Eigen::VectorXd x = map->coordinates(walker.start);
  const Result<GaitStep> three = map->walk(x, 3);
  ASSERT_TRUE(three);
  auto simulator = std::make_unique<Simulator>(*model, walker.settings);
  simulator->start_on_foot(0, {}, walker.start, walker.start.q.data(), walker.start.v.data());
  std::vector<double> times;
  Vec3<double> last;
  double lost = 0;
  while (times.size() < 3) {
    ASSERT_EQ(simulator->step_to_event({}), Status::kOk);
    ContactEvent event;
    while (simulator->events().pop(event)) {
      lost += event.energy_lost;
      if (event.kind == EventKind::kTouchdown) times.push_back(event.time), last = event.point_W;
    }
  }
  ASSERT_EQ(three->periods.size(), 3u);
  EXPECT_NEAR(three->periods[0], times[0], 1e-11);  // integrations at 1e-13
  EXPECT_NEAR(three->periods[1], times[1] - times[0], 1e-11);
  EXPECT_NEAR(three->period, times[2], 1e-11);
  EXPECT_NEAR(three->length, norm(last), 1e-11);
  EXPECT_NEAR(three->energy_lost, lost, 1e-11);
  // an odd number of steps ends on the other leg
  EXPECT_EQ(simulator->support_foot(), 1);
  EXPECT_NEAR(three->x[0], simulator->state().q[0], 1e-11);
  EXPECT_NEAR(three->x[1], -simulator->state().q[kSupportCoordinates], 1e-11);
}

// From the other foot the same step begins with the mirrored state and gives the mirrored state.
TEST(StepMap, IsTheSameFromTheOtherFoot) {
  const auto model = compass();
  Walker walker = table_1(*model);
  const Result<GaitStep> left = StepMap::make(walker)->walk(
      StepMap::make(walker)->coordinates(walker.start));
  walker.foot = 1;
  walker.start.q[kSupportCoordinates] *= -1;
  walker.start.v[kSupportDofs] *= -1;
  const Result<GaitStep> right = StepMap::make(walker)->walk(
      StepMap::make(walker)->coordinates(walker.start));
  ASSERT_TRUE(left && right);
  EXPECT_NEAR(left->x[0], right->x[0], 1e-11);
  EXPECT_NEAR(left->x[1], -right->x[1], 1e-11);
  EXPECT_NEAR(left->x[2], right->x[2], 1e-11);
  EXPECT_NEAR(left->x[3], -right->x[3], 1e-11);
}

// A foot that rolls carries its contact forward while it stands. What the slope gives over the way from contact to contact is
// what a gait loses.
TEST(StepMap, StepsOfRollingFeetCountWhatTheyRoll) {
  const auto model = compass();
  const double slope = 0.03;
  Walker walker = compass_walker(*model, slope, 0.25, 1.0, 0.5);
  for (int i = 0; i < 2; ++i) {
    walker.settings.feet[static_cast<std::size_t>(i)].support = JointKind::kRoll;
    walker.settings.feet[static_cast<std::size_t>(i)].radius = 0.15;
  }
  const Result<StepMap> map = StepMap::make(walker);
  ASSERT_TRUE(map) << map.error().text();
  const auto found = find_gait(*map);
  ASSERT_TRUE(found) << found.error().text();
  const GaitStep& step = found->gait.step;
  EXPECT_GT(step.length, 0.1);
  EXPECT_NEAR(step.energy_lost, 4 * 9.81 * std::sin(slope) * step.length, 1e-9);
  // between the centres of the arcs the way is shorter than between the contacts by what the arc rolls
  const double angles = 2 * std::abs(map->walker().start.q[0] - slope);
  EXPECT_GT(angles, 0);
}

// What a walk needs and costs: on level ground nothing but the push-off brings energy in, half its square over the mass that
// it moves, and a passive walker's cost is the sine of the slope.
TEST(StepMap, CostsWhatComesIn) {
  const auto model = compass();
  const double slope = 0.0524;
  const Result<StepMap> map = StepMap::make(table_1(*model));
  const auto gait = find_gait(*map);
  ASSERT_TRUE(gait);
  WalkNeeds needs;
  ASSERT_TRUE(map->walk(gait->gait.x, 1, &needs));
  EXPECT_NEAR(needs.gravity_work / (4 * 9.81 * gait->gait.step.length), std::sin(slope), 1e-10);
  EXPECT_EQ(needs.work, 0);
  EXPECT_GT(needs.least_normal, 0);
  EXPECT_LT(needs.least_normal, 4 * 9.81);
  EXPECT_GT(needs.most_friction, 0);
}

TEST(StepMap, WalksTheSameWayTwice) {
  const auto model = kneed_biped();
  const Result<StepMap> map = StepMap::make(kneed_walker(*model));
  const Eigen::VectorXd x = map->coordinates(map->walker().start);
  const Result<GaitStep> a = map->walk(x), b = map->walk(x);
  ASSERT_TRUE(a && b);
  EXPECT_EQ(a->x, b->x);  // bit for bit: nothing is left over from the run before
  EXPECT_EQ(a->period, b->period);
}

void expect_error(const Error& error, const std::string& words) {
  EXPECT_NE(error.text().find(words), std::string::npos) << error.text();
}

TEST(StepMap, RefusesByName) {
  const auto model = compass();
  const Walker sound = table_1(*model);
  Walker walker = sound;
  walker.foot = 2;
  expect_error(StepMap::make(walker).error(), "starts on a foot");
  walker = sound;
  walker.exchange.feet = {1};
  expect_error(StepMap::make(walker).error(), "one foot for each foot");
  walker = sound;
  walker.exchange.feet = {1, 7};
  expect_error(StepMap::make(walker).error(), "names a foot");
  walker = sound;
  walker.exchange.joints[0].from = JointId(9);
  expect_error(StepMap::make(walker).error(), "names a joint");
  walker = sound;
  walker.settings.feet[1].support = JointKind::kFree;  // a sphere
  expect_error(StepMap::make(walker).error(), "foot 'right_foot'");
}

TEST(StepMap, SaysWhyThereIsNoStep) {
  const auto model = compass();
  const auto reason = [&](const Walker& walker) {
    const Result<StepMap> map = StepMap::make(walker);
    const Result<GaitStep> step = map->walk(map->coordinates(walker.start));
    return step ? std::string("none") : step.error().text();
  };
  EXPECT_EQ(reason(table_1(*model)), "none");
  Walker walker = compass_walker(*model, 0.0524, 0.3, 0.1, 0);
  EXPECT_NE(reason(walker).find("fell after"), std::string::npos) << reason(walker);
  walker = table_1(*model);
  walker.exchange.feet = {0, 1};
  EXPECT_NE(reason(walker).find("the exchange says foot 'left_foot'"), std::string::npos);
  walker = table_1(*model);
  walker.time_limit = 0.1;
  EXPECT_NE(reason(walker).find("no foot touched down"), std::string::npos);
  walker = table_1(*model);
  walker.tau[kSupportDofs] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_NE(reason(walker).find("not finite"), std::string::npos);
  const auto kneed = kneed_biped();
  walker = kneed_walker(*kneed);
  walker.exchange.joints.resize(2);  // the knees are forgotten
  EXPECT_NE(reason(walker).find("knee' is locked at one end"), std::string::npos) << reason(walker);
}

}  // namespace
}  // namespace stance
