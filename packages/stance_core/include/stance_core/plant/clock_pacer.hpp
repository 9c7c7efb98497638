// When to tell others the time, and whether anybody listens. For the thread that publishes the clock: it asks often, with the
// wall's nanoseconds, and tells what it gets.
//
// A tick is told once it is due. Who waits for it may miss it: a message is lost, or comes between the look at the clock and
// the wait for its next change (rclcpp's Clock::sleep_until notifies its waiter outside the lock). Without a cycle there is
// no next tick, and the same time again is no change. So a tick that nothing came of for a while is followed by another, one
// nanosecond on, as often as it takes.
#pragma once

#include <cstdint>
#include <optional>

#include "stance_core/plant/simulation_clock.hpp"

namespace stance {

class ClockPacer {
 public:
  static constexpr std::int64_t kPatience = 10'000'000;  // ns of the wall

  // The time to tell now, in ns, if there is one. `factor` times as fast as the wall; 0: as fast as it goes.
  std::optional<std::int64_t> tick(std::int64_t wall, std::int64_t period, double factor,
                                   SimulationClock& clock) noexcept {
    if (!clock.running()) {  // nothing else moves it: it goes with the wall
      if (!begun_ || wall - idle_at_ >= period) {
        begun_ = true;
        idle_at_ = wall;
        clock.idle(period);
      }
      origin_wall_ = wall;
      origin_ = clock.now();
    }
    const std::int64_t time = clock.now();
    if (time == told_) {
      if (!clock.running() || wall - told_at_ < kPatience) return std::nullopt;
      ++nudges_;
      return tell(clock.nudge(), wall);
    }
    const bool due = factor == 0 || static_cast<double>(time - origin_) <=
                                        factor * static_cast<double>(wall - origin_wall_);
    if (!due) return std::nullopt;
    return tell(time, wall);
  }

  std::uint64_t nudges() const noexcept { return nudges_; }

 private:
  std::int64_t tell(std::int64_t time, std::int64_t wall) noexcept {
    told_ = time;
    told_at_ = wall;
    return time;
  }

  bool begun_ = false;
  std::int64_t idle_at_ = 0;                   // wall
  std::int64_t origin_wall_ = 0, origin_ = 0;  // where the pace counts from
  std::int64_t told_ = -1, told_at_ = 0;
  std::uint64_t nudges_ = 0;
};

// Says once each time when a simulation that runs has stood still for too long.
class StallWatch {
 public:
  explicit StallWatch(std::int64_t longest) : longest_(longest) {}

  // `cycles`: a number that changes with every cycle.
  bool stalls(std::int64_t wall, std::uint64_t cycles, bool running) noexcept {
    if (!running || cycles != cycles_) {
      cycles_ = cycles;
      moved_at_ = wall;
      said_ = false;
      return false;
    }
    if (said_ || wall - moved_at_ < longest_) return false;
    said_ = true;
    return true;
  }

 private:
  std::int64_t longest_, moved_at_ = 0;
  std::uint64_t cycles_ = 0;
  bool said_ = false;
};

}  // namespace stance
