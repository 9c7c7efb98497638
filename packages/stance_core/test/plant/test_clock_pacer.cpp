#include "stance_core/plant/clock_pacer.hpp"

#include <gtest/gtest.h>

#include <random>

namespace stance {
namespace {

constexpr std::int64_t kPeriod = 1'000'000,
                       kLook = 50'000;  // ns: of a cycle, and between two looks

// A controller manager on simulated time: it waits until the clock has gone on by a period since its last cycle, and looks
// at it only when a tick that differs from the last reaches it. Some do not.
struct Listener {
  std::int64_t heard = -1, until = -1;
  bool tick(std::int64_t time, bool arrives) {
    if (time == heard || !arrives) return false;
    heard = time;
    return time >= until;
  }
};

// However many ticks get lost, the next cycle comes; and stamps keep the nanoseconds that it took.
TEST(ClockPacer, NeverHangsOnALostTick) {
  for (const double factor : {0.0, 1.0, 20.0}) {
    SimulationClock clock;
    ClockPacer pacer;
    Listener listener;
    std::mt19937 random(7);
    std::bernoulli_distribution arrives(0.3);
    std::int64_t wall = 0;
    int cycles = 0;
    clock.take_over();
    for (; wall < 60'000'000'000 && cycles < 1000; wall += kLook) {
      const auto time = pacer.tick(wall, kPeriod, factor, clock);
      if (!time || !listener.tick(*time, arrives(random))) continue;
      listener.until = *time + kPeriod;
      clock.advance(kPeriod);
      ++cycles;
    }
    EXPECT_EQ(cycles, 1000) << factor;
    EXPECT_GT(pacer.nudges(), 500U) << "ticks were to get lost";
    EXPECT_EQ(clock.now(), 1000 * kPeriod + static_cast<std::int64_t>(pacer.nudges()));
  }
}

// Where none gets lost the clock is a multiple of the period, at the pace that was asked for.
TEST(ClockPacer, KeepsItsPace) {
  SimulationClock clock;
  ClockPacer pacer;
  std::int64_t wall = 0;
  for (; clock.now() < 10 * kPeriod; wall += kLook) (void)pacer.tick(wall, kPeriod, 2, clock);
  EXPECT_NEAR(static_cast<double>(wall), 10.0 * kPeriod, 2.0 * kPeriod);  // with the wall
  const std::int64_t begin = clock.take_over(), begin_wall = wall;
  clock.advance(kPeriod);
  std::int64_t told = -1;
  for (; clock.now() < begin + 100 * kPeriod; wall += kLook) {
    const auto time = pacer.tick(wall, kPeriod, 2, clock);
    if (!time) continue;
    EXPECT_GT(*time, told);
    EXPECT_EQ((*time - begin) % kPeriod, 0);
    told = *time;
    clock.advance(kPeriod);
  }
  EXPECT_NEAR(static_cast<double>(wall - begin_wall), 50.0 * kPeriod, 1.0 * kPeriod);
  EXPECT_EQ(pacer.nudges(), 0U);
}

TEST(StallWatch, SaysOnceThatNothingMoves) {
  StallWatch watch(2'000'000'000);
  int said = 0;
  const auto look = [&](std::int64_t from, std::int64_t to, bool moves, bool running) {
    static std::uint64_t cycles = 0;
    for (std::int64_t wall = from; wall < to; wall += 1'000'000) {
      if (moves) ++cycles;
      said += watch.stalls(wall, cycles, running) ? 1 : 0;
    }
  };
  look(0, 5'000'000'000, false, false);  // nothing is to move
  look(5'000'000'000, 10'000'000'000, true, true);
  EXPECT_EQ(said, 0);
  look(10'000'000'000, 11'900'000'000, false, true);
  EXPECT_EQ(said, 0);
  look(11'900'000'000, 30'000'000'000, false, true);
  EXPECT_EQ(said, 1);
  look(30'000'000'000, 31'000'000'000, true, true);
  look(31'000'000'000, 35'000'000'000, false, true);
  EXPECT_EQ(said, 2);
}

}  // namespace
}  // namespace stance
