#include "stance_report/sweep_plot.hpp"

#include <cmath>

#include "scene.hpp"

namespace stance {

using namespace report;

namespace {

constexpr std::string_view kStable = "#1f5fa8", kUnstable = "#d1602b";

// One number over the slope in degrees: a line, and a dot for each gait, by its stability.
void draw_panel(Svg& svg, const std::vector<SweepSample>& samples, double SweepSample::*number,
                Axes axes, std::string_view x_label, std::string_view y_label) {
  axes.y = axes.y.padded(0.08);
  axes.draw(svg, x_label, y_label);
  if (number == &SweepSample::multiplier)
    svg.line(axes.at(axes.x.low, 1), axes.at(axes.x.high, 1), {kDark, 1.5, 1, "5 4"});
  std::vector<Point> points;
  points.reserve(samples.size());
  for (const auto& s : samples) points.push_back(axes.at(s.slope * 180 / M_PI, s.*number));
  svg.polyline(points, {kGrey, 1.2});
  for (std::size_t i = 0; i < samples.size(); ++i)
    svg.circle(points[i], 3.5, samples[i].multiplier < 1 ? kStable : kUnstable, {"#ffffff", 1});
}

}  // namespace

std::string draw_sweep(const std::string& title, const std::vector<SweepSample>& samples) {
  constexpr double kHeight = 190, kGap = 24;
  Svg svg(kPageWidth, 100 + 3 * (kHeight + kGap) + 40, "Gaits along the slope");
  svg.text({24, 34}, "Gaits along the slope", {.size = 18, .bold = true});
  svg.text({24, 56}, title, {.color = "#555555"});
  using Entry = LegendEntry::Mark;
  const double top = draw_legend(svg, {kLeft, 84}, kRight,
                                 {{Entry::kDot, kStable, "stable"},
                                  {Entry::kDot, kUnstable, "not stable"},
                                  {Entry::kDashes, kDark, "multiplier 1"}}) +
                     4;
  Range slopes, multipliers, lengths, periods;
  multipliers.include(0), multipliers.include(1);
  for (const auto& s : samples) {
    slopes.include(s.slope * 180 / M_PI);
    multipliers.include(s.multiplier);
    lengths.include(s.length);
    periods.include(s.period);
  }
  slopes = slopes.padded(0.03);
  const auto panel = [&](int k, const Range& y) {
    return Axes{{kLeft, top + k * (kHeight + kGap)}, kRight - kLeft, kHeight, slopes, y};
  };
  draw_panel(svg, samples, &SweepSample::multiplier, panel(0, multipliers), "",
             "largest multiplier");
  draw_panel(svg, samples, &SweepSample::length, panel(1, lengths), "", "step length [m]");
  draw_panel(svg, samples, &SweepSample::period, panel(2, periods), "slope [\u00b0]", "period [s]");
  return svg.finish();
}

}  // namespace stance
