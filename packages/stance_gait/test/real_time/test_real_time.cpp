// The real-time contract over every scenario of config/: no heap, lock, file, text, wait, clock or exception in any step,
// impacts and re-roots included, and not one system call. And that each of these would have been seen.
#include <gtest/gtest.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <mutex>
#include <shared_mutex>
#include <stdexcept>
#include <thread>

#include "count_calls.hpp"
#include "no_system_call.hpp"
#include "stance_gait/make_law.hpp"
#include "stance_model/load_scenario.hpp"

namespace stance {
namespace {

using namespace test;
namespace fs = std::filesystem;

// ---- the counters count

struct Known {
  const char* name;
  Call call;
  std::function<void()> make;
};

// One call of new and one of delete, which the compiler would leave out if it saw both.
void use_heap() {
  int* volatile p = new int(3);
  delete p;
}

std::vector<Known> known_calls() {
  static std::mutex mutex;
  static std::shared_mutex shared_mutex;
  static std::condition_variable condition;
  static char text[64];
  static std::FILE* const null = std::fopen("/dev/null", "r+");
  return {
      {"new and delete", Call::kHeap, [] { use_heap(); }},
      {"malloc", Call::kHeap,
       [] {
         void* volatile p = std::malloc(100);
         std::free(p);
       }},
      {"a vector", Call::kHeap,
       [] {
         static std::vector<int> numbers;
         numbers.assign(100, 3);
         numbers = {};
       }},
      {"mutex", Call::kLock, [] { std::lock_guard lock(mutex); }},
      {"mutex, tried", Call::kLock, [] { std::unique_lock lock(mutex, std::try_to_lock); }},
      {"shared mutex, to read", Call::kLock, [] { std::shared_lock lock(shared_mutex); }},
      {"shared mutex, to write", Call::kLock, [] { std::unique_lock lock(shared_mutex); }},
      {"call once", Call::kLock,
       [] {
         std::once_flag once;
         std::call_once(once, [] { text[0] = 'a'; });
       }},
      {"a static made in a function", Call::kLock,
       [] {
         static const std::thread::id id = std::this_thread::get_id();
         text[0] = id == std::thread::id() ? 'a' : 'b';
       }},
      {"condition", Call::kWait,
       [] {
         std::unique_lock lock(mutex);
         condition.wait_for(lock, std::chrono::microseconds(1));
       }},
      {"sleep", Call::kWait, [] { std::this_thread::sleep_for(std::chrono::nanoseconds(1)); }},
      {"yield", Call::kWait, [] { std::this_thread::yield(); }},
      {"thread", Call::kWait, [] { std::thread([] {}).join(); }},
      {"steady clock", Call::kClock, [] { (void)std::chrono::steady_clock::now(); }},
      {"system clock", Call::kClock, [] { (void)std::chrono::system_clock::now(); }},
      {"fopen", Call::kFile, [] { std::fclose(std::fopen("/dev/null", "r")); }},
      {"fprintf", Call::kFile, [] { std::fprintf(null, "%.3f %d\n", 1.5, 3); }},
      {"printf", Call::kFile,
       [] {
         const char* volatile nothing = "";
         std::printf("%s", nothing);
       }},
      {"fputs", Call::kFile, [] { std::fputs("text", null); }},
      {"fwrite", Call::kFile, [] { std::fwrite("text", 1, 4, null); }},
      {"fread", Call::kFile, [] { EXPECT_EQ(std::fread(text, 1, 4, null), 0u); }},
      {"a stream", Call::kFile, [] { std::ofstream("/dev/null") << 3.5 << std::endl; }},
      {"write", Call::kFile, [] { EXPECT_EQ(write(fileno(null), "text", 4), 4); }},
      {"read", Call::kFile, [] { EXPECT_EQ(read(fileno(null), text, 4), 0); }},
      {"snprintf", Call::kText, [] { std::snprintf(text, sizeof text, "%g %d", 2.5, getpid()); }},
      {"throw", Call::kThrow,
       [] {
         try {
           throw std::runtime_error("seen");
         } catch (const std::exception& error) {
           text[0] = error.what()[0];
         }
       }},
      {"a system call by its number", Call::kSystem, [] { EXPECT_GT(syscall(SYS_getpid), 0); }},
  };
}

TEST(CountCalls, SeeEveryKind) {
  if (!CountCalls::works()) GTEST_SKIP() << "a sanitizer stands in for these functions itself";
  std::array<int, kCallKinds> kinds{};
  for (const Known& known : known_calls()) {
    const CountCalls calls;
    known.make();
    const long count = calls.count(known.call);
    EXPECT_GE(count, 1) << known.name << " is not seen";
    ++kinds[static_cast<std::size_t>(known.call)];
  }
  for (int k = 0; k < kCallKinds; ++k)
    EXPECT_GT(kinds[static_cast<std::size_t>(k)], 0) << to_string(static_cast<Call>(k));
}

TEST(CountCalls, HandOnWhatTheyAreGiven) {
  if (!CountCalls::works()) GTEST_SKIP() << "a sanitizer stands in for these functions itself";
  char text[64];
  EXPECT_EQ(std::snprintf(text, sizeof text, "%d %.2f %s", 7, 2.25, "word"), 11);
  EXPECT_STREQ(text, "7 2.25 word");
  EXPECT_EQ(syscall(SYS_getpid), getpid());
  volatile double x = 2;
  const CountCalls quiet;
  x = std::sin(x) + x;
  EXPECT_EQ(quiet.text(), "none");
  const CountCalls calls;
  use_heap();
  EXPECT_EQ(calls.text(), "2 heap");
}

TEST(CountCalls, AreOfOneThread) {
  if (!CountCalls::works()) GTEST_SKIP() << "a sanitizer stands in for these functions itself";
  std::atomic<int> stage{0};
  std::thread other([&] {
    while (stage != 1) {
    }
    std::vector<int>(100).at(3) = 4;
    stage = 2;
  });
  const CountCalls calls;
  stage = 1;
  while (stage != 2) {
  }
  EXPECT_EQ(calls.total(), 0) << calls.text();
  other.join();
}

// ---- the kernel forbids

long forbidden(const std::function<void()>& call) {
  const Confined done = run_without_system_calls([&] {
    call();
    return 0L;
  });
  return done.how == Confined::How::kSystemCall ? done.number : -1;
}

bool can_confine() {
  return run_without_system_calls([] { return 0L; }).how != Confined::How::kUnavailable;
}

TEST(NoSystemCall, TrapsThemAll) {
  if (!CountCalls::works()) GTEST_SKIP() << "a sanitizer makes system calls of its own";
  if (!can_confine()) GTEST_SKIP() << "seccomp is not permitted here";
  EXPECT_EQ(forbidden([] { (void)getppid(); }), SYS_getppid);
  EXPECT_EQ(forbidden([] { (void)!write(1, "", 0); }), SYS_write);
  EXPECT_EQ(forbidden([] { std::fputs("not to be seen\n", stderr); }), SYS_write);
  EXPECT_EQ(forbidden([] { std::this_thread::yield(); }), SYS_sched_yield);
  EXPECT_EQ(forbidden([] {
              void* volatile p = std::malloc(std::size_t(1) << 28);  // the heap must grow
              std::free(p);
            }),
            SYS_mmap);
  // a lock that is taken; a free one needs no system call, and is seen by the counters
  EXPECT_EQ(forbidden([] {
              std::mutex mutex;
              mutex.lock();
              mutex.lock();
            }),
            SYS_futex);
}

TEST(NoSystemCall, BringsTheResultBack) {
  if (!CountCalls::works()) GTEST_SKIP() << "a sanitizer makes system calls of its own";
  if (!can_confine()) GTEST_SKIP() << "seccomp is not permitted here";
  volatile double x = 0.5;
  const Confined done = run_without_system_calls(
      [&] { return std::lround(1e6 * std::sin(x) * std::sin(x)); });
  EXPECT_EQ(done.how, Confined::How::kFinished) << done.text();
  EXPECT_EQ(done.result, 229849);
  const Confined died = run_without_system_calls([]() -> long { __builtin_trap(); });
  EXPECT_EQ(died.how, Confined::How::kSignal) << died.text();
}

// ---- every scenario

struct Counted {
  long steps = 0, touchdowns = 0, events = 0;
  Status status = Status::kOk;
};

// Up to 30,000 steps under the scenario's law, as a controller would take them: step, then all events out of the ring.
Counted walk(ControlLoop& loop, long steps) noexcept {
  Counted counted;
  ContactEvent event;
  while (counted.steps < steps && counted.status == Status::kOk && !loop.simulator().fallen()) {
    counted.status = loop.step();
    ++counted.steps;
    while (loop.plant().events().pop(event)) {
      ++counted.events;
      counted.touchdowns += event.kind == EventKind::kTouchdown ? 1 : 0;
    }
  }
  return counted;
}

constexpr long kMostSteps = 30000;

std::vector<std::string> scenario_names() {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(STANCE_CONFIG_FOLDER)) {
    if (entry.path().extension() == ".yaml") names.push_back(entry.path().stem().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

class EveryScenario : public testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    auto loaded = load_scenario(fs::path(STANCE_CONFIG_FOLDER) / (GetParam() + ".yaml"));
    ASSERT_TRUE(loaded) << loaded.error().text();
    scenario_ = std::move(*loaded);
    steps_ = std::min(kMostSteps, std::lround(scenario_->duration / scenario_->settings.step));
  }

  // With the scenario's settings as they are now.
  ControlLoop started() {
    auto loop = make_control_loop(*scenario_);
    EXPECT_TRUE(loop) << loop.error().text();
    return *std::move(loop);
  }

  std::unique_ptr<Scenario> scenario_;
  // impacts and re-roots are part of the proof; who stands has landed once
  long touchdowns() const {
    if (!scenario_->loops.empty()) return 0;  // the four-bar hangs
    const bool walks = scenario_->settings.push_off.towards.valid() ||
                       scenario_->initial.foot >= 0 || scenario_->law.name == "trot";
    return walks ? 5 : 1;
  }
  long steps_ = 0;
};

TEST_P(EveryScenario, DoesNothingForbidden) {
  if (!CountCalls::works()) GTEST_SKIP() << "a sanitizer stands in for these functions itself";
  ControlLoop loop = started();
  const CountCalls calls;
  const Counted counted = walk(loop, steps_);
  EXPECT_EQ(calls.total(), 0) << calls.text();
  EXPECT_EQ(counted.status, Status::kOk);
  EXPECT_EQ(counted.steps, steps_);
  EXPECT_GE(counted.touchdowns, touchdowns());
}

// The scenario chooses one integrator; a user may choose the others.
TEST_P(EveryScenario, DoesNothingForbiddenWithAnyMethod) {
  if (!CountCalls::works()) GTEST_SKIP() << "a sanitizer stands in for these functions itself";
  for (const Method method :
       {Method::kRungeKutta4, Method::kSemiImplicitEuler, Method::kDormandPrince}) {
    scenario_->settings.integrator.method = method;
    ControlLoop loop = started();
    const CountCalls calls;
    const Counted counted = walk(loop, steps_ / 6);
    EXPECT_EQ(calls.total(), 0) << calls.text();
    EXPECT_GE(counted.events, std::min(touchdowns(), 1L));
  }
}

TEST_P(EveryScenario, MakesNoSystemCall) {
  if (!CountCalls::works()) GTEST_SKIP() << "a sanitizer makes system calls of its own";
  if (!can_confine()) GTEST_SKIP() << "seccomp is not permitted here";
  ControlLoop loop = started();
  const Confined done = run_without_system_calls([&] {
    const Counted counted = walk(loop, steps_);
    return counted.status == Status::kOk ? counted.touchdowns : -1;
  });
  EXPECT_EQ(done.how, Confined::How::kFinished) << done.text();
  EXPECT_GE(done.result, touchdowns());
}

// The same robot behind a plant, without its law, so that some collapse: commands in, step, sensors and events out, as a controller's cycle has it.
TEST_P(EveryScenario, DoesNothingForbiddenAsAPlant) {
  if (!CountCalls::works()) GTEST_SKIP() << "a sanitizer stands in for these functions itself";
  PlantSettings settings;
  settings.keyframes = {{"start", started().simulator().save()}};
  settings.imus.push_back({"imu", FrameId(0), {}, {}, {}, 2e-3});
  settings.joint_latency = 1e-3;
  auto made = Plant::make(scenario_->robot->model, scenario_->settings, settings);
  ASSERT_TRUE(made) << made.error().text();
  Plant& plant = **made;
  ASSERT_EQ(plant.reset(), Status::kOk);

  long touchdowns = 0, bad = 0;
  double sum = 0;
  ContactEvent event;
  const auto cycle = [&](CommandSet set, const Command& command) noexcept {
    for (int i = 1; i < plant.model().body_count; ++i) {
      if (!plant.is_driven(JointId(i))) continue;
      if (plant.commands(JointId(i)) != set)
        bad += plant.switch_commands(JointId(i), set) != Status::kOk ? 1 : 0;
      bad += plant.write(JointId(i), command) != Status::kOk ? 1 : 0;
      sum += plant.joint(JointId(i)).position;
    }
    const Status status = plant.step();
    bad += status != Status::kOk && status != Status::kFallen ? 1 : 0;
    sum += plant.imu(0).angular_velocity.y + plant.base().position.x + plant.foot(0).force.z;
    while (plant.pop_event(event)) touchdowns += event.kind == EventKind::kTouchdown ? 1 : 0;
  };
  const CountCalls calls;
  for (long k = 0; k < steps_ / 2 && !plant.fallen(); ++k) {
    cycle(kEffortCommand, {.effort = 0});
    cycle(kHybridCommand, {.position = 0, .velocity = 0, .effort = 0, .kp = 0, .kd = 1e-9});
  }
  EXPECT_EQ(calls.total(), 0) << calls.text();
  EXPECT_EQ(bad, 0);
  EXPECT_TRUE(std::isfinite(sum));
  EXPECT_GE(touchdowns, std::min(this->touchdowns(), scenario_->initial.foot >= 0 ? 5L : 1L));
}

INSTANTIATE_TEST_SUITE_P(Config, EveryScenario, testing::ValuesIn(scenario_names()),
                         [](const auto& name) { return name.param; });

TEST(Scenarios, AreFound) { EXPECT_GE(scenario_names().size(), 5u); }

}  // namespace
}  // namespace stance
