#include "axes.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace stance::report {
namespace {

TEST(Axes, TicksAreRoundNumbersInsideTheRange) {
  for (const double size : {1e-6, 0.03, 0.7, 1., 4.2, 55., 1234., 8e7}) {
    for (const double low : {-3.3 * size, -0.5 * size, 0., 17.2 * size}) {
      const Range range{low, low + size};
      const Ticks ticks = round_ticks(range, 6);
      ASSERT_GE(ticks.at.size(), 3u);
      ASSERT_LE(ticks.at.size(), 10u);
      for (const double t : ticks.at) {
        EXPECT_GE(t, range.low - 1e-6 * size);
        EXPECT_LE(t, range.high + 1e-6 * size);
        // the label says what it is
        std::string label = ticks.label(t);
        if (label.rfind("\u2212", 0) == 0) label.replace(0, 3, "-");
        EXPECT_NEAR(std::stod(label), t, 1e-6 * size);
      }
    }
  }
}

TEST(Axes, LabelsHaveNoMinusZero) {
  const Ticks ticks{{-1e-17}, 1};
  EXPECT_EQ(ticks.label(-1e-17), "0.0");
  EXPECT_EQ(ticks.label(-0.5), "\u22120.5");
}

TEST(Axes, MapsRangesOntoPixels) {
  const Axes axes{{10, 20}, 100, 50, {-1, 1}, {0, 5}};
  EXPECT_EQ(axes.at(-1, 5).x, 10);
  EXPECT_EQ(axes.at(-1, 5).y, 20);
  EXPECT_EQ(axes.at(1, 0).x, 110);
  EXPECT_EQ(axes.at(1, 0).y, 70);
}

TEST(Axes, GiveEveryRangeASize) {
  EXPECT_GT(Range{}.padded(0.1).size(), 0);
  Range point;
  point.include(3);
  point.include(NAN);
  EXPECT_GT(point.padded(0.1).size(), 0);
  EXPECT_NEAR((Range{0, 10}.padded(0.1, 0.2).size()), 13, 1e-12);
}

}  // namespace
}  // namespace stance::report
