// A plant as a controller meets it: cycles, modes, time, reset and snapshots.
#include "stance_core/plant/plant.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "support/plants.hpp"

namespace stance {
namespace {

using namespace test;

// Nothing set and nothing commanded: the plant is the simulator, bit for bit, through impacts and re-roots.
TEST(Plant, WithoutSettingsIsTheSimulator) {
  const auto model = compass();
  const SimulatorSettings settings = compass_settings(*model, 0.0524);
  PlantSettings plant_settings;
  plant_settings.keyframes = {walking_compass(*model, settings)};
  const auto plant = make_plant(*model, settings, plant_settings);
  const auto simulator = std::make_unique<Simulator>(*model, settings);
  simulator->restore(plant_settings.keyframes[0].snapshot);
  int touchdowns = 0;
  for (int k = 0; k < 3000; ++k) {
    ASSERT_EQ(plant->step(), Status::kOk);
    ASSERT_EQ(simulator->step({}), Status::kOk);
    ASSERT_EQ(plant->simulator().hash(), simulator->hash()) << k;
    ContactEvent event;
    while (plant->pop_event(event)) touchdowns += event.kind == EventKind::kTouchdown;
  }
  EXPECT_GE(touchdowns, 3);
}

TEST(Plant, ServoHoldsAndMoves) {
  const auto model = pendulum();
  for (const Method method : {Method::kRungeKutta4, Method::kSemiImplicitEuler}) {
    const auto plant = pendulum_plant(*model, 0.7, 0, {}, 1e-3, method);
    ASSERT_EQ(plant->switch_commands(kSwing, kPositionCommand), Status::kOk);
    ASSERT_EQ(plant->step(2000), Status::kOk);
    // sag: gravity's moment over kp, that is g sin(q) / (l w²)
    const double sag = 9.81 * std::sin(0.7) / (0.5 * 100 * 100);
    EXPECT_NEAR(plant->joint(kSwing).position, 0.7 - sag, 0.01 * sag);
    ASSERT_EQ(plant->write(kSwing, {.position = -0.4}), Status::kOk);
    ASSERT_EQ(plant->step(2000), Status::kOk);
    EXPECT_NEAR(plant->joint(kSwing).position, -0.4, 2e-3);
    EXPECT_NEAR(plant->joint(kSwing).velocity, 0, 1e-9);
  }
}

}  // namespace
}  // namespace stance
