// The hybrid step makes no heap call, impacts, stops, re-roots and all.
#include <gtest/gtest.h>

#include "stance_core/hybrid/simulator.hpp"
#include "support/count_heap.hpp"
#include "support/on_the_ground.hpp"
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

// A table on four soles of four corners each, thrown tilted and with spin: impacts, slides, edges, and 16 corners at rest in the
// end. No heap call, and twice the same to the bit.
TEST(HybridStep, SixteenCornersMakeNoHeapCallAndRepeat) {
  if (!CountHeap::works()) GTEST_SKIP() << "a sanitizer owns the heap";
  const auto model = solid(
      5, {0, 0, 0}, {0.2, 0.3, 0.4},
      {{0.4, 0.3, -0.3}, {0.4, -0.3, -0.3}, {-0.4, 0.3, -0.3}, {-0.4, -0.3, -0.3}});
  SimulatorSettings settings = feet_of(*model, 4, JointKind::kFixed, {0.8, 0.7, 0.2});
  for (std::size_t f = 0; f < 4; ++f) {
    settings.feet[f].corner_count = 4;
    for (std::size_t k = 0; k < 4; ++k)
      settings.feet[f].corners[k] = {(k & 2) != 0 ? -0.05 : 0.05, (k & 1) != 0 ? -0.04 : 0.04, 0};
  }
  std::uint64_t hashes[2] = {};
  for (std::uint64_t& hash : hashes) {
    auto simulator = std::make_unique<Simulator>(*model, settings);
    simulator->start_in_flight(in_the_air(*model, settings.ground, JointKind::kFree,
                                          placed({0.2, 0.1, 0.3}, {0, 0, 0.6}), {0.5, -0.4, 1},
                                          {0.3, 0.2, 0}));
    Status status = Status::kOk;
    const CountHeap heap;
    for (int k = 0; k < 2000 && status == Status::kOk; ++k) status = simulator->step({});
    const long calls = heap.calls();
    EXPECT_EQ(status, Status::kOk);
    EXPECT_EQ(calls, 0);
    EXPECT_GT(simulator->events().size(), 10);
    hash = simulator->hash();
  }
  EXPECT_EQ(hashes[0], hashes[1]);
}

}  // namespace
}  // namespace stance
