#include "stance_report/latency_plot.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "svg.hpp"

namespace stance {
namespace {

using namespace report;

constexpr double kWidth = 900, kLeft = 86, kRight = kWidth - 30;
constexpr double kTop = 84, kPanel = 190, kGap = 46, kBottom = 56;
constexpr std::string_view kBlue = "#1f5fa8", kRed = "#b03020", kGrid = "#e6e6e6",
                           kFrame = "#555555";
constexpr int kBarsPerDecade = 24;

// Powers of ten of the least and the largest time, in nanoseconds.
struct Decades {
  int low = 3, high = 4;
  double x(double nanoseconds) const {
    const double at = std::log10(std::max(nanoseconds, 1.0)) - low;
    return kLeft + std::clamp(at / (high - low), 0.0, 1.0) * (kRight - kLeft);
  }
};

Decades decades(std::span<const LatencySeries> series, std::int64_t period) {
  double least = static_cast<double>(period), most = static_cast<double>(period);
  for (const LatencySeries& s : series) {
    if (s.times->count() == 0) continue;
    least = std::min(least, std::max<double>(static_cast<double>(s.times->min()), 10));
    most = std::max(most, static_cast<double>(s.times->max()));
  }
  Decades d;
  d.low = static_cast<int>(std::floor(std::log10(least)));
  d.high = static_cast<int>(std::ceil(std::log10(most * 1.2)));
  return d;
}

class Panel {
 public:
  Panel(Svg& svg, const Decades& decades, double top) : svg_(svg), decades_(decades), top_(top) {}

  void draw(const LatencySeries& series, std::int64_t period, bool last) {
    collect(*series.times);
    draw_grid(last);
    draw_bars();
    draw_period(period);
    draw_marks(*series.times);
    svg_.text({kLeft, top_ - 9}, fmt::format("{}: {}", series.name, words(*series.times)),
              {.size = 13, .color = "#222222", .bold = true});
  }

 private:
  double bottom() const { return top_ + kPanel; }
  // counts from 0.6, so that one cycle is seen, to the next power of ten
  double y(double count) const {
    const double share = std::log10(std::max(count, 0.6) / 0.6) / std::log10(most_ / 0.6);
    return bottom() - share * kPanel;
  }

  static std::string words(const TimeHistogram& times) {
    return fmt::format("median {}, 99.9 % {}, longest {}",
                       time_text(static_cast<double>(times.quantile(0.5))),
                       time_text(static_cast<double>(times.quantile(0.999))),
                       time_text(static_cast<double>(times.max())));
  }

  void collect(const TimeHistogram& times) {
    const int bars = (decades_.high - decades_.low) * kBarsPerDecade;
    bars_.assign(static_cast<std::size_t>(bars), 0.0);
    for (int i = 0; i < TimeHistogram::kBuckets; ++i) {
      if (times.count(i) == 0) continue;
      // in the middle of its bucket
      const double t = 0.5 *
                       static_cast<double>(TimeHistogram::lower(i) + TimeHistogram::lower(i + 1));
      const double at = (std::log10(std::max(t, 1.0)) - decades_.low) * kBarsPerDecade;
      const auto bar = static_cast<std::size_t>(
          std::clamp(at, 0.0, static_cast<double>(bars_.size()) - 1));
      bars_[bar] += static_cast<double>(times.count(i));
    }
    most_ = 10;
    for (const double count : bars_) {
      while (most_ < count * 1.5) most_ *= 10;
    }
  }

