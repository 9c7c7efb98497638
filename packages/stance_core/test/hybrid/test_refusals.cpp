// A step that is refused leaves no trace: state, mode, tree, events and energy are what they were, to the bit.
#include <gtest/gtest.h>

#include <cstring>
#include <limits>

#include "support/on_the_ground.hpp"
#include "support/random_robot.hpp"
#include "support/wheel_and_knees.hpp"

namespace stance {
namespace {

using namespace test;

// Bytes, as padding apart a snapshot is these.
void expect_same(const Simulator& a, const SimulatorSnapshot& was) {
  const SimulatorSnapshot now = a.save();
  EXPECT_EQ(std::memcmp(&now.state, &was.state, sizeof(State)), 0);
  EXPECT_EQ(std::memcmp(&now.mode, &was.mode, sizeof(Mode)), 0);
  EXPECT_EQ(now.start_time, was.start_time);
  EXPECT_EQ(now.step_count, was.step_count);
  EXPECT_EQ(now.fresh, was.fresh);
  EXPECT_EQ(now.below_ground, was.below_ground);
}

// Steps `simulator` badly; its twin does not. Then both go on alike.
template <class Bad>
void expect_no_trace(Simulator& simulator, Simulator& twin, Status status, Bad&& bad,
                     int steps = 50) {
  const SimulatorSnapshot was = simulator.save();
  const std::uint64_t hash = simulator.hash();
  const EnergyAccount energy = simulator.energy();
  const LawResidual residual = simulator.residual();
  const auto impulses = simulator.impulses();
  const int waiting = simulator.events().size();
  for (int k = 0; k < 2; ++k) {
    EXPECT_EQ(bad(simulator), status);
    expect_same(simulator, was);
    EXPECT_EQ(simulator.hash(), hash);
    EXPECT_EQ(std::memcmp(&simulator.energy(), &energy, sizeof energy), 0);
    EXPECT_EQ(std::memcmp(&simulator.residual(), &residual, sizeof residual), 0);
    EXPECT_EQ(std::memcmp(&simulator.impulses(), &impulses, sizeof impulses), 0);
    EXPECT_EQ(simulator.events().size(), waiting);
    EXPECT_EQ(simulator.events().dropped(), 0u);
  }
  for (int k = 0; k < steps; ++k) {
    ASSERT_EQ(simulator.step({}), Status::kOk);
    ASSERT_EQ(twin.step({}), Status::kOk);
    ASSERT_EQ(simulator.hash(), twin.hash()) << k;
  }
  const auto a = read_events(simulator), b = read_events(twin);
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t k = 0; k < a.size(); ++k) {
    EXPECT_EQ(a[k].sequence, b[k].sequence);
    EXPECT_EQ(a[k].time, b[k].time);
    EXPECT_EQ(a[k].kind, b[k].kind);
  }
  EXPECT_EQ(std::memcmp(&simulator.energy(), &twin.energy(), sizeof energy), 0);
}

// A tumbling box, `steps` steps after it was let go: in the air, in the midst of its bounces, sliding, at rest.
struct Box {
  std::unique_ptr<Model> model = box(2, half);
  SimulatorSettings settings;
  static inline const Eigen::Vector3d half{0.1, 0.15, 0.08};
  Box() {
    settings.foot_count = 1;
    settings.feet[0] = box_foot(*model, half, {0.6, 0.5, 0.3}, 8);
  }
  std::unique_ptr<Simulator> after(int steps) const {
    auto simulator = std::make_unique<Simulator>(*model, settings);
    simulator->start_in_flight(in_the_air(*model, settings.ground, JointKind::kFree,
                                          placed({0.5, 0.7, 0.2}, {0, 0, 0.3}), {1, -2, 0.5},
                                          {0.8, 0.3, 0}));
    for (int k = 0; k < steps; ++k) EXPECT_EQ(simulator->step({}), Status::kOk);
    return simulator;
  }
};

TEST(Refusals, NumbersThatAreNotFinite) {
  const Box box;
  for (const int steps : {0, 5, 150, 250, 900}) {
    for (const double number :
         {std::numeric_limits<double>::infinity(), std::numeric_limits<double>::quiet_NaN()}) {
      const auto a = box.after(steps), b = box.after(steps);
      expect_no_trace(*a, *b, Status::kNonFinite, [&](Simulator& s) {
        DofVector tau{};
        tau[1] = number;
        return s.step(tau);
      });
      const auto c = box.after(steps), d = box.after(steps);
      expect_no_trace(*c, *d, Status::kNonFinite, [&](Simulator& s) {
        std::vector<Force<double>> f_ext(static_cast<std::size_t>(box.model->body_count));
        f_ext[0].n.y = number;
        return s.step({}, f_ext);
      });
    }
  }
}

TEST(Refusals, MoreSubstepsThanMayBe) {
  Box box;
  box.settings.integrator = {Method::kDormandPrince, 1e-9, 1};
  const auto a = box.after(100), b = box.after(100);
  expect_no_trace(*a, *b, Status::kStepLimit, [&](Simulator& s) {
    DofVector tau{};
    tau[0] = tau[1] = 1e4;  // it would turn by hundreds of radians within the step
    return s.step(tau);
  });
}

TEST(Refusals, AFootThatBeginsBelowTheGround) {
  const auto model = box(2, Box::half);
  SimulatorSettings settings;
  settings.foot_count = 1;
  settings.feet[0] = box_foot(*model, Box::half, {}, 4);
  for (const double depth : {1e-5, 0.01}) {
    auto simulator = std::make_unique<Simulator>(*model, settings);
    simulator->start_in_flight(in_the_air(*model, settings.ground, JointKind::kFree,
                                          placed({}, {0, 0, Box::half.z() - depth})));
    const SimulatorSnapshot was = simulator->save();
    const std::uint64_t hash = simulator->hash();
    for (int k = 0; k < 3; ++k) EXPECT_EQ(simulator->step({}), Status::kBelowGround);
    expect_same(*simulator, was);
    EXPECT_EQ(simulator->hash(), hash);
    EXPECT_EQ(simulator->events().size(), 0);
  }
}

TEST(Refusals, ARobotThatHasFallen) {
  const auto model = solid(2, {0, 0, 0}, {0.01, 0.01, 0.01}, {{0, 0, 0.1}, {0, 0, -0.1}});
  SimulatorSettings settings = feet_of(*model, 1, JointKind::kBall, {0.5, 0.5, 0});
  settings.fall_count = 1;
  settings.fall_frames[0] = find_frame(*model, "foot1");
  auto simulator = std::make_unique<Simulator>(*model, settings);
  simulator->start_in_flight(
      in_the_air(*model, settings.ground, JointKind::kFree, placed({}, {0, 0, 0.5})));
  while (!simulator->fallen()) ASSERT_EQ(simulator->step({}), Status::kOk);
  EXPECT_NEAR(simulator->state().time, std::sqrt(0.8 / kGravity), 1e-11);
  ASSERT_EQ(count(read_events(*simulator), EventKind::kFall), 1);
  const SimulatorSnapshot was = simulator->save();
  const EnergyAccount energy = simulator->energy();
  for (int k = 0; k < 3; ++k) EXPECT_EQ(simulator->step({}), Status::kFallen);
  expect_same(*simulator, was);
  EXPECT_EQ(std::memcmp(&simulator->energy(), &energy, sizeof energy), 0);
  EXPECT_EQ(simulator->events().size(), 0);
}

// A wheel whose mass is one point has no inertia to turn with: pushed over its rim it can do nothing.
TEST(Refusals, AJointWithoutInertia) {
  const auto model = rimless_wheel(8);
  SimulatorSettings settings = wheel_settings(*model, 8, 0.1);
  auto simulator = std::make_unique<Simulator>(*model, settings);
  simulator->start_in_flight(
      in_the_air(*model, settings.ground, JointKind::kPlanar, placed({}, {0, 0, 3})),
      JointKind::kPlanar);
  const SimulatorSnapshot was = simulator->save();
  for (int k = 0; k < 3; ++k) EXPECT_EQ(simulator->step({}), Status::kSingularInertia);
  expect_same(*simulator, was);
  EXPECT_EQ(simulator->events().size(), 0);
}

// Boxes thrown with spin, in steps of a fifth of a second: where more happens in one than is taken one by one, the implicit
// step that ends it goes along straight lines, and may leave a corner below the ground. Said, not done.
TEST(Refusals, DISABLED_StepsThatAreTooLong) {
  Random random(31);
  int refused = 0;
  for (int k = 0; k < 60; ++k) {
    Box box;
    box.settings.step = 0.2;
    box.settings.feet[0].material = {0.6, 0.5, 0.9};
    auto simulator = std::make_unique<Simulator>(*box.model, box.settings);
    simulator->start_in_flight(in_the_air(*box.model, box.settings.ground, JointKind::kFree,
                                          placed(random_vector(random, 2), {0, 0, 0.3}),
                                          random_vector(random, 15), random_vector(random)));
    for (int i = 0; i < 20; ++i) {
      const SimulatorSnapshot was = simulator->save();
      const std::uint64_t hash = simulator->hash();
      const EnergyAccount energy = simulator->energy();
      const int waiting = simulator->events().size();
      const Status status = simulator->step({});
      if (status == Status::kOk) continue;
      // too many events, or steps far too long for friction that is stiff: whatever it is called
      ++refused;
      expect_same(*simulator, was);
      EXPECT_EQ(simulator->hash(), hash);
      EXPECT_EQ(std::memcmp(&simulator->energy(), &energy, sizeof energy), 0);
      EXPECT_EQ(simulator->events().size(), waiting);
      break;
    }
  }
  EXPECT_GT(refused, 0);
}

}  // namespace
}  // namespace stance
