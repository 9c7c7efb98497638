// Names keep off curves, off each other and inside the axes.
#include "labels.hpp"

#include <gtest/gtest.h>

#include <array>

namespace stance::report {
namespace {

constexpr double kSize = 16;

bool overlap(const Labels::Place& a, const Labels::Place& b) {
  return a.at.x < b.at.x + b.width && b.at.x < a.at.x + a.width && a.at.y - kSize < b.at.y &&
         b.at.y - kSize < a.at.y;
}

TEST(Labels, StandBesideEachOtherWherePointsCoincide) {
  const Axes axes{{0, 0}, 400, 400, {0, 1}, {0, 1}};
  Labels labels(axes);
  std::vector<Labels::Place> places;
  for (const char* name : {"A", "C", "P", "A'", "C'", "P'"}) {
    places.push_back(labels.place({200, 200}, name, kSize));
    EXPECT_EQ(places.back().hidden, 0) << name;
  }
  for (std::size_t i = 0; i < places.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) EXPECT_FALSE(overlap(places[i], places[j])) << i << j;
  }
}

TEST(Labels, KeepOffCurvesAndTextsAndInsideTheAxes) {
  const Axes axes{{0, 0}, 400, 400, {0, 1}, {0, 1}};
  Labels labels(axes);
  const std::array line{Point{0, 395}, Point{395, 0}};
  labels.avoid(line);
  EXPECT_EQ(labels.place({200, 195}, "long name", kSize).hidden, 0);
  const auto corner = labels.place({398, 398}, "long name", kSize);
  EXPECT_EQ(corner.hidden, 0);
  EXPECT_LT(corner.at.x + corner.width, 400);
  EXPECT_LT(corner.at.y, 400);
  // a text that stands already
  labels.avoid_text({20, 20}, "there before", kSize);
  const auto beside = labels.place({10, 30}, "B", kSize);
  EXPECT_EQ(beside.hidden, 0);
  EXPECT_TRUE(beside.at.x + beside.width < 20 || beside.at.y - kSize > 20);
  // where there is no room at all the caller is told
  Labels full(axes);
  full.avoid_text({-1000, 390}, std::string(400, 'x'), 400);
  EXPECT_GT(full.place({200, 200}, "A", kSize).hidden, 1000);
}

}  // namespace
}  // namespace stance::report
