#include "stance_report/branch_plot.hpp"

#include <algorithm>
#include <cmath>

#include "scene.hpp"

namespace stance {

using namespace report;

namespace {

constexpr std::string_view kStable = "#1f5fa8", kUnstable = "#d1602b";

// Runs of points that are alike in stability: each a line of its own that meets its neighbours.
template <class Height>
void draw_line(Svg& svg, const Axes& axes, const std::vector<BranchSample>& samples,
               const Height& height) {
  for (std::size_t begin = 0; begin + 1 < samples.size();) {
    const auto stable = [&](std::size_t k) { return samples[k].multiplier < 1; };
    std::size_t end = begin + 1;
    while (end + 1 < samples.size() && stable(end + 1) == stable(end)) ++end;
    std::vector<Point> points;
    for (std::size_t k = begin; k <= end; ++k)
      points.push_back(axes.at(samples[k].parameter, height(samples[k])));
    const bool full = stable(end);
    svg.polyline(points, {full ? kStable : kUnstable, 1.8, 1, full ? "" : "5 4"});
    begin = end;
  }
}

}  // namespace

std::string draw_branches(const std::string& title, const std::string& parameter,
                          const std::vector<BranchLine>& branches) {
  constexpr double kHeight = 300, kSmall = 180, kGap = 28;
  Svg svg(kPageWidth, 100 + kHeight + kSmall + 2 * kGap + 40, "Branches of gaits");
  svg.text({24, 34}, "Branches of gaits", {.size = 18, .bold = true});
  svg.text({24, 56}, title, {.color = "#555555"});
  using Entry = LegendEntry::Mark;
  const double top = draw_legend(svg, {kLeft, 84}, kRight,
                                 {{Entry::kLine, kStable, "stable"},
                                  {Entry::kDashes, kUnstable, "not stable"},
                                  {Entry::kRing, kDark, "fold, period doubling, Neimark-Sacker"}}) +
                     4;
  Range x, lengths, sizes;
  sizes.include(0), sizes.include(1);
  for (const BranchLine& branch : branches) {
    for (const BranchSample& s : branch.samples) {
      x.include(s.parameter);
      sizes.include(std::min(s.multiplier, 3.0));
      for (const double length : s.lengths) lengths.include(length);
    }
  }
  x = x.padded(0.03);
  const Axes steps{{kLeft, top}, kRight - kLeft, kHeight, x, lengths.padded(0.08)};
  const Axes size{{kLeft, top + kHeight + kGap}, kRight - kLeft, kSmall, x, sizes.padded(0.08)};
  steps.draw(svg, "", "length of each step [m]");
  size.draw(svg, parameter, "largest multiplier");
  size.clip(svg);
  svg.line(size.at(x.low, 1), size.at(x.high, 1), {kDark, 1.2, 1, "5 4"});
  for (const BranchLine& branch : branches)
    draw_line(svg, size, branch.samples, [](const BranchSample& s) { return s.multiplier; });
  svg.unclip();
  for (const BranchLine& branch : branches) {
    for (std::size_t k = 0; k < static_cast<std::size_t>(branch.steps); ++k) {
      draw_line(svg, steps, branch.samples,
                [&](const BranchSample& s) { return k < s.lengths.size() ? s.lengths[k] : 0; });
    }
    for (const BranchSample& s : branch.samples) {
      if (s.event.empty()) continue;
      for (const double length : s.lengths)
        svg.circle(steps.at(s.parameter, length), 4, "#ffffff", {kDark, 1.5});
    }
  }
  return svg.finish();
}

}  // namespace stance
