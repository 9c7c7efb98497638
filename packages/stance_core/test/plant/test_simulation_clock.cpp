#include "stance_core/plant/simulation_clock.hpp"

#include <gtest/gtest.h>

#include <thread>

namespace stance {
namespace {

TEST(SimulationClock, IsMovedByOneAtATime) {
  SimulationClock clock;
  EXPECT_EQ(clock.idle(5), 5);
  EXPECT_EQ(clock.take_over(), 5);
  EXPECT_TRUE(clock.running());
  EXPECT_EQ(clock.idle(5), 5);  // no longer its business
  clock.set(8);
  EXPECT_EQ(clock.now(), 8);
  clock.hand_back();
  EXPECT_FALSE(clock.running());
  EXPECT_EQ(clock.idle(1), 9);
}

// Whatever the other thread does at that moment, what take_over() returns is the last that it moved.
TEST(SimulationClock, ChangesHandsWithoutAStrayTick) {
  for (int round = 0; round < 200; ++round) {
    SimulationClock clock;
    std::thread other([&] {
      while (!clock.running()) clock.idle(3);
      for (int k = 0; k < 10; ++k) clock.idle(3);
    });
    while (clock.now() == 0) std::this_thread::yield();
    const std::int64_t mine = clock.take_over();
    other.join();
    EXPECT_EQ(clock.now(), mine);
  }
}

}  // namespace
}  // namespace stance
