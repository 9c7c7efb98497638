#include "stance_core/plant/delay_line.hpp"

#include <gtest/gtest.h>

#include <memory>

namespace stance {
namespace {

TEST(DelayLine, GivesWhatWasPutSoManySubStepsBefore) {
  DelayRoom room;
  const auto pool = std::make_unique<DelayPool>();
  const DelayLine other = room.take(3, 4), line = room.take(2, 7);
  EXPECT_EQ(room.left(), kMaxDelayedNumbers - 3 * 5 - 2 * 8);
  const double past[] = {-1, -2}, mark[] = {7, 7, 7};
  fill(line, past, *pool);
  fill(other, mark, *pool);
  for (std::uint64_t step = 0; step < 50; ++step) {
    const double now[] = {static_cast<double>(step), 100 + static_cast<double>(step)};
    put(line, step, now, *pool);
    for (int delay = 0; delay <= 7; ++delay) {
      double out[2];
      get(line, step, delay, *pool, out);
      const double then = static_cast<double>(step) - delay;
      EXPECT_EQ(out[0], then >= 0 ? then : -1) << step << ' ' << delay;
      EXPECT_EQ(out[1], then >= 0 ? 100 + then : -2);
    }
  }
  double out[3];
  for (int delay = 0; delay <= 4; ++delay) {  // the neighbour was not touched
    get(other, 3, delay, *pool, out);
    EXPECT_EQ(out[2], 7);
  }
}

TEST(DelayLine, OfLengthZeroIsNone) {
  const auto pool = std::make_unique<DelayPool>();
  const DelayLine line = DelayRoom().take(1, 0);
  for (std::uint64_t step = 0; step < 5; ++step) {
    const double now = static_cast<double>(step);
    put(line, step, {&now, 1}, *pool);
    double out = -1;
    get(line, step, 0, *pool, {&out, 1});
    EXPECT_EQ(out, now);
  }
}

}  // namespace
}  // namespace stance
