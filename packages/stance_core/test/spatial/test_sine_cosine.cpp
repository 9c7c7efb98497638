// sine_cosine against the standard library in long double, whose own error is far below the bound.
#include "stance_core/spatial/sine_cosine.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

namespace stance {
namespace {

constexpr double kUlp = std::numeric_limits<double>::epsilon();  // unit in the last place of 1
constexpr double kRange = 1.6e6;

// The larger error of the two, in units in the last place of 1.
double error(double x) {
  const auto [sine, cosine] = sine_cosine(x);
  const long double s = std::sin(static_cast<long double>(x));
  const long double c = std::cos(static_cast<long double>(x));
  return static_cast<double>(std::max(std::abs(sine - s), std::abs(cosine - c))) / kUlp;
}

TEST(SineCosine, IsWithinOneUnitInTheLastPlace) {
  std::mt19937_64 random(1);
  for (const double size : {1.0, 10.0, 1000.0, kRange}) {
    std::uniform_real_distribution<double> angle(-size, size);
    double worst = 0;
    for (int k = 0; k < 200000; ++k) worst = std::max(worst, error(angle(random)));
    EXPECT_LE(worst, 1) << "angles up to " << size;
  }
}

// Where the reduction cancels most, and where the quadrant changes.
TEST(SineCosine, HoldsNearMultiplesOfAnEighthTurn) {
  double worst = 0;
  for (int k = 0; k * M_PI_4 < kRange; k = k < 1000 ? k + 1 : k + 997) {
    double below = k * M_PI_4, above = below;
    for (int step = 0; step < 4; ++step) {
      worst = std::max({worst, error(below), error(above), error(-below), error(-above)});
      below = std::nextafter(below, 0), above = std::nextafter(above, kRange);
    }
  }
  EXPECT_LE(worst, 1);
}

// A sine that is nearly zero keeps its own digits, not only those of 1.
TEST(SineCosine, KeepsSmallAngles) {
  for (double x = 1e-3; x > 1e-300; x *= 0.1) EXPECT_DOUBLE_EQ(sine_cosine(x).sine, std::sin(x));
  EXPECT_EQ(sine_cosine(0.0).sine, 0);
  EXPECT_EQ(sine_cosine(0.0).cosine, 1);
}

TEST(SineCosine, IsTheStandardLibraryBeyondItsRange) {
  for (const double x : {kRange, -kRange, 1e9, -1e22, 1e300}) {
    EXPECT_EQ(sine_cosine(x).sine, std::sin(x));
    EXPECT_EQ(sine_cosine(x).cosine, std::cos(x));
  }
}

TEST(SineCosine, PassesOnWhatIsNotFinite) {
  for (const double x :
       {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity(),
        -std::numeric_limits<double>::infinity()}) {
    EXPECT_TRUE(std::isnan(sine_cosine(x).sine));
    EXPECT_TRUE(std::isnan(sine_cosine(x).cosine));
  }
}

}  // namespace
}  // namespace stance
