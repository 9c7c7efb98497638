// The law in closed loop with a plant, at 1 kHz and through the plant's sensors alone, and its parts.
#include "stance_gait/compass_law.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "stance_core/dynamics/kinematics.hpp"
#include "stance_core/dynamics/momentum.hpp"
#include "support/count_heap.hpp"
#include "support/plants.hpp"

namespace stance {
namespace {

using namespace test;

// s. Commands are held for 1 ms, so steps that begin at another phase of the cycle differ by a part of it.
constexpr double kSpread = 5e-4;

// Just before the right foot strikes.
struct Start {
  double angle = 0.2, rate = 1.1, hip_rate = 0;  // as config/compass_powered.yaml
};

// A compass on level ground whose hip takes efforts and whose trailing leg can push off.
class Loop {
 public:
  explicit Loop(const Start& start = {}, PlantSettings settings = {}, const CompassGait& gait = {})
      : law(gait) {
    SimulatorSettings simulator_settings = compass_settings(*model_, 0);
    simulator_settings.push_off = {0, find_frame(*model_, "hip")};
    const auto simulator = std::make_unique<Simulator>(*model_, simulator_settings);
    start_compass(*simulator, start.angle, start.rate, -2 * start.angle, start.hip_rate);
    EXPECT_EQ(simulator->strike(1), Status::kOk);
    settings.keyframes = {{"start", simulator->save()}};
    plant = make_plant(*model_, simulator_settings, settings);
    hip = *plant->find_driven_joint("right_hip");
    EXPECT_EQ(plant->switch_commands(hip, kEffortCommand), Status::kOk);
  }

  CompassReading read() const {
    const BaseReading& base = plant->base();
    const JointReading& joint = plant->joint(hip);
    return {planar_pitch(base.orientation.y, base.orientation.w),
            base.angular_velocity.y,
            joint.position,
            joint.velocity,
            plant->foot(0).support != 0,
            plant->foot(1).support != 0};
  }

  // One cycle of the controller: 1 ms.
  Status cycle() noexcept {
    const CompassCommand command = law.update(read());
    largest_effort = std::max(largest_effort, std::abs(command.hip_effort));
    (void)plant->write(hip, {.effort = command.hip_effort});
    (void)plant->write_push_off(command.push_off);
    return plant->step();
  }

  // Until so many touchdowns more have happened. Their times.
  std::vector<double> walk(int touchdowns) {
    std::vector<double> times;
    for (int k = 0; k < 2000 * touchdowns && static_cast<int>(times.size()) < touchdowns; ++k) {
      const Status status = cycle();
      ContactEvent event;
      while (plant->pop_event(event))
        if (event.kind == EventKind::kTouchdown) times.push_back(event.time);
      if (status != Status::kOk) break;
    }
    return times;
  }

  // Largest difference between two of the last `count` periods.
  static double spread(const std::vector<double>& times, std::size_t count) {
    double low = HUGE_VAL, high = 0;
    for (std::size_t k = times.size() - count; k < times.size(); ++k) {
      low = std::min(low, times[k] - times[k - 1]);
      high = std::max(high, times[k] - times[k - 1]);
    }
    return high - low;
  }

 private:
  std::unique_ptr<Model> model_ = compass();

