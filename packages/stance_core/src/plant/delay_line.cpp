#include "stance_core/plant/delay_line.hpp"

#include <algorithm>

namespace stance {
namespace {

// Where the numbers of a sub-step lie. Unsigned steps before the first wrap round, so they are counted from a multiple
// of the length.
std::size_t slot(const DelayLine& line, std::uint64_t step, int delay) noexcept {
  const auto length = static_cast<std::uint64_t>(line.longest) + 1;
  const std::uint64_t place = (step % length + length - static_cast<std::uint64_t>(delay)) % length;
  return static_cast<std::size_t>(line.first) +
         static_cast<std::size_t>(place) * static_cast<std::size_t>(line.width);
}

}  // namespace

void put(const DelayLine& line, std::uint64_t step, std::span<const double> values,
         DelayPool& pool) noexcept {
  std::copy_n(values.begin(), line.width, pool.numbers.begin() + slot(line, step, 0));
}

void get(const DelayLine& line, std::uint64_t step, int delay, const DelayPool& pool,
         std::span<double> values) noexcept {
  std::copy_n(pool.numbers.begin() + slot(line, step, delay), line.width, values.begin());
}

void fill(const DelayLine& line, std::span<const double> values, DelayPool& pool) noexcept {
  for (int k = 0; k <= line.longest; ++k) put(line, static_cast<std::uint64_t>(k), values, pool);
}

}  // namespace stance
