// The clock that a simulation gives to others, in nanoseconds. It never goes back.
//
// While the simulation runs, its thread sets it, cycle by cycle. Before that, somebody else must move it: a controller
// manager on simulated time waits for the clock before its first cycle, and without a cycle there is no simulation. So an
// idle clock is moved by another thread, until the simulation takes over. The number of nanoseconds and who moves it are
// one atomic: whoever is late changes nothing. A reader that missed a tick hears none of the same time again, so a running
// clock can be nudged: the nanosecond stays in it, and the simulation goes on from there.
#pragma once

#include <atomic>
#include <cstdint>

namespace stance {

class SimulationClock {
 public:
  std::int64_t now() const noexcept { return value_.load(std::memory_order_acquire) >> 1; }
  bool running() const noexcept { return (value_.load(std::memory_order_acquire) & 1) != 0; }

  // The other thread: moves an idle clock, and leaves one that runs. Returns what it is then.
  std::int64_t idle(std::int64_t step) noexcept {
    std::int64_t old = value_.load(std::memory_order_acquire);
    if ((old & 1) != 0) return old >> 1;
    if (value_.compare_exchange_strong(old, old + 2 * step, std::memory_order_acq_rel))
      return (old >> 1) + step;
    return old >> 1;
  }

  // The other thread: one nanosecond more. Returns what it is then.
  std::int64_t nudge() noexcept { return advance(1); }

  // The simulation's thread: it moves the clock from now on.
  std::int64_t take_over() noexcept { return value_.fetch_or(1, std::memory_order_acq_rel) >> 1; }
  // Moves it on from wherever it is, and says where that is.
  std::int64_t advance(std::int64_t step) noexcept {
    return (value_.fetch_add(2 * step, std::memory_order_acq_rel) >> 1) + step;
  }
  void set(std::int64_t now) noexcept { value_.store((now << 1) | 1, std::memory_order_release); }
  void hand_back() noexcept { value_.fetch_and(~std::int64_t{1}, std::memory_order_acq_rel); }

 private:
  std::atomic<std::int64_t> value_{0};  // twice the time, and one if the simulation moves it
};

}  // namespace stance
