// The plane is that of the ground's forward direction and its normal, drawn with the vertical upright, so that a slope
// looks like one. Axes have equal scales and begin at the first foothold.
#include "strip.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace stance::report {
namespace {

constexpr int kPosesPerStep = 5, kPosesOfAWheel = 2;  // many spokes hide each other
constexpr double kMaxHeight = 560, kMinHeight = 120;  // px, of the axes

// Samples shown: at equal times over the strides, and the last one.
std::vector<std::size_t> poses(const Scene& scene, const std::vector<Stride>& strides) {
  std::vector<std::size_t> shown;
  const auto& samples = scene.samples;
  for (const auto& s : strides) {
    const double begin = samples[s.first].time, end = samples[s.last].time;
    const int per_step = scene.settings.foot_count > 4 ? kPosesOfAWheel : kPosesPerStep;
    const int count = strides.size() == 1 ? 2 * per_step : per_step;
    std::size_t i = s.first;
    for (int k = 0; k < count; ++k) {
      const double time = begin + (end - begin) * k / count;
      while (i < s.last && samples[i].time < time) ++i;
      if (shown.empty() || shown.back() != i) shown.push_back(i);
    }
  }
  if (!strides.empty() && shown.back() != strides.back().last) shown.push_back(strides.back().last);
  return shown;
}

// The part of a circle that is within kSole of its lowest point in the bind pose; it rolls no further in a walk.
std::vector<Point> sole(Point center, Point lowest) {
  constexpr double kSole = 0.6;  // rad
  constexpr int kPieces = 16;
  const double x = lowest.x - center.x, y = lowest.y - center.y;
  std::vector<Point> points;
  for (int k = -kPieces; k <= kPieces; ++k) {
    const double c = std::cos(kSole * k / kPieces), s = std::sin(kSole * k / kPieces);
    points.push_back({center.x + c * x - s * y, center.y + s * x + c * y});
  }
  return points;
}

}  // namespace

