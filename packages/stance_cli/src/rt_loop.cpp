#include "rt_loop.hpp"

#include <sys/resource.h>

#include <algorithm>
#include <cerrno>
#include <ctime>

#include "heap_calls.hpp"

namespace stance {
namespace {

constexpr int kWarmUpSteps = 2000;  // pages and caches; enough for some impacts of a walker

std::int64_t now() noexcept {
  timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return std::int64_t(t.tv_sec) * 1'000'000'000 + t.tv_nsec;
}

void sleep_until(std::int64_t instant) noexcept {
  const timespec t{static_cast<std::time_t>(instant / 1'000'000'000),
                   static_cast<long>(instant % 1'000'000'000)};
  while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &t, nullptr) == EINTR) {
  }
}

LoopCounts counts() noexcept {
  rusage usage{};
  getrusage(RUSAGE_THREAD, &usage);
  return {heap_calls(), usage.ru_minflt, usage.ru_majflt, usage.ru_nvcsw, usage.ru_nivcsw};
}

LoopCounts difference(const LoopCounts& end, const LoopCounts& begin) noexcept {
  return {end.heap_calls - begin.heap_calls, end.minor_faults - begin.minor_faults,
          end.major_faults - begin.major_faults, end.voluntary_switches - begin.voluntary_switches,
          end.involuntary_switches - begin.involuntary_switches};
}

// One cycle's work.
void work(int steps, ControlLoop& loop, LoopResult& result) noexcept {
  for (int k = 0; k < steps && result.status == Status::kOk; ++k) {
    if (loop.simulator().fallen()) {
      result.status = loop.reset();
      ++result.restarts;
      continue;
    }
    result.status = loop.step();
    const PlantWork& took = loop.plant().work();
    PlantWork& most = result.most_work;
    most.simulator.integrations = std::max(most.simulator.integrations,
                                           took.simulator.integrations);
    most.simulator.looks = std::max(most.simulator.looks, took.simulator.looks);
    most.simulator.impacts = std::max(most.simulator.impacts, took.simulator.impacts);
    most.drives = std::max(most.drives, took.drives);
    most.sensors = std::max(most.sensors, took.sensors);
    ContactEvent event;
    while (loop.plant().events().pop(event)) {
      ++result.events;
      result.touchdowns += event.kind == EventKind::kTouchdown ? 1 : 0;
    }
  }
}

// The paced part. Nothing in it may touch the heap: it is what heap_calls judges.
void paced(const LoopPlan& plan, ControlLoop& loop, LoopProgress& progress,
           LoopResult& result) noexcept {
  long long row = 0;
  std::int64_t planned = now() + 10 * plan.period;
  sleep_until(planned - plan.period);
  const LoopCounts before = counts();
  for (long long k = 0; k < plan.cycles; ++k, planned += plan.period) {
    sleep_until(planned);
    const std::int64_t begin = now();
    work(plan.steps_per_cycle, loop, result);
    const std::int64_t end = now();
    result.wake.add(begin - planned);
    result.step.add(end - begin);
    result.cycle.add(end - planned);
    ++result.cycles;
    const bool missed = end - planned > plan.period;
    row = missed ? row + 1 : 0;
    result.missed += missed ? 1 : 0;
    result.longest_miss_row = std::max(result.longest_miss_row, row);
    progress.cycles.store(result.cycles, std::memory_order_relaxed);
    progress.touchdowns.store(result.touchdowns, std::memory_order_relaxed);
    if (result.status != Status::kOk || progress.stop.load(std::memory_order_relaxed)) break;
  }
  result.counts = difference(counts(), before);
}

}  // namespace

LoopResult run_loop(const LoopPlan& plan, ControlLoop& loop, LoopProgress& progress) {
  LoopResult result;
  result.grant = become_real_time(plan.wish);
  touch_stack();
  work(kWarmUpSteps, loop, result);
  counts();
  if (result.status == Status::kOk) {
    // as if nothing had been
    const RealTimeGrant grant = result.grant;
    result = {};
    result.grant = grant;
    result.status = loop.reset();
    if (result.status == Status::kOk) paced(plan, loop, progress, result);
  }
  release_memory();
  if (loop.has_law()) {
    const PlantWork worst = loop.plant().worst_work(1);
    result.control = worst.drives + worst.sensors;
  }
  result.hash = loop.simulator().hash();
  progress.done = true;
  return result;
}

}  // namespace stance
