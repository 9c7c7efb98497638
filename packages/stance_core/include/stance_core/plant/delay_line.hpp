// The recent past of a few numbers: what goes in comes out n sub-steps later. All lines share one fixed pool.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "stance_core/base/capacity.hpp"

namespace stance {

// Where a line lies in the pool. Made at configure time.
struct DelayLine {
  int first = 0;
  int width = 0;    // numbers per sub-step
  int longest = 0;  // sub-steps that it reaches back
};

struct DelayPool {
  std::array<double, kMaxDelayedNumbers> numbers{};
};

// Hands out lines at configure time.
class DelayRoom {
 public:
  int left() const noexcept { return kMaxDelayedNumbers - used_; }
  static int size(int width, int longest) noexcept { return width * (longest + 1); }
  DelayLine take(int width, int longest) noexcept {
    const DelayLine line{used_, width, longest};
    used_ += size(width, longest);
    return line;
  }

 private:
  int used_ = 0;
};

// One put per sub-step, numbered by `step`; get gives what was put `delay` sub-steps before, delay <= longest.
void put(const DelayLine& line, std::uint64_t step, std::span<const double> values,
         DelayPool& pool) noexcept;
void get(const DelayLine& line, std::uint64_t step, int delay, const DelayPool& pool,
         std::span<double> values) noexcept;
// As if these values had always been put.
void fill(const DelayLine& line, std::span<const double> values, DelayPool& pool) noexcept;

}  // namespace stance
