#include "stance_core/plant/lock_step.hpp"

#include <gtest/gtest.h>

#include <array>
#include <vector>

#include "support/plants.hpp"

namespace stance {
namespace {

using namespace test;

// The compass of Table 1, from just before its strike: the strike is the opening.
struct Walk {
  std::unique_ptr<Model> model = compass();
  SimulatorSettings settings = compass_settings(*model, 0.0524);
  std::vector<ContactEvent> opening;
  Keyframe start;

  Walk() {
    settings.fall_count = 1;
    settings.fall_frames[0] = find_frame(*model, "hip");
    const auto simulator = begin();
    for (ContactEvent event; simulator->events().pop(event);) opening.push_back(event);
    start = {"walk", simulator->save()};
  }
  std::unique_ptr<Simulator> begin() const {
    auto simulator = std::make_unique<Simulator>(*model, settings);
    start_compass(*simulator, 0.3236, 1.4939, -0.5424, 0.3117);
    EXPECT_EQ(simulator->strike(1), Status::kOk);
    return simulator;
  }
  std::unique_ptr<LockStep> lock_step(int sub_steps = 1) const {
    PlantSettings plant;
    plant.keyframes = {start};
    return std::make_unique<LockStep>(make_plant(*model, settings, plant), sub_steps, opening);
  }
};

std::vector<StampedEvent> drain(LockStep& lock_step) {
  std::vector<StampedEvent> events;
  for (StampedEvent event; lock_step.pop(event);) events.push_back(event);
  return events;
}

Answer answer(LockStep& lock_step, Request request) {
  static std::uint64_t id = 0;
  request.id = ++id;
  EXPECT_TRUE(lock_step.ask(request));
  Answer out;
  for (int k = 0; k < 1000; ++k) {
    EXPECT_EQ(lock_step.cycle(), Status::kOk);
    if (!lock_step.take(out)) continue;
    EXPECT_EQ(out.id, id);
    return out;
  }
  ADD_FAILURE() << "no answer";
  return out;
}

Request request(RequestKind kind) {
  Request r;
  r.kind = kind;
  return r;
}

// Events as a run without a plant has them, to the last bit, at any rate of cycles; stamps are times from the origin.
TEST(LockStep, HasTheEventsOfARun) {
  const Walk walk;
  const auto simulator = walk.begin();
  std::vector<ContactEvent> expected;
  for (int k = 0; k < 5000; ++k) ASSERT_EQ(simulator->step({}), Status::kOk);
  for (ContactEvent event; simulator->events().pop(event);) expected.push_back(event);
  ASSERT_GE(expected.size(), 14U);

  for (const int sub_steps : {1, 4}) {
    const auto lock_step = walk.lock_step(sub_steps);
    EXPECT_EQ(lock_step->period(), 1'000'000 * sub_steps);
    lock_step->run(7'000'000'000);
    for (int k = 0; k < 5000 / sub_steps; ++k) ASSERT_EQ(lock_step->cycle(), Status::kOk);
    const auto events = drain(*lock_step);
    ASSERT_EQ(events.size(), expected.size());
    for (std::size_t k = 0; k < events.size(); ++k) {
      EXPECT_EQ(events[k].event.sequence, k);
      EXPECT_EQ(events[k].event.sequence, expected[k].sequence);
      EXPECT_EQ(events[k].event.kind, expected[k].kind);
      EXPECT_EQ(events[k].event.frame, expected[k].frame);
      EXPECT_EQ(events[k].event.time, expected[k].time);
      EXPECT_EQ(events[k].event.energy_lost, expected[k].energy_lost);
      EXPECT_NEAR(static_cast<double>(events[k].stamp - 7'000'000'000), 1e9 * expected[k].time,
                  0.6);
    }
    EXPECT_EQ(lock_step->plant().simulator().hash(), simulator->hash());
    EXPECT_EQ(lock_step->clock().now(), 12'000'000'000);
  }
}

// In a pause the plant stands still and the clock does not; steps are counted, and answered when they are done.
TEST(LockStep, PausesAndSteps) {
  const Walk walk;
  const auto lock_step = walk.lock_step();
  lock_step->run(0);
  EXPECT_EQ(answer(*lock_step, request(RequestKind::kStep)).refusal, Refusal::kRunning);
  EXPECT_EQ(answer(*lock_step, request(RequestKind::kPause)).refusal, Refusal::kNone);
  const double paused = lock_step->plant().time();
  const std::int64_t clock = lock_step->clock().now();
  for (int k = 0; k < 100; ++k) ASSERT_EQ(lock_step->cycle(), Status::kOk);
  EXPECT_EQ(lock_step->plant().time(), paused);
  EXPECT_EQ(lock_step->clock().now(), clock + 100'000'000);

  Request steps = request(RequestKind::kStep);
  steps.steps = 0;
  EXPECT_EQ(answer(*lock_step, steps).status, Status::kBadCommand);
  steps.steps = 30;
  EXPECT_EQ(answer(*lock_step, steps).refusal, Refusal::kNone);
  EXPECT_NEAR(lock_step->plant().time(), paused + 0.030, 1e-12);
  EXPECT_EQ(answer(*lock_step, request(RequestKind::kGoOn)).refusal, Refusal::kNone);
  for (int k = 0; k < 10; ++k) ASSERT_EQ(lock_step->cycle(), Status::kOk);
  EXPECT_NEAR(lock_step->plant().time(), paused + 0.041, 1e-12);

  // events after the pause are stamped on the clock that went on
  for (int k = 0; k < 2000; ++k) ASSERT_EQ(lock_step->cycle(), Status::kOk);
  const auto events = drain(*lock_step);
  const std::int64_t stood = lock_step->clock().now() -
                             std::llround(1e9 * lock_step->plant().time());
  EXPECT_GT(stood, 100'000'000);
  EXPECT_NEAR(static_cast<double>(events.back().stamp - stood), 1e9 * events.back().event.time, 1);
}

// Somebody nudges the clock, as often as he likes: stamps take the nanoseconds over and never go back, and the walk is the
// same.
TEST(LockStep, GoesOnFromANudgedClock) {
  const Walk walk;
  const auto still = walk.lock_step(), nudged = walk.lock_step();
  still->run(1000);
  nudged->run(1000);
  std::int64_t last = 1000;
  for (int k = 0; k < 2000; ++k) {
    ASSERT_EQ(still->cycle(), Status::kOk);
    ASSERT_EQ(nudged->cycle(), Status::kOk);
    if (k % 3 == 0) {
      EXPECT_EQ(nudged->clock().nudge(), nudged->stamp() + 1);
    }
    EXPECT_GT(nudged->clock().now(), last);
    last = nudged->clock().now();
    EXPECT_EQ(last, still->clock().now() + k / 3 + 1);
  }
  EXPECT_EQ(nudged->plant().hash(), still->plant().hash());
  const auto a = drain(*still), b = drain(*nudged);
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t k = 1; k < b.size(); ++k) EXPECT_GE(b[k].stamp, b[k - 1].stamp);
  EXPECT_NEAR(static_cast<double>(b.back().stamp - a.back().stamp),
              1e6 * a.back().event.time / 3000, 1);
}

// Nothing moves until every joint that was named has commands; then the walk is the one that began at once.
TEST(LockStep, WaitsForItsControllers) {
  const Walk walk;
  const auto lock_step = walk.lock_step(), other = walk.lock_step();
  const JointId hip = *lock_step->plant().find_driven_joint("right_hip");
  lock_step->wait_for(std::array{hip});
  lock_step->run(0);
  const std::uint64_t hash = lock_step->plant().hash();
  for (int k = 0; k < 500; ++k) ASSERT_EQ(lock_step->cycle(), Status::kOk);
  EXPECT_EQ(lock_step->plant().hash(), hash);
  EXPECT_EQ(lock_step->stamp(), 500'000'000);
  lock_step->want_report();
  ASSERT_EQ(lock_step->cycle(), Status::kOk);
  ASSERT_TRUE(lock_step->update_report());
  EXPECT_TRUE(lock_step->report().waits);

  other->run(0);
  for (LockStep* one : {lock_step.get(), other.get()}) {
    ASSERT_EQ(one->plant().switch_commands(hip, kEffortCommand), Status::kOk);
    ASSERT_EQ(one->plant().write(hip, {.effort = 0.1}), Status::kOk);
    for (int k = 0; k < 100; ++k) ASSERT_EQ(one->cycle(), Status::kOk);
  }
  EXPECT_EQ(lock_step->plant().hash(), other->plant().hash());
  EXPECT_NE(lock_step->plant().hash(), hash);
  // only once: a controller that leaves does not stop the world
  ASSERT_EQ(lock_step->plant().switch_commands(hip, kNoCommand), Status::kOk);
  ASSERT_EQ(lock_step->cycle(), Status::kOk);
  EXPECT_FALSE(lock_step->plant().paused());
  // and somebody may say that it need not wait
  lock_step->wait_for(std::array{hip});
  ASSERT_EQ(lock_step->cycle(), Status::kOk);
  EXPECT_TRUE(lock_step->plant().paused());
  EXPECT_EQ(answer(*lock_step, request(RequestKind::kGoOn)).refusal, Refusal::kNone);
  EXPECT_FALSE(lock_step->plant().paused());
}

// A reset walks the same walk again; its events count on, and neither clock nor stamps go back.
TEST(LockStep, ResetsWithoutGoingBack) {
  const Walk walk;
  const auto lock_step = walk.lock_step();
  lock_step->run(0);
  for (int k = 0; k < 2500; ++k) ASSERT_EQ(lock_step->cycle(), Status::kOk);
  const auto first = drain(*lock_step);
  EXPECT_EQ(answer(*lock_step, request(RequestKind::kReset)).refusal, Refusal::kNone);
  for (int k = 1; k < 2500; ++k) ASSERT_EQ(lock_step->cycle(), Status::kOk);
  const auto second = drain(*lock_step);
  ASSERT_EQ(second.size(), first.size());
  for (std::size_t k = 0; k < first.size(); ++k) {
    EXPECT_EQ(second[k].event.sequence, first.size() + k);
    EXPECT_EQ(second[k].epoch, 1U);
    EXPECT_NEAR(static_cast<double>(second[k].stamp - first[k].stamp), 2.5e9, 2);
    EXPECT_EQ(second[k].event.energy_lost, first[k].event.energy_lost);
  }
}

// What was asked before a run, and waited for in vain, is not done later.
TEST(LockStep, ForgetsStaleRequests) {
  const Walk walk;
  const auto lock_step = walk.lock_step();
  ASSERT_TRUE(lock_step->ask(request(RequestKind::kPause)));
  lock_step->forget_requests();
  lock_step->run(0);
  ASSERT_EQ(lock_step->cycle(), Status::kOk);
  EXPECT_FALSE(lock_step->plant().paused());
}

TEST(LockStep, RefusesAResetUnderACommand) {
  const Walk walk;
  const auto lock_step = walk.lock_step();
  lock_step->run(0);
  const JointId hip = *lock_step->plant().find_driven_joint("right_hip");
  ASSERT_EQ(lock_step->plant().switch_commands(hip, kEffortCommand), Status::kOk);
  Request reset = request(RequestKind::kReset);
  const Answer refused = answer(*lock_step, reset);
  EXPECT_EQ(refused.refusal, Refusal::kCommanded);
  EXPECT_EQ(refused.joint, hip);
  EXPECT_EQ(lock_step->plant().epoch(), 0U);
  reset.force = true;
  EXPECT_EQ(answer(*lock_step, reset).refusal, Refusal::kNone);
  EXPECT_EQ(lock_step->plant().epoch(), 1U);
  reset.keyframe = 3;
  EXPECT_EQ(answer(*lock_step, reset).status, Status::kBadCommand);
}

// A push fells the robot: that is an event and no failure, the clock goes on, and a reset sets it up again.
TEST(LockStep, SurvivesAFall) {
  const Walk walk;
  const auto lock_step = walk.lock_step();
  lock_step->run(0);
  Request push = request(RequestKind::kPush);
  push.wrench.frame = find_frame(*walk.model, "hip");
  push.wrench.force_W = {-200, 0, 0};
  push.wrench.duration = 0.2;
  EXPECT_EQ(answer(*lock_step, push).refusal, Refusal::kNone);
  push.wrench.duration = -1;
  EXPECT_EQ(answer(*lock_step, push).status, Status::kBadCommand);
  for (int k = 0; k < 5000; ++k) ASSERT_EQ(lock_step->cycle(), Status::kOk);
  EXPECT_TRUE(lock_step->plant().fallen());
  EXPECT_EQ(drain(*lock_step).back().event.kind, EventKind::kFall);
  EXPECT_GT(lock_step->clock().now(), 5'000'000'000);
  lock_step->want_report();
  ASSERT_EQ(lock_step->cycle(), Status::kOk);
  ASSERT_TRUE(lock_step->update_report());
  EXPECT_EQ(lock_step->report().fallen_frame, find_frame(*walk.model, "hip"));
  EXPECT_EQ(answer(*lock_step, request(RequestKind::kReset)).refusal, Refusal::kNone);
  EXPECT_FALSE(lock_step->plant().fallen());
}

TEST(LockStep, InjectsFaults) {
  const Walk walk;
  const auto lock_step = walk.lock_step();
  lock_step->run(0);
  Request inject = request(RequestKind::kInject);
  inject.fault.kind = FaultKind::kFrozenEncoder;
  EXPECT_EQ(answer(*lock_step, inject).refusal, Refusal::kNone);
  const JointId hip = *lock_step->plant().find_driven_joint("right_hip");
  const double frozen = lock_step->plant().joint(hip).position;
  for (int k = 0; k < 50; ++k) ASSERT_EQ(lock_step->cycle(), Status::kOk);
  EXPECT_EQ(lock_step->plant().joint(hip).position, frozen);
  EXPECT_EQ(answer(*lock_step, request(RequestKind::kClearFaults)).refusal, Refusal::kNone);
  EXPECT_NE(lock_step->plant().joint(hip).position, frozen);
  inject.fault.kind = FaultKind::kTorqueLoss;
  inject.fault.amount = 2;
  EXPECT_EQ(answer(*lock_step, inject).status, Status::kBadCommand);
}

TEST(LockStep, ReportsWhenAsked) {
  const Walk walk;
  const auto lock_step = walk.lock_step(2);
  lock_step->run(5);
  for (int k = 0; k < 1000; ++k) {
    ASSERT_EQ(lock_step->cycle(), Status::kOk);
    lock_step->measured(k == 7 ? 3'000'000 : 50'000, k == 0 ? 0 : 2'010'000);
  }
  EXPECT_FALSE(lock_step->update_report());
  lock_step->want_report();
  lock_step->refused(JointId(1));
  ASSERT_EQ(lock_step->cycle(), Status::kOk);
  ASSERT_TRUE(lock_step->update_report());
  const Report& report = lock_step->report();
  EXPECT_EQ(report.stamp, lock_step->stamp());
  EXPECT_NEAR(report.time, 2.002, 1e-12);
  EXPECT_EQ(report.steps, 2002U);
  EXPECT_EQ(report.cycles, 1001U);
  EXPECT_EQ(report.hash, lock_step->plant().simulator().hash());
  EXPECT_EQ(report.events, drain(*lock_step).size());
  EXPECT_EQ(report.dropped_events, 0U);
  EXPECT_EQ(report.refused_joint, JointId(1));
  EXPECT_EQ(report.support_foot, lock_step->plant().simulator().support_foot());
  const std::size_t foot = static_cast<std::size_t>(report.support_foot);
  EXPECT_EQ(report.foot_modes[foot], ContactMode::kStick);
  EXPECT_EQ(report.foot_modes[1 - foot], ContactMode::kOpen);
  EXPECT_EQ(report.foot_points[foot],
            lock_step->plant().simulator().site_point(report.support_foot));
  EXPECT_EQ(report.foot_points[1 - foot], Vec3<double>());
  EXPECT_FALSE(report.fallen_frame.valid());
  EXPECT_EQ(report.overruns, 1U);
  EXPECT_EQ(report.times.max(), 3'000'000);
  EXPECT_NEAR(static_cast<double>(report.jitter.quantile(0.5)), 10e3, 1e3);
}

// Nobody takes the events: what does not fit is counted, and shows as a gap in the sequence.
TEST(LockStep, CountsWhatIsLost) {
  const auto model = compass();
  SimulatorSettings settings = compass_settings(*model, 0.0524);
  PlantSettings plant;
  plant.keyframes = {walking_compass(*model, settings)};
  const auto lock_step = std::make_unique<LockStep>(make_plant(*model, settings, plant), 1,
                                                    std::vector<ContactEvent>(5000));
  lock_step->run(0);
  for (int k = 0; k < 1000; ++k) ASSERT_EQ(lock_step->cycle(), Status::kOk);
  EXPECT_EQ(drain(*lock_step).size(), 4096U);
  lock_step->want_report();
  ASSERT_EQ(lock_step->cycle(), Status::kOk);
  ASSERT_TRUE(lock_step->update_report());
  EXPECT_GE(lock_step->report().dropped_events, 904U);
  for (int k = 0; k < 1000; ++k) ASSERT_EQ(lock_step->cycle(), Status::kOk);
  const auto later = drain(*lock_step);
  ASSERT_FALSE(later.empty());
  EXPECT_GE(later.front().event.sequence, 5000U);
}

}  // namespace
}  // namespace stance
