#include "stance_core/base/time_histogram.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

namespace stance {
namespace {

TEST(TimeHistogram, IsEmptyAtFirst) {
  const TimeHistogram histogram;
  EXPECT_EQ(histogram.count(), 0U);
  EXPECT_EQ(histogram.quantile(0.5), 0);
  EXPECT_EQ(histogram.mean(), 0);
  EXPECT_EQ(histogram.worst(), 0);
}

// Every quantile of a wide distribution, beside the exact one: at most one part in sixteen too long, never too short.
TEST(TimeHistogram, AgreesWithSorting) {
  std::mt19937_64 engine(7);
  TimeHistogram histogram;
  std::vector<double> all;
  double sum = 0;
  for (int k = 0; k < 20000; ++k) {
    const double exponent = 10 * static_cast<double>(engine() >> 11) * 0x1p-53;
    const auto t = static_cast<std::int64_t>(std::pow(10, exponent));
    histogram.add(t);
    all.push_back(1e-9 * static_cast<double>(t));
    sum += all.back();
  }
  std::sort(all.begin(), all.end());
  EXPECT_EQ(histogram.count(), all.size());
  EXPECT_NEAR(histogram.mean(), sum / static_cast<double>(all.size()), 1e-9 * sum);
  EXPECT_EQ(histogram.worst(), all.back());
  for (const double share : {0.001, 0.1, 0.5, 0.9, 0.99, 0.999, 1.0}) {
    const auto rank = static_cast<std::size_t>(std::ceil(share * static_cast<double>(all.size())));
    const double exact = all[rank - 1];
    EXPECT_GE(histogram.quantile(share), exact * (1 - 1e-12)) << share;
    EXPECT_LE(histogram.quantile(share), exact * (1 + 1.0 / 16) + 1e-9) << share;
  }
}

TEST(TimeHistogram, TakesAnyTime) {
  TimeHistogram histogram;
  histogram.add(-5);  // a clock that was set: counts as nothing
  histogram.add(INT64_MAX);
  EXPECT_EQ(histogram.count(), 2U);
  EXPECT_EQ(histogram.quantile(0.5), 0);
  EXPECT_NEAR(histogram.quantile(1), 9.2e9, 0.1e9);
  histogram.clear();
  EXPECT_EQ(histogram.count(), 0U);
}

}  // namespace
}  // namespace stance
