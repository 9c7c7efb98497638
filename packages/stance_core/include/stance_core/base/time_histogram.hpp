// Times of a loop, counted into fixed memory: adding one takes no heap and the same few instructions every time.
//
// Times are whole nanoseconds. Below 64 each has a bucket of its own; above, each power of two has 32, so a bucket is at
// most 1/32 as wide as the times in it, up to a quarter of an hour. Shortest and longest are kept exactly.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

namespace stance {

class TimeHistogram {
 public:
  static constexpr int kBuckets = 64 + 34 * 32;

  // Below zero counts as zero; beyond the last bucket as the last, but max() is exact.
  void add(std::int64_t nanoseconds) noexcept {
    const std::int64_t t = std::max<std::int64_t>(nanoseconds, 0);
    ++counts_[static_cast<std::size_t>(bucket_of(t))];
    ++count_;
    min_ = std::min(min_, t);
    max_ = std::max(max_, t);
    sum_ += static_cast<double>(t);
  }
  void clear() noexcept { *this = {}; }

  std::uint64_t count() const noexcept { return count_; }
  // All in nanoseconds, and zero while there is none.
  std::int64_t min() const noexcept { return count_ > 0 ? min_ : 0; }
  std::int64_t max() const noexcept { return max_; }
  double mean() const noexcept { return count_ > 0 ? sum_ / static_cast<double>(count_) : 0; }
  // The least time that this share (0 to 1) of all stays within: 0.5 is the median. To the width of a bucket, never below
  // the truth, and never beyond the longest.
  std::int64_t quantile(double share) const noexcept {
    if (count_ == 0) return 0;
    const double wanted = std::ceil(std::clamp(share, 0.0, 1.0) * static_cast<double>(count_));
    const auto rank = std::max<std::uint64_t>(1, static_cast<std::uint64_t>(wanted));
    std::uint64_t seen = 0;
    for (int i = 0; i + 1 < kBuckets; ++i) {
      seen += count(i);
      if (seen >= rank) return std::min(lower(i + 1) - 1, max_);
    }
    return max_;
  }

  // Bucket i holds times from lower(i) to lower(i + 1) - 1.
  static std::int64_t lower(int bucket) noexcept {
    if (bucket < 64) return bucket;
    const int power = 6 + (bucket - 64) / 32;
    return static_cast<std::int64_t>(32 + (bucket - 64) % 32) << (power - 5);
  }
  static int bucket_of(std::int64_t nanoseconds) noexcept {
    if (nanoseconds < 64) return nanoseconds < 0 ? 0 : static_cast<int>(nanoseconds);
    const auto t = static_cast<std::uint64_t>(nanoseconds);
    const int power = static_cast<int>(std::bit_width(t)) - 1;  // 6 or more
    const int part = static_cast<int>(t >> (power - 5)) - 32;
    return std::min(64 + (power - 6) * 32 + part, kBuckets - 1);
  }
  std::uint64_t count(int bucket) const noexcept {
    return counts_[static_cast<std::size_t>(bucket)];
  }

 private:
  std::array<std::uint64_t, kBuckets> counts_{};
  std::uint64_t count_ = 0;
  std::int64_t min_ = std::numeric_limits<std::int64_t>::max(), max_ = 0;
  double sum_ = 0;
};

}  // namespace stance
