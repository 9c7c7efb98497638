// The hybrid step: what it emits, when, in which order, and what it leaves behind.
#include "stance_core/hybrid/simulator.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "stance_core/dynamics/kinematics.hpp"
#include "stance_core/dynamics/momentum.hpp"
#include "support/wheel_and_knees.hpp"

namespace stance {
namespace {

using namespace test;

std::vector<ContactEvent> read(Simulator& simulator) {
  std::vector<ContactEvent> events;
  ContactEvent event;
  while (simulator.events().pop(event)) events.push_back(event);
  return events;
}

// The compass in planar flight: its hip `height` above the origin, angles of both legs from the vertical, at rest.
State in_flight(const Model& model, double height, double left, double right) {
  State state = neutral_state(model, make_tree(model));
  for (int i = 0; i < kSupportCoordinates; ++i) state.q[i] = 0;
  state.q[1] = height, state.q[2] = left;
  state.q[kSupportCoordinates] = right - left;
  return state;
}

std::unique_ptr<Simulator> walking(const Model& model, SimulatorSettings settings) {
  auto simulator = std::make_unique<Simulator>(model, settings);
  start_compass(*simulator, 0.3236, 1.4939, -0.5424, 0.3117);  // Table 1
  EXPECT_EQ(simulator->strike(1), Status::kOk);
  return simulator;
}

TEST(Simulator, DroppedFootLandsOnTimeAndSticks) {
  const auto model = compass();
  SimulatorSettings settings = compass_settings(*model, 0);
  settings.fall_count = 0;
  for (const double step : {1e-3, 7e-3}) {
    settings.step = step;
    auto simulator = std::make_unique<Simulator>(*model, settings);
    const double fall = 0.2, left = 0.1, right = -0.4;
    simulator->start_in_flight(in_flight(*model, std::cos(left) + fall, left, right),
                               JointKind::kPlanar);
    EXPECT_EQ(simulator->support_foot(), -1);
    EXPECT_NEAR(simulator->foot_height(0), fall, 1e-15);
    while (simulator->support_foot() < 0) ASSERT_EQ(simulator->step_to_event({}), Status::kOk);
    const auto events = read(*simulator);
    ASSERT_EQ(events.size(), 1u);  // nothing lifts off
    const ContactEvent& event = events[0];
    EXPECT_EQ(event.kind, EventKind::kTouchdown);
    EXPECT_EQ(event.frame, settings.feet[0].frame);
    EXPECT_EQ(event.root, settings.feet[0].frame);
    // nothing turns in free fall: the instant has a closed form
    EXPECT_NEAR(event.time, std::sqrt(2 * fall / 9.81), 2e-12);
    EXPECT_NEAR(event.velocity_before_W.z, -std::sqrt(2 * fall * 9.81), 1e-11);
    EXPECT_LT(norm(event.velocity_after_W), 1e-14);
    EXPECT_GT(event.impulse_W.z, 0);
    EXPECT_GT(event.energy_lost, 0);
    EXPECT_NEAR(simulator->foot_height(0), 0, 2e-12 * 2);  // tolerance times speed
    const Vec3<double> point = event.point_W;
    while (simulator->state().time < event.time + 0.02)  // the other foot is still in the air
      ASSERT_EQ(simulator->step({}), Status::kOk);
    EXPECT_EQ(simulator->support_foot(), 0);
    EXPECT_NEAR(simulator->foot_height(0), point.z, 1e-14);
  }
}

// Both feet pass the ground within one step, the lower one 40 ms before the other would: it lands at its own instant. Which
// of them is the first in the list must not matter.
TEST(Simulator, TheFirstOfTwoTouchdownsInAStepIsFound) {
  const auto model = compass();
  const double near = 0.2, far = 0.3;
  const double fall = 0.5 * 9.81 * 0.04 * 0.04;
  ASSERT_LT(std::sqrt(2 * (fall + std::cos(near) - std::cos(far)) / 9.81), 0.09);  // the other
  for (const int first : {0, 1}) {
    SimulatorSettings settings = compass_settings(*model, 0);
    settings.fall_count = 0;
    settings.step = 0.09;
    for (Foot& foot : settings.feet) foot.ignore_scuff = false;
    auto simulator = std::make_unique<Simulator>(*model, settings);
    simulator->start_in_flight(in_flight(*model, std::cos(near) + fall, first == 0 ? near : -far,
                                         first == 0 ? -far : near),
                               JointKind::kPlanar);
    ASSERT_EQ(simulator->step_to_event({}), Status::kOk);
    const auto events = read(*simulator);
    ASSERT_EQ(events.size(), 1u);
    EXPECT_EQ(events[0].frame, settings.feet[static_cast<std::size_t>(first)].frame);
    EXPECT_NEAR(events[0].time, 0.04, 2e-12);  // nothing turns in free fall
    EXPECT_GT(simulator->foot_height(1 - first), 0.02);
  }
}

TEST(Simulator, FreeFlightInThreeDimensionsLandsOnABall) {
  const auto model = compass();
  SimulatorSettings settings = compass_settings(*model, 0.1);
  settings.fall_count = 0;
  settings.feet[0].support = JointKind::kBall;
  auto simulator = std::make_unique<Simulator>(*model, settings);
  State state = neutral_state(*model, make_tree(*model));
  state.q[2] = 1.3;
  state.q[kSupportCoordinates] = -0.6;
  state.v[0] = 0.3, state.v[1] = -0.2, state.v[4] = 0.4;
  simulator->start_in_flight(state);
  while (simulator->support_foot() < 0) {
    ASSERT_EQ(simulator->step({}), Status::kOk);
    ASSERT_LT(simulator->state().time, 1);
  }
  EXPECT_EQ(simulator->tree().support.kind, JointKind::kBall);
  const auto events = read(*simulator);
  ASSERT_EQ(events.size(), 1u);
  EXPECT_NEAR(settings.ground.height(events[0].point_W), 0, 1e-11);
  EXPECT_LT(norm(events[0].velocity_after_W), 1e-13);
}

// A compass that lands with its legs apart stands on both, and the ground does not let them slip: each foot carries half of
// the weight, and pushes inwards so that neither leg is bent.
TEST(Simulator, TwoFeetThatLandTogetherBothStand) {
  const auto model = compass();
  SimulatorSettings settings = compass_settings(*model, 0);
  auto simulator = std::make_unique<Simulator>(*model, settings);
  simulator->start_in_flight(in_flight(*model, std::cos(0.3) + 0.1, 0.3, -0.3), JointKind::kPlanar);
  while (simulator->support_foot() < 0) ASSERT_EQ(simulator->step_to_event({}), Status::kOk);
  const auto events = read(*simulator);
  ASSERT_EQ(events.size(), 2u);
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_EQ(events[i].kind, EventKind::kTouchdown);
    EXPECT_EQ(events[i].frame, settings.feet[i].frame);
    EXPECT_NEAR(events[i].time, std::sqrt(0.2 / 9.81), 2e-12);
    EXPECT_EQ(events[i].sequence, i);
  }
  EXPECT_EQ(events[0].time, events[1].time);
  const State start = simulator->state();
  for (int k = 0; k < 1000; ++k) ASSERT_EQ(simulator->step({}), Status::kOk);
  EXPECT_EQ(simulator->events().size(), 0);
  EXPECT_EQ(simulator->foot_mode(0), ContactMode::kStick);
  EXPECT_EQ(simulator->foot_mode(1), ContactMode::kStick);
  EXPECT_NEAR(simulator->state().q[kSupportCoordinates], start.q[kSupportCoordinates], 1e-12);
  const double weight = total_mass(*model) * 9.81;
  for (int foot = 0; foot < 2; ++foot) {
    const Vec3<double> force = simulator->impulses()[static_cast<std::size_t>(foot)] *
                               (1 / settings.step);
    EXPECT_NEAR(force.z, weight / 2, 1e-9 * weight);
    EXPECT_LT(force.x * (foot == 0 ? 1 : -1) * (simulator->site_point(0).x > 0 ? 1 : -1), 0);
  }
}

TEST(Simulator, AFallEndsTheRun) {
  const auto model = compass();
  auto simulator = std::make_unique<Simulator>(*model, compass_settings(*model, 0.05));
  start_compass(*simulator, -0.4, 0, 0.3, 0);  // leans back too far
  while (!simulator->fallen()) {
    ASSERT_EQ(simulator->step({}), Status::kOk);
    ASSERT_LT(simulator->state().time, 5);
  }
  const auto events = read(*simulator);
  ASSERT_FALSE(events.empty());
  EXPECT_EQ(events.back().kind, EventKind::kFall);
  EXPECT_EQ(events.back().frame, find_frame(*model, "hip"));
  EXPECT_NEAR(simulator->settings().ground.height(events.back().point_W), 0, 1e-10);
  EXPECT_EQ(events.back().time, simulator->state().time);
  const std::uint64_t hash = simulator->hash();
  EXPECT_EQ(simulator->step({}), Status::kFallen);
  EXPECT_EQ(simulator->hash(), hash);
  start_compass(*simulator, 0, 0.5, 0.3, 0);  // starting anew gets it up
  EXPECT_FALSE(simulator->fallen());
  EXPECT_EQ(simulator->step({}), Status::kOk);
}

// Straight legs scuff in mid swing. Ignored, the foot passes and lands ahead; not ignored, it lands there.
TEST(Simulator, ScuffIsIgnoredWhereAsked) {
  const auto model = compass();
  const auto first_touchdown = [&](bool ignore) {
    SimulatorSettings settings = compass_settings(*model, 0.0524);
    settings.feet[0].ignore_scuff = settings.feet[1].ignore_scuff = ignore;
    const auto simulator = walking(*model, settings);
    (void)read(*simulator);
    while (simulator->events().size() == 0) {
      EXPECT_EQ(simulator->step_to_event({}), Status::kOk);
      if (simulator->state().time > 2) break;
    }
    return read(*simulator).at(0);
  };
  const ContactEvent passed = first_touchdown(true), scuffed = first_touchdown(false);
  EXPECT_NEAR(passed.time, 0.734, 0.02);
  EXPECT_LT(scuffed.time, 0.5 * passed.time);
  EXPECT_EQ(scuffed.kind, EventKind::kTouchdown);
  EXPECT_NEAR(sloped_ground(0.0524).height(scuffed.point_W), 0, 1e-11);
  EXPECT_LT(scuffed.point_W.x, passed.point_W.x);
}

TEST(Simulator, EventTimesDoNotDependOnTheStep) {
  const auto model = compass();
  std::vector<double> times;
  for (const double step : {1e-3, 0.37e-3, 2e-3}) {
    SimulatorSettings settings = compass_settings(*model, 0.0524);
    settings.step = step;
    settings.integrator = {Method::kDormandPrince, 1e-12, 1000};
    const auto simulator = walking(*model, settings);
    (void)read(*simulator);
    while (simulator->events().size() == 0) ASSERT_EQ(simulator->step({}), Status::kOk);
    times.push_back(read(*simulator)[0].time);
  }
  EXPECT_NEAR(times[0], times[1], 1e-9);
  EXPECT_NEAR(times[0], times[2], 1e-9);
}

// A step is a step: time ends on the grid whatever happened inside, and stepping to an event leaves no gap.
TEST(Simulator, StepsEndOnTheGrid) {
  const auto model = compass();
  const auto simulator = walking(*model, compass_settings(*model, 0.0524));
  for (int k = 1; k <= 2000; ++k) {
    ASSERT_EQ(simulator->step({}), Status::kOk);
    ASSERT_EQ(simulator->state().time,
              k * 1e-3);  // a multiple, not a sum: rounding does not add up
  }
}

TEST(Simulator, StepToEventStopsThere) {
  const auto model = compass();
  const auto whole = walking(*model, compass_settings(*model, 0.0524));
  const auto cut = walking(*model, compass_settings(*model, 0.0524));
  (void)read(*whole), (void)read(*cut);
  while (whole->events().size() == 0) ASSERT_EQ(whole->step({}), Status::kOk);
  while (cut->events().size() == 0) ASSERT_EQ(cut->step_to_event({}), Status::kOk);
  const auto a = read(*whole), b = read(*cut);
  EXPECT_EQ(a[0].time, b[0].time);
  EXPECT_EQ(cut->state().time, b[0].time);
  EXPECT_GT(whole->state().time, cut->state().time);
  EXPECT_EQ(cut->support_foot(), whole->support_foot());
}

TEST(Simulator, RingCountsWhatItDrops) {
  EventRing ring;
  ContactEvent event;
  for (int k = 0; k < kMaxEvents + 10; ++k) ring.push(event);
  EXPECT_EQ(ring.size(), kMaxEvents);
  EXPECT_EQ(ring.dropped(), 10u);
  for (std::uint64_t k = 0; k < kMaxEvents; ++k) {
    ASSERT_TRUE(ring.pop(event));
    EXPECT_EQ(event.sequence, k);  // the oldest are kept
  }
  EXPECT_FALSE(ring.pop(event));
  ring.push(event);
  ASSERT_TRUE(ring.pop(event));
  EXPECT_EQ(event.sequence, static_cast<std::uint64_t>(kMaxEvents + 10));  // the gap shows
}

TEST(Simulator, UnreadEventsOverflowAndAreCounted) {
  const auto model = rimless_wheel(12);
  auto simulator = std::make_unique<Simulator>(*model, wheel_settings(*model, 12, 0.2));
  const double angle = 0.2 - M_PI / 12, rate = 2;  // slow enough to stay on the ground
  simulator->start_on_foot(0, {}, State{}, &angle, &rate);
  while (simulator->events().dropped() < 20) {
    ASSERT_EQ(simulator->step({}), Status::kOk);
    ASSERT_LT(simulator->state().time, 100);
  }
  EXPECT_EQ(simulator->events().size(), kMaxEvents);
}

TEST(Simulator, TwoRunsHaveTheSameHash) {
  const auto model = compass();
  for (const Method method :
       {Method::kRungeKutta4, Method::kSemiImplicitEuler, Method::kDormandPrince}) {
    SimulatorSettings settings = compass_settings(*model, 0.0524);
    settings.integrator.method = method;
    const auto a = walking(*model, settings), b = walking(*model, settings);
    for (int k = 0; k < 2000; ++k) {
      ASSERT_EQ(a->step({}), Status::kOk);
      ASSERT_EQ(b->step({}), Status::kOk);
      ASSERT_EQ(a->hash(), b->hash());
    }
    const std::uint64_t before = a->hash();
    ASSERT_EQ(a->step({}), Status::kOk);
    EXPECT_NE(a->hash(), before);
  }
}

// A push-off along the trailing leg just before touchdown: reported with its impulse, and its energy comes in.
TEST(Simulator, PushOffBringsEnergyIn) {
  const auto model = compass();
  SimulatorSettings settings = compass_settings(*model, 0);
  settings.push_off = {0.4, find_frame(*model, "hip")};
  auto simulator = std::make_unique<Simulator>(*model, settings);
  start_compass(*simulator, 0.25, 1.2, -0.5, 0);
  const auto energy = [&] {
    kinematics(*model, simulator->tree(), simulator->state(), simulator->workspace());
    return kinetic_energy(simulator->tree(), simulator->state(), simulator->workspace());
  };
  const double before = energy();
  ASSERT_EQ(simulator->strike(1), Status::kOk);
  const auto events = read(*simulator);
  ASSERT_EQ(events.size(), 3u);
  EXPECT_EQ(events[0].kind, EventKind::kPushOff);
  EXPECT_EQ(events[1].kind, EventKind::kTouchdown);
  EXPECT_EQ(events[2].kind, EventKind::kLiftoff);
  EXPECT_NEAR(norm(events[0].impulse_W), 0.4, 1e-15);
  EXPECT_NEAR(events[0].impulse_W.x, 0.4 * std::sin(0.25), 1e-14);
  EXPECT_LT(events[0].energy_lost, 0);
  EXPECT_NEAR(energy(), before - events[0].energy_lost - events[1].energy_lost, 1e-13);
  // work of an impulse: its product with the mean velocity of the point
  EXPECT_NEAR(
      -events[0].energy_lost,
      0.5 * dot(events[0].impulse_W, events[0].velocity_before_W + events[0].velocity_after_W),
      1e-13);
}

// A number that is not finite stops the step and leaves the last good state.
TEST(Simulator, BadEffortLeavesTheLastGoodState) {
  const auto model = compass();
  const auto simulator = walking(*model, compass_settings(*model, 0.0524));
  for (int k = 0; k < 10; ++k) ASSERT_EQ(simulator->step({}), Status::kOk);
  const std::uint64_t hash = simulator->hash();
  DofVector tau{};
  tau[kSupportDofs] = std::numeric_limits<double>::infinity();
  EXPECT_NE(simulator->step(tau), Status::kOk);
  EXPECT_EQ(simulator->hash(), hash);
  EXPECT_EQ(simulator->step({}), Status::kOk);
}

// Curved feet roll: a compass on arcs of a fifth of its legs walks down a slope, touching without slip.
TEST(Simulator, CurvedFeetRollAndStrike) {
  const auto model = compass();
  SimulatorSettings settings = compass_settings(*model, 0.02);
  for (int k = 0; k < 2; ++k)
    settings.feet[static_cast<std::size_t>(k)].support = JointKind::kRoll,
    settings.feet[static_cast<std::size_t>(k)].radius = 0.2;
  auto simulator = std::make_unique<Simulator>(*model, settings);
  start_compass(*simulator, 0.25, 1.2, -0.46, 0);
  ASSERT_EQ(simulator->strike(1), Status::kOk);
  const auto events = read(*simulator);
  ASSERT_EQ(events.size(), 2u);
  EXPECT_LT(norm(events[0].velocity_after_W), 1e-14);
  EXPECT_EQ(simulator->tree().support.kind, JointKind::kRoll);
  for (int k = 0; k < 300; ++k) {
    ASSERT_EQ(simulator->step({}), Status::kOk);
    // strike() took the foot where it was: its height is kept by rolling
    ASSERT_NEAR(simulator->foot_height(1), settings.ground.height(events[0].point_W), 1e-12);
  }
}

// Saved anywhere, between and right after events, and restored in another simulator: the same walk to the last bit.
TEST(Simulator, RestoredSnapshotGoesOnToTheLastBit) {
  const auto model = kneed_biped();
  const SimulatorSettings settings = kneed_settings(*model);
  auto simulator = std::make_unique<Simulator>(*model, settings);
  start_kneed(*simulator, -0.1945, 1.1084, 0.2953, 0.1469);
  for (int part = 0; part < 12; ++part) {  // knees locked and free, either foot at the root
    for (int k = 0; k < 137; ++k) ASSERT_EQ(simulator->step({}), Status::kOk);
    auto other = std::make_unique<Simulator>(*model, settings);
    const SimulatorSnapshot snapshot = simulator->save();
    other->restore(snapshot);
    std::vector<std::uint64_t> hashes;
    for (int k = 0; k < 400; ++k) {
      ASSERT_EQ(other->step({}), Status::kOk);
      hashes.push_back(other->hash());
    }
    for (int k = 0; k < 400; ++k) {
      ASSERT_EQ(simulator->step({}), Status::kOk);
      ASSERT_EQ(simulator->hash(), hashes[static_cast<std::size_t>(k)]) << part << ' ' << k;
    }
    simulator->restore(snapshot);
  }
}

// A force that holds a falling body up against its weight leaves it at rest; twice that lifts it with g.
TEST(Simulator, ForcesOnBodiesAct) {
  const auto model = compass();
  SimulatorSettings settings = compass_settings(*model, 0);
  for (const Method method :
       {Method::kRungeKutta4, Method::kSemiImplicitEuler, Method::kDormandPrince}) {
    settings.integrator.method = method;
    auto simulator = std::make_unique<Simulator>(*model, settings);
    simulator->start_in_flight(in_flight(*model, 3, 0, 0), JointKind::kPlanar);
    std::vector<Force<double>> f_ext(static_cast<std::size_t>(model->body_count));
    for (int i = 0; i < model->body_count; ++i) {  // at the bodies' centres: nothing turns
      const RigidInertia<double>& I = model->bodies[i].I;
      const Vec3<double> f = transpose_times(model->bodies[i].R_bind,
                                             Vec3<double>{0, 0, 2 * 9.81 * I.m});
      f_ext[static_cast<std::size_t>(i)] = {cross(I.h * (1 / I.m), f), f};
    }
    for (int k = 0; k < 500; ++k) ASSERT_EQ(simulator->step({}, f_ext), Status::kOk);
    const Vec3<double> v =
        body_motion(*model, simulator->tree(), simulator->state(), BodyId(0)).V_H.v;
    EXPECT_NEAR(v.z, 9.81 * 0.5, 1e-9);
  }
}

}  // namespace
}  // namespace stance
