// A plant with everything on makes no heap call, through impacts, re-roots, resets and snapshots.
#include <gtest/gtest.h>

#include <cmath>
#include <memory>

#include "support/count_heap.hpp"
#include "support/plants.hpp"

namespace stance {
namespace {

using namespace test;

TEST(PlantStep, MakesNoHeapCall) {
  if (!CountHeap::works()) GTEST_SKIP() << "a sanitizer owns the heap";
  const auto model = kneed_biped();
  const SimulatorSettings settings = kneed_settings(*model);
  PlantSettings p;
  const auto simulator = std::make_unique<Simulator>(*model, settings);
  start_kneed(*simulator, -0.1945, 1.1084, 0.2953, 0.1469);
  p.keyframes = {{"walk", simulator->save()}};
  for (int i = 1; i < model->body_count; ++i) {
    p.joint_sensors[i] = {{0.1, 0.01}, {0, 0.02}, {0, 0.01}};
    p.actuators[i].delay = 2e-3;
    p.actuators[i].effort_limit = 5;
    p.actuators[i].stall_effort = 6, p.actuators[i].no_load_speed = 20;
    p.actuators[i].friction = 1e-4;
  }
  p.joint_latency = 3e-3;
  p.imus = {{"imu", find_frame(*model, "hip"), {{}, 0.001}, {{}, 0.01}, {{}, 0.1}, 4e-3}};
  p.force_torques = {{"ft", find_joint(*model, "left_hip"), {{}, 0.1}, {}, 1e-3}};
  const auto plant = make_plant(*model, settings, p);
  const auto snapshot = std::make_unique<PlantSnapshot>();
  Wrench push;
  push.frame = find_frame(*model, "hip"), push.force_W = {0.1, 0, 0};
  push.duration = 0.01, push.ramp = 0.005;
  const CommandSet sets[] = {kNoCommand, kEffortCommand, kHybridCommand};

  int touchdowns = 0;
  ContactEvent event;
  const CountHeap heap;
  int bad = 0;
  for (int k = 0; k < 10000; ++k) {
    if (k % 1000 == 0) bad += plant->reset() != Status::kOk;  // it may not walk far like this
    if (k % 1000 == 100) plant->save(*snapshot);
    if (k % 1000 == 200) plant->restore(*snapshot);
    for (int i = 1; i < model->body_count; ++i) {
      if (k % 100 == 0)
        bad += plant->switch_commands(JointId(i), sets[(k / 100) % 3]) != Status::kOk;
      bad += plant->write(JointId(i), {0, 0, 0.01 * std::sin(0.1 * k), 0.1, 0.01}) != Status::kOk;
    }
    if (k % 500 == 0) bad += plant->push(push) != Status::kOk;
    if (k % 500 == 0)
      bad += plant->inject({FaultKind::kLatencySpike, JointId(), 0, 0.01, 0.002}) != Status::kOk;
    bad += plant->step() != Status::kOk && !plant->fallen();
    while (plant->pop_event(event)) touchdowns += event.kind == EventKind::kTouchdown;
  }
  const long calls = heap.calls();
  EXPECT_EQ(calls, 0);
  EXPECT_EQ(bad, 0);
  EXPECT_GE(touchdowns, 10);
}

}  // namespace
}  // namespace stance
