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

// The push-off is a command: it acts at the next touchdown, a reset takes it back, and a snapshot carries it.
TEST(Plant, PushesOffAtTheNextTouchdown) {
  const auto model = compass();
  SimulatorSettings settings = compass_settings(*model, 0.0524);
  settings.push_off = {0, find_frame(*model, "hip")};
  PlantSettings plant_settings;
  plant_settings.keyframes = {walking_compass(*model, settings)};
  const auto plant = make_plant(*model, settings, plant_settings);
  const auto impulse_of_next = [&] {  // of the push-off, if there is one before the touchdown
    double impulse = 0;
    for (int k = 0; k < 1000; ++k) {
      EXPECT_EQ(plant->step(), Status::kOk);
      ContactEvent event;
      while (plant->pop_event(event)) {
        if (event.kind == EventKind::kPushOff) impulse = norm(event.impulse_W);
        if (event.kind == EventKind::kTouchdown) return impulse;
      }
    }
    ADD_FAILURE() << "no touchdown";
    return impulse;
  };
  ASSERT_TRUE(plant->can_push_off());
  EXPECT_EQ(impulse_of_next(), 0);
  ASSERT_EQ(plant->write_push_off(0.25), Status::kOk);
  ASSERT_EQ(plant->write_push_off(std::nan("")), Status::kOk);  // not given: as before
  const auto saved = std::make_unique<PlantSnapshot>();
  plant->save(*saved);
  EXPECT_NEAR(impulse_of_next(), 0.25, 1e-15);
  ASSERT_EQ(plant->write_push_off(0), Status::kOk);
  EXPECT_EQ(impulse_of_next(), 0);
  plant->restore(*saved);
  EXPECT_NEAR(impulse_of_next(), 0.25, 1e-15);
  ASSERT_EQ(plant->reset(), Status::kOk);
  EXPECT_EQ(impulse_of_next(), 0);
}

TEST(Plant, RefusesAPushOffThatCannotBe) {
  const auto model = compass();
  SimulatorSettings settings = compass_settings(*model, 0.0524);
  PlantSettings plant_settings;
  plant_settings.keyframes = {walking_compass(*model, settings)};
  const auto without = make_plant(*model, settings, plant_settings);
  EXPECT_FALSE(without->can_push_off());
  EXPECT_EQ(without->write_push_off(0.1), Status::kBadCommand);
  settings.push_off = {0.3, find_frame(*model, "hip")};
  const auto plant = make_plant(*model, settings, plant_settings);
  EXPECT_EQ(plant->write_push_off(-0.1), Status::kBadCommand);
  EXPECT_EQ(plant->write_push_off(HUGE_VAL), Status::kBadCommand);
  EXPECT_EQ(plant->refused_commands(), 2u);
  EXPECT_EQ(plant->simulator().settings().push_off.impulse, 0.3);
}

}  // namespace
}  // namespace stance