  void draw_grid(bool last) {
    for (int decade = decades_.low; decade <= decades_.high; ++decade) {
      const double x = decades_.x(std::pow(10, decade));
      svg_.line({x, top_}, {x, bottom()}, {kGrid, 1});
      for (int m = 2; m < 10 && decade < decades_.high; ++m) {
        const double minor = decades_.x(m * std::pow(10, decade));
        svg_.line({minor, bottom()}, {minor, bottom() + 3}, {kFrame, 1});
      }
      if (last)
        svg_.text({x, bottom() + 20}, time_text(std::pow(10, decade)), {.anchor = Anchor::kMiddle});
    }
    for (double count = 1; count <= most_; count *= 10) {
      svg_.line({kLeft, y(count)}, {kRight, y(count)}, {kGrid, 1});
      // every second one where they are many
      if (most_ > 1e4 && std::lround(std::log10(count)) % 2 == 1) continue;
      svg_.text({kLeft - 8, y(count) + 4}, fmt::format("{:.0f}", count), {.anchor = Anchor::kEnd});
    }
    svg_.rectangle({kLeft, top_}, kRight - kLeft, kPanel, "none", 1, {kFrame, 1});
    svg_.text({24, top_ + kPanel / 2}, "cycles", {.anchor = Anchor::kMiddle, .turn = -90});
  }

  void draw_bars() {
    const double width = (kRight - kLeft) / static_cast<double>(bars_.size());
    for (std::size_t i = 0; i < bars_.size(); ++i) {
      if (bars_[i] == 0) continue;
      const double x = kLeft + static_cast<double>(i) * width;
      svg_.rectangle({x, y(bars_[i])}, width, bottom() - y(bars_[i]), kBlue, 0.75,
                     {"#ffffff", 0.5});
    }
  }

  void draw_period(std::int64_t period) {
    const double x = decades_.x(static_cast<double>(period));
    svg_.line({x, top_}, {x, bottom()}, {kRed, 2});
    svg_.text({x - 6, top_ + 16}, fmt::format("period {}", time_text(static_cast<double>(period))),
              {.anchor = Anchor::kEnd, .color = kRed, .halo = true});
  }

  void draw_marks(const TimeHistogram& times) {
    if (times.count() == 0) return;
    const struct {
      std::int64_t at;
      std::string_view name;
    } marks[] = {{times.quantile(0.5), "median"},
                 {times.quantile(0.999), "99.9 %"},
                 {times.max(), "longest"}};
    double row = top_ + 34;
    for (const auto& mark : marks) {
      const double x = decades_.x(static_cast<double>(mark.at));
      svg_.line({x, row - 10}, {x, bottom()}, {"#222222", 1.2, 1, "4 3"});
      const bool left = x > kRight - 90;
      svg_.text({x + (left ? -5 : 5), row}, mark.name,
                {.size = 12, .anchor = left ? Anchor::kEnd : Anchor::kStart, .halo = true});
      row += 17;
    }
  }

  Svg& svg_;
  const Decades& decades_;
  double top_;
  double most_ = 10;
  std::vector<double> bars_;
};

}  // namespace

std::string time_text(double nanoseconds) {
  constexpr std::array<std::string_view, 4> kUnits = {"ns", "\u00b5s", "ms", "s"};
  double value = nanoseconds;
  std::size_t unit = 0;
  while (value >= 999.5 && unit + 1 < kUnits.size()) value /= 1000, ++unit;
  const int decimals = unit == 0 || value >= 99.95 ? 0 : value >= 9.995 ? 1 : 2;
  std::string digits = fmt::format("{:.{}f}", value, decimals);
  // a round number is written as one
  if (decimals > 0 && digits.find_first_not_of('0', digits.find('.') + 1) == std::string::npos)
    digits.erase(digits.find('.'));
  return fmt::format("{} {}", digits, kUnits[unit]);
}

std::string draw_latency_plot(std::string_view title, std::string_view subtitle,
                              std::span<const LatencySeries> series, std::int64_t period) {
  const auto panels = static_cast<double>(series.size());
  Svg svg(kWidth, kTop + 20 + panels * kPanel + (panels - 1) * kGap + kBottom, title);
  svg.text({24, 34}, title, {.size = 18, .bold = true});
  svg.text({24, 56}, subtitle, {.color = "#555555"});
  const Decades axis = decades(series, period);
  double top = kTop + 20;
  for (std::size_t k = 0; k < series.size(); ++k) {
    Panel(svg, axis, top).draw(series[k], period, k + 1 == series.size());
    top += kPanel + kGap;
  }
  return svg.finish();
}

}  // namespace stance
