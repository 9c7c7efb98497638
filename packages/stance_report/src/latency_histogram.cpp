#include "stance_report/latency_histogram.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

namespace stance {

int LatencyHistogram::bucket_of(std::int64_t nanoseconds) noexcept {
  if (nanoseconds < 64) return nanoseconds < 0 ? 0 : static_cast<int>(nanoseconds);
  const auto t = static_cast<std::uint64_t>(nanoseconds);
  const int power = std::bit_width(t) - 1;  // 6 or more
  const int part = static_cast<int>(t >> (power - 5)) - 32;
  return std::min(64 + (power - 6) * 32 + part, kBuckets - 1);
}

std::int64_t LatencyHistogram::lower(int bucket) noexcept {
  if (bucket < 64) return bucket;
  const int power = 6 + (bucket - 64) / 32;
  return static_cast<std::int64_t>(32 + (bucket - 64) % 32) << (power - 5);
}

void LatencyHistogram::record(std::int64_t nanoseconds) noexcept {
  const std::int64_t t = std::max<std::int64_t>(nanoseconds, 0);
  ++counts_[static_cast<std::size_t>(bucket_of(t))];
  ++count_;
  min_ = std::min(min_, t);
  max_ = std::max(max_, t);
  sum_ += static_cast<double>(t);
}

double LatencyHistogram::mean() const noexcept {
  return count_ > 0 ? sum_ / static_cast<double>(count_) : 0;
}

std::int64_t LatencyHistogram::percentile(double share) const noexcept {
  if (count_ == 0) return 0;
  const double wanted = std::ceil(std::clamp(share, 0.0, 1.0) * static_cast<double>(count_));
  const auto rank = std::max<std::uint64_t>(1, static_cast<std::uint64_t>(wanted));
  std::uint64_t seen = 0;
  for (int i = 0; i < kBuckets; ++i) {
    seen += count(i);
    if (seen >= rank) return i + 1 < kBuckets ? std::min(lower(i + 1) - 1, max_) : max_;
  }
  return max_;
}

}  // namespace stance
