#include "axes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace stance::report {
namespace {

constexpr std::string_view kGrid = "#e6e6e6", kFrame = "#555555";

}  // namespace

void Range::include(double x) {
  if (!std::isfinite(x)) return;
  low = std::min(low, x);
  high = std::max(high, x);
}

Range Range::padded(double below, double above) const {
  if (empty()) return {0, 1};
  const double least = 1e-9 * std::max(1., std::abs(low));
  if (size() < least) {
    const double half = std::max(0.5 * std::abs(low), 0.5);
    return {low - half, high + half};
  }
  return {low - below * size(), high + above * size()};
}

Ticks round_ticks(const Range& range, int count) {
  Ticks ticks;
  const double rough = range.size() / std::max(count, 1);
  const double power = std::pow(10, std::floor(std::log10(rough)));
  double step = 10 * power;
  for (const double m : {1., 2., 5.}) {
    if (m * power >= 0.7 * rough) {
      step = m * power;
      break;
    }
  }
  ticks.decimals = std::max(0, -static_cast<int>(std::floor(std::log10(step) + 1e-9)));
  for (double k = std::ceil(range.low / step - 1e-9); k * step <= range.high + 1e-9 * step; ++k) {
    ticks.at.push_back(k * step);
  }
  return ticks;
}

std::string Ticks::label(double x) const {
  const std::string text = fmt::format("{:.{}f}", std::abs(x), decimals);
  const bool zero = text.find_first_not_of("0.") == std::string::npos;
  return x < 0 && !zero ? "\u2212" + text : text;
}

Point Axes::at(double x_value, double y_value) const {
  return {corner.x + (x_value - x.low) / x.size() * width,
          corner.y + (y.high - y_value) / y.size() * height};
}

void Axes::draw(Svg& svg, std::string_view x_label, std::string_view y_label) const {
  const Ticks across = round_ticks(x, std::max(2, static_cast<int>(width / 95)));
  const Ticks up = round_ticks(y, std::max(3, static_cast<int>(height / 55)));
  for (const double v : across.at) {
    const double px = at(v, y.low).x;
    svg.line({px, corner.y}, {px, bottom()}, {kGrid});
    if (x_label.empty()) continue;
    svg.line({px, bottom()}, {px, bottom() + 5}, {kFrame});
    svg.text({px, bottom() + 19}, across.label(v), {.anchor = Anchor::kMiddle});
  }
  for (const double v : up.at) {
    const double py = at(x.low, v).y;
    svg.line({corner.x, py}, {right(), py}, {kGrid});
    svg.line({corner.x - 5, py}, {corner.x, py}, {kFrame});
    svg.text({corner.x - 9, py + 4.5}, up.label(v), {.anchor = Anchor::kEnd});
  }
  svg.rectangle(corner, width, height, "none", 1, {kFrame});
  svg.text({corner.x + width / 2, bottom() + 43}, x_label, {.size = 14, .anchor = Anchor::kMiddle});
  svg.text({corner.x - 62, corner.y + height / 2}, y_label,
           {.size = 14, .anchor = Anchor::kMiddle, .turn = -90});
}

double draw_legend(Svg& svg, Point at, double right, const std::vector<LegendEntry>& entries) {
  using Mark = LegendEntry::Mark;
  double x = at.x, y = at.y;
  for (const auto& entry : entries) {
    const double width = 34 + text_width(entry.label, 13) + 18;
    if (x > at.x && x + width > right) x = at.x, y += 20;
    const Point from{x, y - 4.5}, to{x + 26, y - 4.5}, middle{x + 13, y - 4.5};
    switch (entry.mark) {
      case Mark::kLine: svg.line(from, to, {entry.color, 2.5}); break;
      case Mark::kDashes: svg.line(from, to, {entry.color, 1.5, 1, "5 4"}); break;
      case Mark::kDot: svg.circle(middle, 5, entry.color, {entry.color, 1.5}); break;
      case Mark::kRing: svg.circle(middle, 5, "#ffffff", {entry.color, 2}); break;
      case Mark::kBar: svg.rectangle({x, y - 9.5}, 26, 10, entry.color, 1, {entry.color, 0}); break;
    }
    svg.text({x + 34, y}, entry.label, {});
    x += width;
  }
  return y + 12;
}

}  // namespace stance::report
