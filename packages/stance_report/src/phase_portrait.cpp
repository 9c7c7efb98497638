// The leg is the body of the first foot. Its curve has two parts, support and swing; where an impact makes its rate jump,
// the parts are joined by a dashed line. Signs are ours: positive is turned forward about the ground's lateral axis,
// the hip ahead of the foot (the paper counts the other way).
#include "phase_portrait.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <optional>

#include "labels.hpp"

namespace stance::report {
namespace {

constexpr std::string_view kSupport = "#1f5fa8", kSwing = "#d1602b";

struct Run {
  bool support = false;
  bool after_jump = false;
  std::vector<Point> points;  // px
};

// The curve in pieces: a new one at each jump, change of phase, and where the angle wraps round.
std::vector<Run> pieces(const Scene& scene, std::size_t first, const Axes& axes) {
  std::vector<Run> runs;
  const auto& samples = scene.samples;
  for (std::size_t i = first; i < samples.size(); ++i) {
    const Sample& s = samples[i];
    const bool support = s.support == 0, begin = i == first;
    const bool wraps = !begin && std::abs(s.angle - samples[i - 1].angle) > M_PI;
    const bool jumps = !begin && s.jump;
    if (begin || wraps || jumps || runs.back().support != support) {
      Run run{support, jumps, {}};
      if (!begin && !wraps && !jumps) run.points.push_back(runs.back().points.back());
      runs.push_back(run);
    }
    runs.back().points.push_back(axes.at(s.angle, s.rate));
  }
  return runs;
}

void draw_arrows(Svg& svg, const Run& run, std::string_view color) {
  double length = 0;
  for (std::size_t i = 1; i < run.points.size(); ++i) {
    length += std::hypot(run.points[i].x - run.points[i - 1].x,
                         run.points[i].y - run.points[i - 1].y);
  }
  if (length < 60) return;
  double walked = 0;
  int drawn = 0;
  for (std::size_t i = 1; i < run.points.size(); ++i) {
    const Point a = run.points[i - 1], b = run.points[i];
    walked += std::hypot(b.x - a.x, b.y - a.y);
    if (walked < length * (drawn + 1) / 4 || drawn == 3) continue;
    ++drawn;
    svg.arrow(b, {b.x - a.x, b.y - a.y}, color, 12);
  }
}

void draw_mark(Svg& svg, Labels& labels, const Run& run, const char* label) {
  constexpr double kSize = 13, kMostHidden = 10;
  const Point at = run.points.front();
  const std::string_view color = run.support ? kSupport : kSwing;
  svg.circle(at, 5.5, run.support ? color : "#ffffff", {color, 2});
  const auto place = labels.place(at, label, kSize);
  if (place.hidden > kMostHidden) return;  // the legend says what it is
  svg.text({place.at.x + place.width / 2, place.at.y}, label,
           {.size = kSize, .anchor = Anchor::kMiddle, .color = color, .bold = true, .halo = true});
}

}  // namespace

std::string draw_phase_portrait(const Scene& scene) {
  const auto strides = last_strides(scene, cycle_steps(scene.settings));
  const std::size_t first = strides.empty() ? 0 : strides.front().first;
  const auto& samples = scene.samples;
  const bool has_leg = scene.settings.foot_count > 0 && !samples.empty();

  Svg svg(kPageWidth, 660, "Phase portrait of one leg");
  const double below_title = draw_title(
      svg, scene, "Phase portrait of one leg",
      !has_leg ? "no leg: the run has no feet"
               : fmt::format("leg of {}, t = {:.2f} to {:.2f} s", foot_name(scene, 0),
                             samples[first].time, samples.back().time));
  using Mark = LegendEntry::Mark;
  const double top = draw_legend(svg, {kLeft, below_title}, kRight,
                                 {{Mark::kLine, kSupport, "support"},
                                  {Mark::kLine, kSwing, "swing"},
                                  {Mark::kDashes, kGrey, "jump at an impact"},
                                  {Mark::kDot, kSupport, "touchdown"},
                                  {Mark::kRing, kSwing, "lift-off"}});

  Axes axes{{kLeft, top + 4}, kRight - kLeft, 660 - top - 4 - 60, {}, {}};
  for (std::size_t i = first; i < samples.size(); ++i) {
    axes.x.include(samples[i].angle);
    axes.y.include(samples[i].rate);
  }
  axes.x = axes.x.padded(0.08);
  axes.y = axes.y.padded(0.1);
  axes.draw(svg, "angle of the leg from the vertical \u03b8 [rad] (positive: hip ahead of foot)",
            "rate of the leg d\u03b8/dt [rad/s]");
  if (!has_leg) return svg.finish();
  axes.clip(svg);
  svg.line(axes.at(0, axes.y.low), axes.at(0, axes.y.high), {"#aaaaaa"});
  svg.line(axes.at(axes.x.low, 0), axes.at(axes.x.high, 0), {"#aaaaaa"});
  svg.unclip();

  const auto runs = pieces(scene, first, axes);
  for (std::size_t i = 1; i < runs.size(); ++i) {
    if (!runs[i].after_jump) continue;
    svg.line(runs[i - 1].points.back(), runs[i].points.front(), {kGrey, 1.5, 1, "5 4"});
  }
  for (const auto& run : runs) svg.polyline(run.points, {run.support ? kSupport : kSwing, 2.2});

  // arrows and marks on the last whole part of each phase: the one that another follows
  std::optional<std::size_t> touchdown, liftoff;
  for (std::size_t i = 1; i < runs.size(); ++i) {
    if (runs[i].support == runs[i - 1].support) continue;
    (runs[i].support ? touchdown : liftoff) = i;
  }
  for (const auto phase : {true, false}) {
    std::optional<std::size_t> longest;
    for (std::size_t i = 0; i < runs.size(); ++i) {
      if (runs[i].support == phase &&
          (!longest || runs[i].points.size() >= runs[*longest].points.size()))
        longest = i;
    }
    if (longest) draw_arrows(svg, runs[*longest], phase ? kSupport : kSwing);
  }
  Labels labels(axes);
  for (std::size_t i = 0; i < runs.size(); ++i) {
    labels.avoid(runs[i].points);
    if (i > 0 && runs[i].after_jump)
      labels.avoid(std::array{runs[i - 1].points.back(), runs[i].points.front()});
  }
  if (touchdown) draw_mark(svg, labels, runs[*touchdown], "touchdown");
  if (liftoff) draw_mark(svg, labels, runs[*liftoff], "lift-off");
  return svg.finish();
}

}  // namespace stance::report
