// The hybrid step makes no heap call, impacts, stops, re-roots and all.
#include <gtest/gtest.h>

#include "stance_core/hybrid/simulator.hpp"
#include "support/count_heap.hpp"
#include "support/wheel_and_knees.hpp"

namespace stance {
namespace {

using namespace test;

// 10,000 steps; returns how many touchdowns they held.
int expect_no_heap(Simulator& simulator) {
  int touchdowns = 0;
  ContactEvent event;
  Status status = Status::kOk;
  const CountHeap heap;
  for (int k = 0; k < 10000 && status == Status::kOk; ++k) {
    status = simulator.step({});
    while (simulator.events().pop(event)) touchdowns += event.kind == EventKind::kTouchdown;
  }
  const long calls = heap.calls();
  EXPECT_EQ(status, Status::kOk);
  EXPECT_EQ(calls, 0);
  return touchdowns;
}

TEST(HybridStep, CompassMakesNoHeapCall) {
  if (!CountHeap::works()) GTEST_SKIP() << "a sanitizer owns the heap";
  const auto model = compass();
  for (const Method method : {Method::kRungeKutta4, Method::kDormandPrince}) {
    SimulatorSettings settings = compass_settings(*model, 0.0524);
    settings.integrator.method = method;
    auto simulator = std::make_unique<Simulator>(*model, settings);
    start_compass(*simulator, 0.3236, 1.4939, -0.5424, 0.3117);
    ASSERT_EQ(simulator->strike(1), Status::kOk);
    EXPECT_GE(expect_no_heap(*simulator), 13);
  }
}

TEST(HybridStep, KneesMakeNoHeapCall) {
  if (!CountHeap::works()) GTEST_SKIP() << "a sanitizer owns the heap";
  const auto model = kneed_biped();
  auto simulator = std::make_unique<Simulator>(*model, kneed_settings(*model));
  start_kneed(*simulator, -0.1945, 1.1084, 0.2953, 0.1469);
  EXPECT_GE(expect_no_heap(*simulator), 16);
}

}  // namespace
}  // namespace stance
