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
  EXPECT_EQ(histogram.min(), 0);
  EXPECT_EQ(histogram.max(), 0);
}

TEST(TimeHistogram, BucketsAdjoinAndAreNarrow) {
  for (int i = 0; i + 1 < TimeHistogram::kBuckets; ++i) {
    const std::int64_t low = TimeHistogram::lower(i), next = TimeHistogram::lower(i + 1);
    ASSERT_LT(low, next);
    ASSERT_EQ(TimeHistogram::bucket_of(low), i);
    ASSERT_EQ(TimeHistogram::bucket_of(next - 1), i);
    ASSERT_LE(32 * (next - 1 - low), low);
  }
  EXPECT_GT(TimeHistogram::lower(TimeHistogram::kBuckets - 1), 900'000'000'000);
}

// Every quantile of a wide distribution, beside the exact one: at most 1/32 too long, never too short.
TEST(TimeHistogram, AgreesWithSorting) {
  std::mt19937_64 engine(7);
  TimeHistogram histogram;
  std::vector<std::int64_t> all;
  double sum = 0;
  for (int k = 0; k < 20000; ++k) {
    // from 1 ns to 10 s, each decade alike
    const double exponent = 10 * static_cast<double>(engine() >> 11) * 0x1p-53;
    const auto t = static_cast<std::int64_t>(std::pow(10, exponent));
    histogram.add(t);
    all.push_back(t);
    sum += static_cast<double>(t);
  }
  std::sort(all.begin(), all.end());
  EXPECT_EQ(histogram.count(), all.size());
  EXPECT_NEAR(histogram.mean(), sum / static_cast<double>(all.size()), 1e-9 * sum);
  EXPECT_EQ(histogram.min(), all.front());
  EXPECT_EQ(histogram.max(), all.back());
  for (const double share : {0.0001, 0.1, 0.5, 0.9, 0.99, 0.999, 0.9999, 1.0}) {
    const auto rank = static_cast<std::size_t>(std::ceil(share * static_cast<double>(all.size())));
    const std::int64_t exact = all[rank - 1];
    EXPECT_GE(histogram.quantile(share), exact) << share;
    EXPECT_LE(32 * (histogram.quantile(share) - exact), exact) << share;
  }
  EXPECT_EQ(histogram.quantile(1), all.back());
}

TEST(TimeHistogram, TakesAnyTime) {
  TimeHistogram histogram;
  histogram.add(-5);  // woken a little early, or a clock that was set: counts as nothing
  histogram.add(10);
  histogram.add(INT64_MAX);
  EXPECT_EQ(histogram.count(), 3U);
  EXPECT_EQ(histogram.min(), 0);
  EXPECT_EQ(histogram.max(), INT64_MAX);
  EXPECT_EQ(histogram.quantile(0), 0);
  EXPECT_EQ(histogram.quantile(0.5), 10);
  EXPECT_EQ(histogram.quantile(1), INT64_MAX);
  EXPECT_EQ(histogram.count(TimeHistogram::kBuckets - 1), 1U);
  histogram.clear();
  EXPECT_EQ(histogram.count(), 0U);
  EXPECT_EQ(histogram.min(), 0);
}

}  // namespace
}  // namespace stance
