// A picture of the times of a loop: how many cycles took how long, both axes logarithmic, as one rare late cycle matters
// more than a million good ones.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "stance_core/base/time_histogram.hpp"

namespace stance {

struct LatencySeries {
  std::string_view name;
  const TimeHistogram* times = nullptr;
};

// One panel for each series, on a common axis of time, with median, 99.9 % and the longest marked, and the period.
std::string draw_latency_plot(std::string_view title, std::string_view subtitle,
                              std::span<const LatencySeries> series, std::int64_t period);

// "850 ns", "12.3 \u00b5s", "1.05 ms", "2.00 s": three digits.
std::string time_text(double nanoseconds);

}  // namespace stance
