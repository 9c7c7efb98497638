#include "stance_core/base/latest.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>

namespace stance {
namespace {

TEST(Latest, GivesTheLastOnce) {
  Latest<int> latest;
  EXPECT_FALSE(latest.update());
  for (int k : {7, 8, 9}) {
    latest.slot() = k;
    latest.publish();
  }
  ASSERT_TRUE(latest.update());
  EXPECT_EQ(latest.value(), 9);
  EXPECT_FALSE(latest.update());
  EXPECT_EQ(latest.value(), 9);
}

// The reader sees whole values that never get older.
TEST(Latest, IsNeverTorn) {
  struct Pair {
    long a = 0, b = 0;
  };
  constexpr long kLast = 500'000;
  Latest<Pair> latest;
  std::thread writer([&] {
    for (long k = 1; k <= kLast; ++k) {
      latest.slot() = {k, -k};
      latest.publish();
    }
  });
  long before = 0, wrong = 0;
  while (before < kLast) {
    if (!latest.update()) {
      std::this_thread::yield();
      continue;
    }
    const Pair pair = latest.value();
    if (pair.b != -pair.a || pair.a <= before) ++wrong;
    before = pair.a;
  }
  writer.join();
  EXPECT_EQ(wrong, 0);
}

}  // namespace
}  // namespace stance
