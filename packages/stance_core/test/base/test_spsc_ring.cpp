#include "stance_core/base/spsc_ring.hpp"

#include <gtest/gtest.h>

#include <thread>

namespace stance {
namespace {

TEST(SpscRing, KeepsOrderAndRefusesWhenFull) {
  SpscRing<int, 4> ring;
  int out = -1;
  EXPECT_FALSE(ring.pop(out));
  for (int round = 0; round < 3; ++round) {  // past the end of the array and on
    for (int k = 0; k < 4; ++k) EXPECT_TRUE(ring.push(10 * round + k));
    EXPECT_FALSE(ring.push(99));
    for (int k = 0; k < 4; ++k) {
      ASSERT_TRUE(ring.pop(out));
      EXPECT_EQ(out, 10 * round + k);
    }
    EXPECT_FALSE(ring.pop(out));
  }
}

// Every entry arrives once, in order and whole, although the consumer is often late and the ring small.
TEST(SpscRing, CarriesAMillionBetweenThreads) {
  struct Entry {
    long a = 0, b = 0, c = 0;
  };
  constexpr long kCount = 1'000'000;
  // large enough that a busy machine, which runs one thread at a time, need not change between them 16,000 times
  SpscRing<Entry, 1024> ring;
  std::thread producer([&] {
    for (long k = 0; k < kCount;) {
      if (ring.push({k, 2 * k, -k})) {
        ++k;
      } else {
        std::this_thread::yield();
      }
    }
  });
  long next = 0, wrong = 0;
  for (Entry entry; next < kCount;) {
    if (!ring.pop(entry)) {
      std::this_thread::yield();
      continue;
    }
    if (entry.a != next || entry.b != 2 * next || entry.c != -next) ++wrong;
    ++next;
  }
  producer.join();
  EXPECT_EQ(wrong, 0);
}

}  // namespace
}  // namespace stance