std::string draw_strip(const Scene& scene) {
  const auto& samples = scene.samples;
  const Ground& ground = scene.settings.ground;
  const auto strides = last_strides(scene, 2);
  const auto shown = poses(scene, strides);

  // world to page: x along the walk, z up
  const Vec3<double> u = up(scene);
  Vec3<double> ahead = ground.forward() - u * dot(u, ground.forward());
  ahead = ahead * (1 / norm(ahead));
  const ContactEvent* foothold = strides.empty() ? nullptr : strides.front().begin;
  const Vec3<double> origin = foothold ? foothold->point_W : ground.point;
  const auto page = [&](const Vec3<double>& p) {
    return Point{dot(ahead, p - origin), dot(u, p - origin)};
  };
  // height of the ground's line below a point of the page
  const double fall = -dot(u, ground.forward()) / dot(ahead, ground.forward());
  const double ground_at_zero = dot(ground.normal, ground.point - origin) / dot(ground.normal, u);
  const auto ground_height = [&](double x) { return ground_at_zero - fall * x; };

  Range x, z;
  for (const std::size_t i : shown) {
    for (const auto& bone : scene.skeleton.bones) {
      for (const int n : {bone.from, bone.to}) {
        const Point p = page(samples[i].points[static_cast<std::size_t>(n)]);
        x.include(p.x), z.include(p.y);
      }
    }
    for (const auto& arc : scene.skeleton.arcs) {
      const auto& points = samples[i].points;
      for (const Point p : sole(page(points[static_cast<std::size_t>(arc.center)]),
                                page(points[static_cast<std::size_t>(arc.lowest)])))
        x.include(p.x), z.include(p.y);
    }
  }
  x = x.padded(0.06);
  for (const double end : {x.low, x.high}) z.include(ground_height(end));
  z = z.padded(0.08, 0.06);

  // equal scales: whichever of width and height is short gets more room
  const double width = kRight - kLeft;
  double height = width * z.size() / x.size();
  if (height > kMaxHeight) {
    const double more = x.size() * (height / kMaxHeight - 1) / 2;
    x = {x.low - more, x.high + more};
    height = kMaxHeight;
  } else if (height < kMinHeight) {
    z.high = z.low + z.size() * kMinHeight / height;
    height = kMinHeight;
  }

  using Mark = LegendEntry::Mark;
  std::vector<LegendEntry> legend;
  const int feet = scene.settings.foot_count;
  if (feet > 4) {
    legend = {{Mark::kLine, foot_color(scene, 0), "to " + foot_name(scene, 0)},
              {Mark::kLine, foot_color(scene, 1), fmt::format("to the other {} feet", feet - 1)}};
  } else {
    for (int f = 0; f < feet; ++f) {
      legend.push_back({Mark::kLine, foot_color(scene, f), "leg of " + foot_name(scene, f)});
    }
  }
  legend.push_back({Mark::kDot, kDark, "foothold"});
  // the page's height depends on the legend's rows: draw it once to count them
  Svg trial(kPageWidth, 100, "");
  const double top = draw_legend(trial, {kLeft, 84}, kRight, legend) + 4;

  Svg svg(kPageWidth, top + height + 60, "Stick figures");
  draw_title(svg, scene,
             strides.empty() || strides.back().end == nullptr ? "Stick figures"
             : strides.size() > 1                             ? "Stick figures of two steps"
                                                              : "Stick figures of a step",
             shown.empty()
                 ? "no samples"
                 : fmt::format("{} poses, t = {:.2f} (light) to {:.2f} s (dark)", shown.size(),
                               samples[shown.front()].time, samples[shown.back()].time));
  draw_legend(svg, {kLeft, 84}, kRight, legend);
  const Axes axes{{kLeft, top}, width, height, x, z};
  axes.draw(svg, foothold ? "forward from the first foothold [m]" : "forward [m]", "up [m]");

  axes.clip(svg);
  const Point left = axes.at(x.low, ground_height(x.low)),
              right = axes.at(x.high, ground_height(x.high));
  svg.line(left, right, {"#6b5a45", 2.5});
  for (double s = 0; s < right.x - left.x; s += 14) {  // hatching below the ground's line
    const double px = left.x + s, py = left.y + s * (right.y - left.y) / (right.x - left.x);
    svg.line({px, py}, {px - 7, py + 9}, {"#6b5a45", 1, 0.5});
  }
  for (std::size_t k = 0; k < shown.size(); ++k) {
    const Sample& s = samples[shown[k]];
    const double age = shown.size() > 1
                           ? static_cast<double>(k) / static_cast<double>(shown.size() - 1)
                           : 1;
    const double opacity = 0.3 + 0.7 * age * age;
    const auto point = [&](int n) {
      const Point p = page(s.points[static_cast<std::size_t>(n)]);
      return axes.at(p.x, p.y);
    };
    for (const auto& bone : scene.skeleton.bones) {
      const Point a = point(bone.from), b = point(bone.to);
      if (std::hypot(a.x - b.x, a.y - b.y) < 0.5) continue;
      const Point line[] = {a, b};
      svg.polyline(line, {foot_color(scene, bone.foot), bone.foot < 0 ? 3.5 : 2.6, opacity});
    }
    for (const auto& arc : scene.skeleton.arcs) {
      const Point center = point(arc.center), lowest = point(arc.lowest);
      svg.polyline(sole(center, lowest), {foot_color(scene, arc.foot), 2.6, opacity});
    }
    for (int b = 0; b < scene.model.body_count; ++b)
      svg.circle(point(b), 2.6, "#ffffff", {kDark, 1.2, opacity});
  }
  // where feet stood
  for (const auto& event : scene.events) {
    if (event.kind != EventKind::kTouchdown || shown.empty()) continue;
    if (event.time < samples[shown.front()].time - 0.1 ||
        event.time > samples[shown.back()].time + 0.1)
      continue;
    const Point p = page(event.point_W);
    svg.circle(axes.at(p.x, p.y), 4.5, kDark, {"#ffffff", 1});
  }
  svg.unclip();
  return svg.finish();
}

}  // namespace stance::report
