#include "stance_report/latency_histogram.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

namespace stance {
namespace {

TEST(LatencyHistogram, BucketsAdjoinAndAreNarrow) {
  for (int i = 0; i + 1 < LatencyHistogram::kBuckets; ++i) {
    const std::int64_t low = LatencyHistogram::lower(i), next = LatencyHistogram::lower(i + 1);
    ASSERT_LT(low, next);
    ASSERT_EQ(LatencyHistogram::bucket_of(low), i);
    ASSERT_EQ(LatencyHistogram::bucket_of(next - 1), i);
    ASSERT_LE(32 * (next - 1 - low), std::max<std::int64_t>(low, 0));
  }
  EXPECT_GT(LatencyHistogram::lower(LatencyHistogram::kBuckets - 1), 900'000'000'000);
}

TEST(LatencyHistogram, PercentilesAreThoseOfTheSortedTimes) {
  std::mt19937_64 random(7);
  std::vector<std::int64_t> times;
  LatencyHistogram histogram;
  for (int k = 0; k < 20000; ++k) {
    // from 1 ns to 1 s, each decade alike
    const auto t = static_cast<std::int64_t>(
        std::pow(10, 9e-6 * static_cast<double>(random() % 1000000)));
    times.push_back(t);
    histogram.record(t);
  }
  std::sort(times.begin(), times.end());
  for (const double share : {0.0001, 0.1, 0.5, 0.99, 0.999, 0.9999, 1.0}) {
    const auto rank = static_cast<std::size_t>(std::ceil(share * 20000)) - 1;
    EXPECT_GE(histogram.percentile(share), times[rank]) << share;
    EXPECT_LE(static_cast<double>(histogram.percentile(share)),
              static_cast<double>(times[rank]) * (1 + 1. / 32))
        << share;
  }
  EXPECT_EQ(histogram.percentile(1), times.back());
  EXPECT_EQ(histogram.max(), times.back());
  EXPECT_EQ(histogram.min(), times.front());
  EXPECT_EQ(histogram.count(), 20000u);
}

TEST(LatencyHistogram, EdgesAndNothing) {
  LatencyHistogram histogram;
  EXPECT_EQ(histogram.percentile(0.5), 0);
  EXPECT_EQ(histogram.min(), 0);
  EXPECT_EQ(histogram.mean(), 0);
  histogram.record(-5);  // woken a little early
  histogram.record(10);
  histogram.record(std::int64_t(1) << 62);
  EXPECT_EQ(histogram.min(), 0);
  EXPECT_EQ(histogram.max(), std::int64_t(1) << 62);
  EXPECT_EQ(histogram.percentile(1), std::int64_t(1) << 62);
  EXPECT_EQ(histogram.percentile(0.5), 10);
  EXPECT_EQ(histogram.percentile(0), 0);
  EXPECT_EQ(histogram.count(LatencyHistogram::kBuckets - 1), 1u);
}

}  // namespace
}  // namespace stance
