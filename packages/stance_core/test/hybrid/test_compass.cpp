// The passive compass walker of the first paper.
#include <gtest/gtest.h>

#include "stance_core/dynamics/kinematics.hpp"
#include "stance_core/dynamics/momentum.hpp"
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

std::unique_ptr<Simulator> walking(const Model& model, const SimulatorSettings& settings) {
  auto simulator = std::make_unique<Simulator>(model, settings);
  start_compass(*simulator, 0.3236, 1.4939, -0.5424, 0.3117);
  EXPECT_EQ(simulator->strike(1), Status::kOk);
  return simulator;
}

// Walks on to just after the next touchdown. Events: touchdown, then liftoff.
ContactEvent next_touchdown(Simulator& simulator) {
  ContactEvent event, touchdown;
  bool touched = false;
  while (!touched) {
    const Status status = simulator.step_to_event({});
    EXPECT_EQ(status, Status::kOk);
    if (status != Status::kOk || simulator.fallen()) break;
    while (simulator.events().pop(event)) {
      if (event.kind == EventKind::kTouchdown) touchdown = event, touched = true;
    }
  }
  EXPECT_TRUE(touched);
  return touchdown;
}

// Kinetic and potential energy above the supporting foot: what the swing phase keeps.
double energy(Simulator& simulator, const Vec3<double>& foot_W) {
  const Model& model = simulator.model();
  Workspace& w = simulator.workspace();
  kinematics(model, simulator.tree(), simulator.state(), w);
  return kinetic_energy(simulator.tree(), simulator.state(), w) +
         potential_energy(model, simulator.tree(), w) +
         dot(model.gravity, foot_W) * total_mass(model);
}

// Largest relative drift of energy from one impact to the next over so many steps.
double largest_drift(Simulator& simulator, int steps) {
  ContactEvent event;
  while (simulator.events().pop(event)) {
    if (event.kind == EventKind::kTouchdown) break;
  }
  Vec3<double> foot = event.point_W;
  double largest = 0, start = energy(simulator, foot);
  for (int step = 0; step < steps && !simulator.fallen(); ++step) {
    event = next_touchdown(simulator);
    // positions are the same before and after the impact; what it took is in the event
    const double end = energy(simulator, foot) + event.energy_lost;
    largest = std::max(largest, std::abs(end - start) / start);
    foot = event.point_W;
    start = energy(simulator, foot);
  }
  return largest;
}

TEST(Compass, WalksAThousandStepsWithoutDrift) {
  const auto model = compass();
  const auto simulator = walking(*model, compass_settings(*model, 0.0524));
  EXPECT_LT(largest_drift(*simulator, 1000), 1e-10);
  EXPECT_FALSE(simulator->fallen());
  EXPECT_NEAR(simulator->state().time, 1000 * 0.7344, 0.1);
}

// Halving the step divides the drift by sixteen or more (RK4's error in energy is of order four or five).
TEST(Compass, EnergyDriftFallsAtOrderFour) {
  const auto model = compass();
  double last = 0;
  for (const double step : {16e-3, 8e-3, 4e-3}) {
    SimulatorSettings settings = compass_settings(*model, 0.0524);
    settings.step = step;
    const auto simulator = walking(*model, settings);
    const double drift = largest_drift(*simulator, 20);
    if (last > 0) {
      EXPECT_GT(std::log2(last / drift), 3.7);
    }
    last = drift;
  }
}

// About the struck point, before and after, in every impact. The state before is found by flowing once more to the
// located instant; the clock starts anew with each step, so that its rounding stays out of the comparison.
TEST(Compass, ImpactsKeepAngularMomentum) {
  const auto model = compass();
  const auto simulator = walking(*model, compass_settings(*model, 0.0524));
  const auto w = std::make_unique<Workspace>();
  const auto tree = std::make_unique<Tree>();
  for (int impacts = 0; impacts < 50; ++impacts) {
    State start = simulator->state();
    start.time = 0;
    simulator->start_on_foot(simulator->support_foot(), simulator->tree().support.X_WA.p, start,
                             start.q.data(), start.v.data());
    State before;
    while (simulator->events().size() == 0) {
      *tree = simulator->tree();
      before = simulator->state();
      ASSERT_EQ(simulator->step_to_event({}), Status::kOk);
    }
    ContactEvent event;
    simulator->events().pop(event);
    ASSERT_EQ(event.kind, EventKind::kTouchdown);
    ASSERT_EQ(integrate(*model, *tree, {}, {}, event.time - before.time, before, *w), Status::kOk);
    kinematics(*model, *tree, before, *w);
    const double L_before = momentum(*tree, *w, event.point_W).n.y;
    kinematics(*model, simulator->tree(), simulator->state(), *w);
    const double L_after = momentum(simulator->tree(), *w, event.point_W).n.y;
    EXPECT_NEAR(L_after, L_before, 1e-13 * std::abs(L_before));
  }
}

// One percent more or less speed at any phase of the step is forgotten: the largest multiplier is 0.58 a step.
TEST(Compass, AKickOfOnePercentDiesOut) {
  const auto model = compass();
  for (const double kick : {1.01, 0.99}) {
    for (const int phase : {0, 200, 450}) {
      const auto steady = walking(*model, compass_settings(*model, 0.0524));
      for (int step = 0; step < 40; ++step) (void)next_touchdown(*steady);
      for (int k = 0; k < phase; ++k) ASSERT_EQ(steady->step({}), Status::kOk);
      State joints = steady->state();
      for (double& v : joints.v) v *= kick;
      const int foot = steady->support_foot();
      auto kicked = std::make_unique<Simulator>(*model, compass_settings(*model, 0.0524));
      const Vec3<double> point = steady->tree().support.X_WA.p;
      kicked->start_on_foot(foot, point, joints, joints.q.data(), joints.v.data());
      double last = 0, period = 0;
      for (int step = 0; step < 40; ++step) {
        const ContactEvent event = next_touchdown(*kicked);
        ASSERT_FALSE(kicked->fallen());
        period = event.time - last, last = event.time;
      }
      const double first = next_touchdown(*steady).time;
      const double steady_period = next_touchdown(*steady).time - first;
      EXPECT_NEAR(period, steady_period, 1e-8);  // 0.58^40 is 3e-10
    }
  }
}

}  // namespace
}  // namespace stance
