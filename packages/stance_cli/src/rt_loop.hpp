// A scenario at a fixed rate on a thread of its own, with everything measured that matters to a real-time loop.
#pragma once

#include <atomic>
#include <cstdint>

#include "real_time_thread.hpp"
#include "stance_core/base/time_histogram.hpp"
#include "stance_core/plant/control_loop.hpp"

namespace stance {

struct LoopPlan {
  std::int64_t period = 1'000'000;  // ns
  long long cycles = 0;
  int steps_per_cycle = 1;  // of the scenario's step
  RealTimeWish wish;
};

// From the first cycle to the last: what comes before, such as the first page faults, does not count.
struct LoopCounts {
  long heap_calls = 0;
  long minor_faults = 0, major_faults = 0;
  long voluntary_switches = 0, involuntary_switches = 0;  // a cycle's sleep is a voluntary one
};

struct LoopResult {
  RealTimeGrant grant;
  TimeHistogram wake;  // from the planned instant to the first instruction
  TimeHistogram step;  // the work: all steps of a cycle, and its events taken out of the ring
  TimeHistogram
      cycle;  // from the planned instant to the end of the work: below the period or missed
  long long cycles = 0, missed = 0;
  long long longest_miss_row = 0;                      // missed one after another
  long long events = 0, touchdowns = 0, restarts = 0;  // a robot that fell starts anew
  PlantWork most_work;                                 // of one step
  long long control = 0;  // the most that law and sensors take of a step, in forward dynamics
  LoopCounts counts;
  Status status = Status::kOk;
  std::uint64_t hash = 0;
};

// How far the loop is; written by its thread.
struct LoopProgress {
  std::atomic<long long> cycles{0}, touchdowns{0};
  std::atomic<bool> done{false};
  std::atomic<bool> stop{false};  // ask it to end
};

// To be run on a thread of its own. The schedule is fixed at the start: a cycle that is late does not move those after it,
// and none is left out.
LoopResult run_loop(const LoopPlan& plan, ControlLoop& loop, LoopProgress& progress);

}  // namespace stance
