// The exchange of legs found from the robot is the one that we would write by hand.
#include "stance_gait/find_exchange.hpp"

#include <gtest/gtest.h>

#include <random>

#include "gait_walkers.hpp"

namespace stance {
namespace {

using namespace test;

void expect_same(const Walker& walker, int next) {
  const Model& model = *walker.model;
  const auto found = find_exchange(model, walker.settings, walker.foot, next);
  ASSERT_TRUE(found) << found.error().text();
  EXPECT_EQ(found->feet, walker.exchange.feet);
  std::mt19937_64 random(7);
  std::uniform_real_distribution<double> uniform(-1, 1);
  State state;
  for (double& q : state.q) q = uniform(random);
  for (double& v : state.v) v = uniform(random);
  const State a = exchanged(model, *found, state), b = exchanged(model, walker.exchange, state);
  // angles between spokes are found through an arc tangent: to rounding
  for (std::size_t i = 0; i < a.q.size(); ++i) EXPECT_NEAR(a.q[i], b.q[i], 1e-14) << i;
  for (std::size_t i = 0; i < a.v.size(); ++i) EXPECT_EQ(a.v[i], b.v[i]) << i;
}

TEST(FindExchange, IsWhatWeWouldWrite) {
  const auto compass_model = compass();
  expect_same(compass_walker(*compass_model, 0.05, 0.27, 1.1, 0.4), 1);
  const auto kneed_model = kneed_biped();
  expect_same(kneed_walker(*kneed_model), 1);
  const auto wheel_model = rimless_wheel(8);
  expect_same(wheel_walker(*wheel_model, 8, 0.1, 1), 1);
}

TEST(FindExchange, RefusesLegsThatAreNotAlike) {
  const auto model = compass();
  Walker walker = compass_walker(*model, 0.05, 0.27, 1.1, 0.4);
  auto lame = std::make_unique<Model>(*model);
  lame->bodies[1].I.h = lame->bodies[1].I.h * 1.01;  // more mass at the hip alone would be alike
  const auto found = find_exchange(*lame, walker.settings, 0, 1);
  ASSERT_FALSE(found);
  EXPECT_NE(found.error().text().find("its legs are not alike"), std::string::npos);
  walker.settings.foot_count = 3;
  walker.settings.feet[2] = walker.settings.feet[1];
  const auto three = find_exchange(*model, walker.settings, 0, 1);
  ASSERT_FALSE(three);
  EXPECT_NE(three.error().text().find("this robot has 3 feet on several bodies"),
            std::string::npos);
}

}  // namespace
}  // namespace stance