 public:
  CompassLaw law;
  std::unique_ptr<Plant> plant;
  JointId hip;
  double largest_effort = 0;
};

TEST(CompassLaw, WalksOnLevelGround) {
  Loop loop;
  const auto times = loop.walk(500);
  ASSERT_EQ(times.size(), 500u);
  EXPECT_FALSE(loop.plant->fallen());
  EXPECT_EQ(loop.law.touchdowns(), 499u);  // it hears of the last in the next cycle
  const double period = (times[499] - times[399]) / 100;
  RecordProperty("period", std::to_string(period));
  RecordProperty("spread", std::to_string(Loop::spread(times, 100)));
  EXPECT_NEAR(period, 0.557, 5e-4);
  EXPECT_LT(Loop::spread(times, 100), kSpread);
  EXPECT_NEAR(loop.plant->base().position.x / 500, 0.39, 0.01);
  EXPECT_LT(loop.largest_effort, 8);
}

// The push-off alone walks too (config/compass_powered.yaml), but only from close by. With the law it does from afar.
TEST(CompassLaw, WidensTheBasin) {
  CompassGait push_only;
  push_only.placement_kp = push_only.placement_kd = push_only.energy_gain = 0;
  push_only.push_off = 0.5, push_only.push_off_gain = 0;
  int alone = 0, with_law = 0, starts = 0;
  for (const double angle : {0.10, 0.13, 0.16, 0.19, 0.22, 0.25}) {
    for (const double rate : {0.7, 0.8, 0.9, 1.0, 1.1, 1.2}) {
      const Start start{angle, rate, 0};
      alone += Loop(start, {}, push_only).walk(30).size() == 30;
      with_law += Loop(start).walk(30).size() == 30;
      ++starts;
    }
  }
  RecordProperty("starts", starts);
  RecordProperty("alone", alone);
  RecordProperty("with_law", with_law);
  EXPECT_GE(with_law,
            18);  // 19: from some of the others it is so fast that the foot leaves the ground
  EXPECT_LE(alone, 6);
}

TEST(CompassLaw, RecoversFromKicks) {
  for (const double share : {0.01, -0.01, 0.05, -0.05}) {
    Loop loop;
    const double steady = loop.walk(50).back();
    // 4 kg at some 0.7 m/s: the share of the momentum in 10 ms, at the hip, in mid-swing
    for (int k = 0; k < 250; ++k) ASSERT_EQ(loop.cycle(), Status::kOk);
    Wrench kick;
    kick.frame = find_frame(loop.plant->model(), "hip");
    kick.force_W = {share * 4 * 0.7 / 0.01, 0, 0};
    kick.duration = 0.01;
    ASSERT_EQ(loop.plant->push(kick), Status::kOk);
    const auto times = loop.walk(60);
    ASSERT_EQ(times.size(), 60u) << share;
    EXPECT_GT(std::abs(times[0] - steady - 0.557), 1e-3) << "the kick was not felt: " << share;
    EXPECT_LT(Loop::spread(times, 30), kSpread) << share;
    EXPECT_NEAR((times[59] - times[29]) / 30, 0.557, 5e-4) << share;
  }
}

// Debounced contacts, late and noisy sensors, a late motor: as a robot has them.
TEST(CompassLaw, WalksWithImperfectSensors) {
  PlantSettings settings;
  settings.joint_latency = settings.base.latency = 2e-3;
  settings.base.orientation.deviation = 1e-3;
  settings.base.angular_velocity.deviation = 1e-2;
  for (auto& foot : settings.feet) foot.latency = 2e-3;
  for (auto& sensor : settings.joint_sensors) {
    sensor.position.deviation = 1e-3;
    sensor.velocity.deviation = 1e-2;
  }
  for (auto& actuator : settings.actuators) actuator.delay = 2e-3;
  Loop loop({}, settings);
  const auto times = loop.walk(200);
  ASSERT_EQ(times.size(), 200u);
  EXPECT_LT(Loop::spread(times, 100), 2e-2);
}

TEST(CompassLaw, RepeatsToTheLastBit) {
  Loop one, other;
  (void)one.walk(20), (void)other.walk(20);
  EXPECT_EQ(one.plant->hash(), other.plant->hash());
  ASSERT_EQ(other.plant->reset(), Status::kOk);
  other.law.reset();
  (void)other.walk(20);
  EXPECT_EQ(one.plant->simulator().hash(), other.plant->simulator().hash());
}

TEST(CompassLaw, MakesNoHeapCall) {
  if (!CountHeap::works()) GTEST_SKIP() << "a sanitizer owns the heap";
  Loop loop;
  Status status = Status::kOk;
  const CountHeap heap;
  for (int k = 0; k < 2000 && status == Status::kOk; ++k) status = loop.cycle();
  const long calls = heap.calls();
  EXPECT_EQ(status, Status::kOk);
  EXPECT_EQ(calls, 0);
}

// (1) against the core's energies, on either foot.
TEST(CompassLaw, KnowsTheEnergy) {
  const auto model = compass();
  const auto simulator = std::make_unique<Simulator>(*model, compass_settings(*model, 0));
  Workspace& w = simulator->workspace();
  std::mt19937 random(7);
  std::uniform_real_distribution<double> number(-1, 1);
  for (int k = 0; k < 50; ++k) {
    const double q[] = {number(random)}, v[] = {number(random)};
    State joints = neutral_state(*model, simulator->tree());
    joints.q[kSupportCoordinates] = number(random);
    joints.v[kSupportDofs] = number(random);
    const int foot = k % 2;
    simulator->start_on_foot(foot, {}, joints, q, v);
    const State& state = simulator->state();
    kinematics(*model, simulator->tree(), state, w);
    const double energy = kinetic_energy(simulator->tree(), state, w) +
                          potential_energy(*model, simulator->tree(), w);
    const PoseTwist base = body_motion(*model, simulator->tree(), state, BodyId(0));
    const Quaternion orientation = quaternion(base.X_WH.R);
    CompassLaw law;
    (void)law.update({planar_pitch(orientation.y, orientation.w), base.V_H.w.y,
                      joints.q[kSupportCoordinates], joints.v[kSupportDofs], foot == 0, foot == 1});
    EXPECT_NEAR(law.energy(), energy, 1e-12 * 30);  // some 30 J
  }
  EXPECT_NEAR(CompassLaw().reference(), 9.81 * 3 + 0.87, 1e-12);
}

// The energy comes in through the hip: E' = u phi' between touchdowns.
TEST(CompassLaw, BringsEnergyTowardsItsReference) {
  CompassGait tracking;
  tracking.placement_kp = tracking.placement_kd = 0;
  for (const double surplus : {0.2, 1.5}) {
    tracking.surplus = surplus;
    Loop loop({}, {}, tracking);
    (void)loop.cycle();
    double lacking = std::abs(loop.law.reference() - loop.law.energy());
    for (int k = 0; k < 300; ++k) {
      ASSERT_EQ(loop.cycle(), Status::kOk);
      const double now = std::abs(loop.law.reference() - loop.law.energy());
      EXPECT_LE(now, lacking + 1e-6)
          << k;  // a held effort may do wrong for a cycle as the leg turns
      lacking = now;
    }
  }
}

TEST(CompassLaw, LetsGoInFlight) {
  CompassLaw law;
  const CompassCommand command = law.update({0.1, 0.2, 0.3, 0.4, false, false});
  EXPECT_EQ(command.hip_effort, 0);
  EXPECT_EQ(command.push_off, law.gait().push_off);
  EXPECT_EQ(law.touchdowns(), 0u);
}

TEST(CompassLaw, StaysWithinItsLimits) {
  CompassGait gait;
  gait.effort_limit = 1, gait.push_off_limit = 0.2;
  CompassLaw law(gait);
  const CompassReading wild{3, 10, 2, -30, true, false};
  CompassReading mirrored = wild;
  mirrored.left_support = false, mirrored.right_support = true;
  for (const auto& reading : {wild, mirrored}) {
    const CompassCommand command = law.update(reading);
    EXPECT_LE(std::abs(command.hip_effort), 1);
    EXPECT_GE(command.push_off, 0);
    EXPECT_LE(command.push_off, 0.2);
  }
}

TEST(CompassLaw, RefusesSenselessNumbersByName) {
  EXPECT_FALSE(complaint({}));
  struct Case {
    double CompassGait::*member;
    double value;
    const char* text;
  };
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const Case& c : {Case{&CompassGait::surplus, 0,
                             "surplus: is 0.000000; it must be a finite number, above zero"},
                        Case{&CompassGait::push_off, -0.5,
                             "push_off: is -0.500000; it must be a finite number, zero or above"},
                        Case{&CompassGait::placement_kp, nan,
                             "placement_kp: is nan; it must be a finite number, zero or above"}}) {
    CompassGait gait;
    gait.*c.member = c.value;
    const auto error = complaint(gait);
    ASSERT_TRUE(error);
    EXPECT_EQ(error->text(), c.text);
  }
  CompassGait gait;
  gait.body.mass_below = 1.5;
  ASSERT_TRUE(complaint(gait));
  EXPECT_EQ(
      complaint(gait)->text(),
      "mass_below: is 1.500000 m, longer than the leg (1.000000 m); it counts from the hip down");
}

}  // namespace
}  // namespace stance
