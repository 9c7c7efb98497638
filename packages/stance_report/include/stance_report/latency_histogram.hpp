// Times of a loop, counted into fixed buckets: recording takes no heap and the same few instructions every time, and the
// largest is kept exactly. A bucket is at most 1/32 as wide as the times in it, from a nanosecond to a quarter of an hour.
#pragma once

#include <array>
#include <cstdint>
#include <limits>

namespace stance {

class LatencyHistogram {
 public:
  static constexpr int kBuckets = 64 +
                                  34 * 32;  // 0 to 63 ns one by one, then 32 for each power of two

  // Below zero counts as zero; beyond the last bucket as the last, but max() is exact.
  void record(std::int64_t nanoseconds) noexcept;

  std::uint64_t count() const noexcept { return count_; }
  // All in nanoseconds, and zero while nothing is recorded.
  std::int64_t min() const noexcept { return count_ > 0 ? min_ : 0; }
  std::int64_t max() const noexcept { return max_; }
  double mean() const noexcept;
  // The least time that this share (0 to 1) of all stays within, to the width of a bucket and never below the truth.
  std::int64_t percentile(double share) const noexcept;

  // Bucket i holds times from lower(i) to lower(i + 1) - 1.
  static std::int64_t lower(int bucket) noexcept;
  static int bucket_of(std::int64_t nanoseconds) noexcept;
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
