// Every worker works once a run, and a crew that slept is woken.
#include "stance_core/base/crew.hpp"

#include <gtest/gtest.h>

#include <array>
#include <chrono>

namespace stance {
namespace {

TEST(Crew, EveryWorkerWorksOnceEachRun) {
  for (const int size : {1, 2, 3}) {
    Crew crew(size);
    EXPECT_EQ(crew.size(), size);
    std::array<int, 3> runs{};  // each its own
    for (int k = 0; k < 200; ++k)
      crew.run([&](int worker) noexcept { ++runs[static_cast<std::size_t>(worker)]; });
    for (int worker = 0; worker < 3; ++worker)
      EXPECT_EQ(runs[static_cast<std::size_t>(worker)], worker < size ? 200 : 0);
  }
}

// What one run wrote, the next one reads, whoever the worker is.
TEST(Crew, ARunSeesWhatTheLastOneWrote) {
  Crew crew(3);
  std::array<long, 3> x{1, 2, 3};
  for (int k = 0; k < 500; ++k) {
    std::array<long, 3> y{};
    crew.run([&](int worker) noexcept {
      y[static_cast<std::size_t>(worker)] = x[static_cast<std::size_t>((worker + 1) % 3)];
    });
    x = y;
  }
  EXPECT_EQ(x, (std::array<long, 3>{3, 1, 2}));  // 500 = 2 modulo 3
}

TEST(Crew, IsWokenAfterItParked) {
  Crew crew(2);
  int sum = 0;
  for (int k = 0; k < 3; ++k) {
    std::this_thread::sleep_for(std::chrono::milliseconds(150));  // longer than it spins
    crew.run([&](int worker) noexcept {
      if (worker == 1) ++sum;
    });
  }
  EXPECT_EQ(sum, 3);
}

}  // namespace
}  // namespace stance
