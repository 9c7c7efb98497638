// The passive compass walker of the first paper.
#include <gtest/gtest.h>

#include "stance_core/hybrid/simulator.hpp"
#include "support/walkers.hpp"

namespace stance {
namespace {

using namespace test;

TEST(Compass, WalksFromThePapersState) {
  const auto model = compass();
  auto simulator = std::make_unique<Simulator>(*model, compass_settings(*model, 0.0524));
  // Table 1, the state just before heel strike, in our signs (the paper counts backwards as positive)
  start_compass(*simulator, 0.3236, 1.4939, -0.5424, 0.3117);
  ASSERT_EQ(simulator->strike(1), Status::kOk);
  ContactEvent last, event;
  double period = 0, length = 0;
  int steps = 0;
  while (steps < 60) {
    ASSERT_EQ(simulator->step({}), Status::kOk);
    ASSERT_FALSE(simulator->fallen());
    while (simulator->events().pop(event)) {
      if (event.kind != EventKind::kTouchdown) continue;
      period = event.time - last.time;
      length = norm(event.point_W - last.point_W);
      last = event;
      ++steps;
    }
  }
  // ../shared/reference/README.md, an independent solution with closed-form equations, to its printed digits
  EXPECT_NEAR(period, 0.7344, 5e-5);
  EXPECT_NEAR(length, 0.5356, 5e-5);
  EXPECT_NEAR(last.energy_lost, 1.1007, 5e-5);
}

}  // namespace
}  // namespace stance
