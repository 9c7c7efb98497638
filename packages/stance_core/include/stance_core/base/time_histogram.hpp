// Times in fixed memory: every one counts, and a percentile is right to one part in sixteen.
//
// Times are whole nanoseconds. Below 32 each has a bucket of its own; above, each power of two has sixteen. The longest is
// kept exactly.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>

namespace stance {

class TimeHistogram {
 public:
  void add(std::int64_t nanoseconds) noexcept {
    const auto t = static_cast<std::uint64_t>(std::max<std::int64_t>(nanoseconds, 0));
    ++counts_[bucket(t)];
    ++count_;
    sum_ += t;
    worst_ = std::max(worst_, t);
  }
  void clear() noexcept { *this = {}; }

  std::uint64_t count() const noexcept { return count_; }
  double mean() const noexcept {  // s
    return count_ == 0 ? 0 : 1e-9 * static_cast<double>(sum_) / static_cast<double>(count_);
  }
  double worst() const noexcept { return 1e-9 * static_cast<double>(worst_); }  // s

  // The time, in seconds, that a share of all do not exceed: 0.5 is the median. Zero where there is none. It is the upper
  // end of its bucket, so never too short, and never beyond the worst.
  double quantile(double share) const noexcept {
    if (count_ == 0) return 0;
    const double wanted = std::clamp(share, 0.0, 1.0) * static_cast<double>(count_);
    std::uint64_t seen = 0;
    for (std::size_t k = 0; k < counts_.size(); ++k) {
      seen += counts_[k];
      if (seen > 0 && static_cast<double>(seen) >= wanted)
        return 1e-9 * static_cast<double>(std::min(upper(k), worst_));
    }
    return worst();
  }

 private:
  static constexpr int kFine = 4;  // bits behind the leading one that tell buckets apart
  static constexpr std::size_t kBuckets = (64 - kFine + 1) << kFine;

  static std::size_t bucket(std::uint64_t t) noexcept {
    const int shift = std::max(0, static_cast<int>(std::bit_width(t)) - kFine - 1);
    return (static_cast<std::size_t>(shift) << kFine) + static_cast<std::size_t>(t >> shift);
  }
  static std::uint64_t upper(std::size_t k) noexcept {
    if (k < (std::size_t{2} << kFine)) return k;
    const std::size_t shift = (k >> kFine) - 1;
    const std::uint64_t leading = (k & ((std::size_t{1} << kFine) - 1)) + (1U << kFine);
    return ((leading + 1) << shift) - 1;
  }

  std::array<std::uint64_t, kBuckets> counts_{};
  std::uint64_t count_ = 0, sum_ = 0, worst_ = 0;
};

}  // namespace stance
