// The leg is the body of the first foot. Its curve has two parts, support and swing; where an impact makes its rate jump,
// the parts are joined by a dashed line. Signs are ours: positive is turned forward about the ground's lateral axis,
// the hip ahead of the foot (the paper counts the other way).
#include "phase_portrait.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <optional>

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

// Pixels of curves inside a rectangle.
double covered(const std::vector<Run>& runs, Point low, Point high) {
  double length = 0;
  for (std::size_t r = 0; r < runs.size(); ++r) {
    std::vector<Point> points = runs[r].points;
    if (runs[r].after_jump) points.insert(points.begin(), runs[r - 1].points.back());
    for (std::size_t i = 1; i < points.size(); ++i) {
      const Point a = points[i - 1], b = points[i];
      const double step = std::hypot(b.x - a.x, b.y - a.y);
      const int count = 1 + static_cast<int>(step / 3);
      for (int k = 0; k < count; ++k) {
        const double x = a.x + (b.x - a.x) * k / count, y = a.y + (b.y - a.y) * k / count;
        if (x > low.x && x < high.x && y > low.y && y < high.y) length += step / count;
      }
    }
  }
  return length;
}

// The name stands where it hides least of the curves, and not on another name. Returns where it stands.
Point draw_mark(Svg& svg, const Axes& axes, const std::vector<Run>& runs, const Run& run,
                const char* label, std::optional<Point> other) {
  constexpr double kSize = 13, kMostHidden = 10;
  const Point at = run.points.front();
  const double width = 1.35 * text_width(label, kSize);  // bold
  double least = std::numeric_limits<double>::infinity();
  Point best;  // left end of the baseline
  for (const Point off : {Point{11, 5},
                          {-11 - width, 5},
                          {-width / 2, -12},
                          {-width / 2, 22},
                          {9, -9},
                          {-9 - width, -9},
                          {9, 19},
                          {-9 - width, 19}}) {
    const Point text{at.x + off.x, at.y + off.y};
    const bool outside = text.x < axes.corner.x + 4 || text.x + width > axes.right() - 4 ||
                         text.y - kSize < axes.corner.y || text.y + 4 > axes.bottom();
    const bool taken = other && std::abs(other->x - text.x) < width &&
                       std::abs(other->y - text.y) < 1.3 * kSize;
    const double hidden = covered(runs, {text.x - 2, text.y - kSize},
                                  {text.x + width + 2, text.y + 4}) +
                          (outside || taken ? 1e6 : 0);
    if (hidden < least) least = hidden, best = text;
  }
  const std::string_view color = run.support ? kSupport : kSwing;
  svg.circle(at, 5.5, run.support ? color : "#ffffff", {color, 2});
  if (least > kMostHidden) return best;  // the legend says what it is
  svg.text({best.x + width / 2, best.y}, label,
           {.size = kSize, .anchor = Anchor::kMiddle, .color = color, .bold = true, .halo = true});
  return best;
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
  std::optional<Point> name;
  if (touchdown) name = draw_mark(svg, axes, runs, runs[*touchdown], "touchdown", name);
  if (liftoff) draw_mark(svg, axes, runs, runs[*liftoff], "lift-off", name);
  return svg.finish();
}

}  // namespace stance::report
