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
void work(const Scenario& scenario, int steps, Simulator& simulator, LoopResult& result) noexcept {
  for (int k = 0; k < steps && result.status == Status::kOk; ++k) {
    if (simulator.fallen()) {
      result.status = start(scenario, simulator);
      ++result.restarts;
      continue;
    }
    result.status = step(scenario, simulator);
    const StepWork& took = simulator.work();
    result.most_work.integrations = std::max(result.most_work.integrations, took.integrations);
    result.most_work.impacts = std::max(result.most_work.impacts, took.impacts);
    ContactEvent event;
    while (simulator.events().pop(event)) {
      ++result.events;
      result.touchdowns += event.kind == EventKind::kTouchdown ? 1 : 0;
    }
  }
}

// The paced part. Nothing in it may touch the heap: it is what heap_calls judges.
void paced(const Scenario& scenario, const LoopPlan& plan, Simulator& simulator,
           LoopProgress& progress, LoopResult& result) noexcept {
  long long row = 0;
  std::int64_t planned = now() + 10 * plan.period;
  sleep_until(planned - plan.period);
  const LoopCounts before = counts();
  for (long long k = 0; k < plan.cycles; ++k, planned += plan.period) {
    sleep_until(planned);
    const std::int64_t begin = now();
    work(scenario, plan.steps_per_cycle, simulator, result);
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

LoopResult run_loop(const Scenario& scenario, const LoopPlan& plan, Simulator& simulator,
                    LoopProgress& progress) {
  LoopResult result;
  result.grant = become_real_time(plan.wish);
  touch_stack();
  result.status = start(scenario, simulator);
  work(scenario, kWarmUpSteps, simulator, result);
  counts();
  if (result.status == Status::kOk) {
    // as if nothing had been
    const RealTimeGrant grant = result.grant;
    result = {};
    result.grant = grant;
    result.status = start(scenario, simulator);
    if (result.status == Status::kOk) paced(scenario, plan, simulator, progress, result);
  }
  release_memory();
  result.hash = simulator.hash();
  progress.done = true;
  return result;
}

}  // namespace stance
