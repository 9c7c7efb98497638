// hybrid/worst_case: the bound in closed form, and never exceeded, even by settings made to get near it.
#include "stance_core/hybrid/worst_case.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "support/wheel_and_knees.hpp"

namespace stance {
namespace {

using namespace test;

bool within(const StepWork& work, const StepWork& bound) {
  return work.integrations <= bound.integrations && work.looks <= bound.looks &&
         work.impacts <= bound.impacts;
}

TEST(WorstCase, MultipliesTheBounds) {
  const auto model = compass();
  SimulatorSettings settings = compass_settings(*model, 0.05);
  settings.step = 1e-3, settings.event_tolerance = 1e-12;
  ASSERT_EQ(settings.foot_count + settings.stop_count + settings.fall_count, 3);
  WorstCase worst = worst_case(settings);
  EXPECT_EQ(worst.guards, 5);     // pressure and cone of two feet, the height of the hip
  EXPECT_EQ(worst.locator, 120);  // 2^30 is the first power of two above 1e9
  EXPECT_EQ(forward_dynamics(worst.quiet, settings.integrator), 4 + 1);
  EXPECT_EQ(forward_dynamics(worst.one_event, settings.integrator), 4 * 123 + 124 + 2);
  EXPECT_EQ(forward_dynamics(worst.everything, settings.integrator),
            33 * (4 * 122 + 123) + 5 * 128 + 4 * 128 + 1 + 32 * 2 + 2);

  settings.push_off.towards = FrameId(0);  // the controller may ask for one later
  settings.integrator.method = Method::kSemiImplicitEuler;
  worst = worst_case(settings);
  EXPECT_EQ(forward_dynamics(worst.one_event, settings.integrator), 123 + 124 + 3);
  settings.integrator.method = Method::kDormandPrince;
  settings.integrator.max_substeps = 10;
  EXPECT_EQ(forward_dynamics(worst.quiet, settings.integrator), 70 + 1);

  settings.foot_count = settings.fall_count = 0;  // nothing can happen
  worst = worst_case(settings);
  EXPECT_EQ(forward_dynamics(worst.everything, settings.integrator), 70 + 1);
}

TEST(WorstCase, LocatorBound) {
  EXPECT_EQ(locator_bound(1e-3, 1e-12), 120);
  EXPECT_EQ(locator_bound(1, 0.5), 4);
  EXPECT_EQ(locator_bound(1e-3, 1e-3), 0);
  EXPECT_EQ(locator_bound(10, 1e-300), kLocatorLimit);
}

// Walks, and returns the largest work of a step. Steps without an event are quiet.
StepWork walk(Simulator& simulator, int steps, Status& status) {
  const WorstCase worst = worst_case(simulator.settings());
  StepWork most;
  ContactEvent event;
  for (int k = 0; k < steps && status == Status::kOk && !simulator.fallen(); ++k) {
    status = simulator.step({});
    const StepWork& work = simulator.work();
    EXPECT_TRUE(within(work, worst.everything)) << work.integrations << " " << work.impacts;
    const bool happened = simulator.events().size() > 0 || status != Status::kOk;
    if (!happened) {
      EXPECT_EQ(work.integrations, worst.quiet.integrations);
      EXPECT_EQ(work.impacts, 0);
    }
    while (simulator.events().pop(event)) {
    }
    most.integrations = std::max(most.integrations, work.integrations);
    most.impacts = std::max(most.impacts, work.impacts);
  }
  return most;
}

TEST(WorstCase, AWalkersStepsStayFarBelow) {
  const auto model = kneed_biped();
  const SimulatorSettings settings = kneed_settings(*model);
  const auto simulator = std::make_unique<Simulator>(*model, settings);
  start_kneed(*simulator, -0.1945, 1.1084, 0.2953, 0.1469);
  Status status = Status::kOk;
  const StepWork most = walk(*simulator, 5000, status);
  EXPECT_EQ(status, Status::kOk);
  EXPECT_TRUE(within(most, worst_case(settings).one_event)) << most.integrations;
  EXPECT_GE(most.integrations, 5);  // events were located
  EXPECT_LE(most.integrations, 20);
  EXPECT_LE(most.impacts, 3);  // an impact, modes, and modes once more as a knee lets go
}

// Steps of seconds: a wheel of many spokes strikes again and again within one, flies, and lands, until the limit ends it.
TEST(WorstCase, IsNotExceededByStepsFullOfEvents) {
  const int spokes = 12;
  const auto model = rimless_wheel(spokes, 1, 3, 0.5);
  SimulatorSettings settings = wheel_settings(*model, spokes, 0.3);
  settings.integrator.method = Method::kSemiImplicitEuler;
  for (const double step : {0.05, 0.4, 0.8}) {
    for (const double tolerance : {1e-15, 1e-9, 1e-2}) {
      settings.step = step, settings.event_tolerance = tolerance;
      const auto simulator = std::make_unique<Simulator>(*model, settings);
      const double q[7] = {0.3 - M_PI / 12 + 0.01}, v[6] = {4};  // the spoke behind has just left
      simulator->start_on_foot(0, {}, neutral_state(*model, simulator->tree()), q, v);
      Status status = Status::kOk;
      const StepWork most = walk(*simulator, 50, status);
      // in so long a step a wheel turns far past its next spokes: that is refused
      EXPECT_TRUE(status == Status::kOk || (step > 0.5 && status == Status::kEventLimit))
          << step << " " << tolerance << to_string(status);
      EXPECT_GT(most.integrations, 1) << step << " " << tolerance;
    }
  }
}

TEST(WorstCase, IsCountedAnewInEveryStep) {
  const auto model = compass();
  const auto simulator = std::make_unique<Simulator>(*model, compass_settings(*model, 0.0524));
  start_compass(*simulator, 0.3236, 1.4939, -0.5424, 0.3117);
  ASSERT_EQ(simulator->strike(1), Status::kOk);
  EXPECT_EQ(simulator->work().impacts, 2);  // the impact, and the modes after it
  ASSERT_EQ(simulator->step({}), Status::kOk);
  EXPECT_EQ(simulator->work().integrations, 1);
  EXPECT_EQ(simulator->work().impacts, 0);
}

}  // namespace
}  // namespace stance
