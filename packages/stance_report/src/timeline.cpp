#include "timeline.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace stance::report {
namespace {

// What is shown ends with the run: so long, but no fewer and no more than so many steps.
constexpr double kSeconds = 5;
constexpr std::size_t kFewestSteps = 4, kMostSteps = 12;
constexpr std::size_t kMaxLines = 10;  // more cannot be told apart
constexpr double kNameRoom = 150;      // px, left of the bars

// Not those of the feet.
std::string_view joint_color(std::size_t n) { return line_color(static_cast<int>(n) + 2); }

struct Line {
  std::string name;
  std::size_t index;  // in Sample::q
  double motion;      // largest minus smallest
  bool slides;
};

// The joints that move most, in the robot's order.
std::vector<Line> joint_lines(const Scene& scene, std::size_t first, std::size_t& of) {
  std::vector<Line> lines;
  for (int i = 1; i < scene.model.body_count; ++i) {
    const Joint& joint = scene.model.joints[i];
    if (dof_count(joint.kind) != 1) continue;
    Range range;
    for (std::size_t k = first; k < scene.samples.size(); ++k)
      range.include(scene.samples[k].q[lines.size()]);
    lines.push_back({std::string(joint.name.view()), lines.size(), range.empty() ? 0 : range.size(),
                     joint.kind == JointKind::kPrismatic});
  }
  of = lines.size();
  std::stable_sort(lines.begin(), lines.end(),
                   [](const Line& a, const Line& b) { return a.motion > b.motion; });
  lines.resize(std::min(lines.size(), kMaxLines));
  std::sort(lines.begin(), lines.end(),
            [](const Line& a, const Line& b) { return a.index < b.index; });
  return lines;
}

std::string position_label(const std::vector<Line>& lines) {
  const auto slides = std::count_if(lines.begin(), lines.end(),
                                    [](const Line& l) { return l.slides; });
  if (slides == 0) return "angle [rad]";
  return slides == static_cast<std::ptrdiff_t>(lines.size()) ? "position [m]"
                                                             : "position [rad or m]";
}

void draw_joints(Svg& svg, const Scene& scene, std::size_t first, const std::vector<Line>& lines,
                 Axes axes) {
  const auto& samples = scene.samples;
  const auto value = [&](const Line& line, const Sample& s) {
    return line.index < s.q.size() ? s.q[line.index] : s.angle;
  };
  for (const auto& line : lines) {
    for (std::size_t k = first; k < samples.size(); ++k) axes.y.include(value(line, samples[k]));
  }
  axes.y = axes.y.padded(0.08);
  axes.draw(svg, "", position_label(lines));
  for (std::size_t n = 0; n < lines.size(); ++n) {
    std::vector<Point> points;
    for (std::size_t k = first; k < samples.size(); ++k) {
      const double y = value(lines[n], samples[k]);
      // an angle that wraps round is not a line across the plot
      if (k > first && std::abs(y - value(lines[n], samples[k - 1])) > M_PI) {
        svg.polyline(points, {joint_color(n), 1.8});
        points.clear();
      }
      points.push_back(axes.at(samples[k].time, y));
    }
    svg.polyline(points, {joint_color(n), 1.8});
  }
}

void draw_contacts(Svg& svg, const Scene& scene, const Axes& axes) {
  const int feet = scene.settings.foot_count;
  const double row = axes.height / std::max(feet, 1);
  for (int f = 0; f < feet; ++f) {
    const double y = axes.corner.y + row * f;
    if (row >= 9) {
      svg.text({axes.corner.x - 9, y + row / 2 + 4}, foot_name(scene, f),
               {.size = std::min(13., row), .anchor = Anchor::kEnd});
    }
    for (const auto& contact : scene.contacts) {
      if (contact.foot != f) continue;
      const double from = std::max(contact.from, axes.x.low),
                   to = std::min(contact.to, axes.x.high);
      if (to <= from) continue;
      const double left = axes.at(from, 0).x;
      svg.rectangle({left, y + 0.2 * row}, axes.at(to, 0).x - left, 0.6 * row, foot_color(scene, f),
                    0.85, {"none", 0});
    }
  }
  svg.rectangle(axes.corner, axes.width, axes.height, "none", 1, {"#555555"});
}

// A stem per impulse, in the colour of the foot that received it. A joint's stop pushes two links of the robot apart:
// it has an instant here, and no impulse from outside.
void draw_impulses(Svg& svg, const Scene& scene, Axes axes) {
  struct Stem {
    double time, impulse;
    int foot;
    EventKind kind;
  };
  std::vector<Stem> stems;
  axes.y.include(0);
  for (const auto& event : scene.events) {
    if (event.time < axes.x.low || event.time > axes.x.high) continue;
    double impulse = 0;
    switch (event.kind) {
      case EventKind::kTouchdown: impulse = dot(event.impulse_W, event.normal_W); break;
      case EventKind::kPushOff: impulse = norm(event.impulse_W); break;
      case EventKind::kStop: break;
      default: continue;
    }
    int foot = -1;
    for (int f = 0; f < scene.settings.foot_count; ++f) {
      if (scene.settings.feet[f].frame == event.frame) foot = f;
    }
    stems.push_back({event.time, impulse, foot, event.kind});
    axes.y.include(impulse);
  }
  axes.y = axes.y.size() > 0 ? axes.y.padded(0, 0.2) : Range{0, 1};
  axes.draw(svg, "time [s]", "impulse [N s]");
  for (const auto& stem : stems) {
    const Point tip = axes.at(stem.time, stem.impulse);
    if (stem.kind == EventKind::kStop) {
      svg.arrow({tip.x, tip.y - 2}, {0, 1}, kDark, 9);
      continue;
    }
    const auto color = foot_color(scene, stem.foot);
    svg.line(axes.at(stem.time, 0), tip, {color, 2});
    svg.circle(tip, 4, stem.kind == EventKind::kPushOff ? "#ffffff" : color, {color, 1.5});
  }
}

double first_time(const Scene& scene, double end) {
  const auto& steps = scene.steps;
  double begin = end - kSeconds;
  // the touchdown that begins the last `count` steps; the one that the run ends in is not whole
  const auto start_of = [&](std::size_t count) { return steps[steps.size() - 1 - count].time; };
  if (steps.size() > kFewestSteps) begin = std::min(begin, start_of(kFewestSteps));
  if (steps.size() > kMostSteps) begin = std::max(begin, start_of(kMostSteps));
  return begin;
}

}  // namespace

std::string draw_timeline(const Scene& scene) {
  const auto& samples = scene.samples;
  const double end = samples.empty() ? 1 : samples.back().time;
  const double begin = samples.empty() ? 0 : std::max(samples.front().time, first_time(scene, end));
  const auto start = std::find_if(samples.begin(), samples.end(),
                                  [&](const Sample& s) { return s.time >= begin; });
  const auto first = static_cast<std::size_t>(start - samples.begin());

  std::size_t joints = 0;
  auto lines = joint_lines(scene, first, joints);
  const bool leg_instead = lines.empty() && scene.settings.foot_count > 0;
  if (leg_instead)
    lines = {{"angle of " + foot_name(scene, 0) + " from the vertical", ~std::size_t(0), 0, false}};

  std::vector<LegendEntry> legend;
  for (std::size_t n = 0; n < lines.size(); ++n) {
    legend.push_back({LegendEntry::Mark::kLine, joint_color(n), lines[n].name});
  }
  const double left = kNameRoom;
  Svg trial(kPageWidth, 100, "");
  const double top = draw_legend(trial, {left, 84}, kRight, legend) + 4;
  const double bars = std::clamp(scene.settings.foot_count * 24., 24., 200.);
  constexpr double kJoints = 230, kImpulses = 130, kGap = 30;

  Svg svg(kPageWidth, top + kJoints + kGap + bars + kGap + kImpulses + 60,
          "Joints, contacts and impulses");
  const std::string some = joints > lines.size() && !leg_instead
                               ? fmt::format(", the {} of {} joints that move most", lines.size(),
                                             joints)
                               : "";
  draw_title(svg, scene, "Joints, contacts and impulses",
             fmt::format("t = {:.2f} to {:.2f} s{}", begin, end, some));
  draw_legend(svg, {left, 84}, kRight, legend);
  const Range time{begin, std::max(end, begin + 1e-6)};
  const Axes upper{{left, top}, kRight - left, kJoints, time, {}};
  draw_joints(svg, scene, first, lines, upper);
  const Axes middle{{left, upper.bottom() + kGap}, upper.width, bars, time, {0, 1}};
  svg.text({left, middle.corner.y - 8}, "foot on the ground", {.color = "#555555"});
  draw_contacts(svg, scene, middle);
  const Axes lower{{left, middle.bottom() + kGap}, upper.width, kImpulses, time, {}};
  const auto any = [&](EventKind kind) {
    return std::any_of(scene.events.begin(), scene.events.end(),
                       [&](const ContactEvent& e) { return e.time >= begin && e.kind == kind; });
  };
  std::string caption = "impulses of touchdowns along the normal";
  if (any(EventKind::kPushOff)) caption += " (filled), of push-offs (hollow)";
  if (any(EventKind::kStop)) caption += "; arrows: a joint struck its stop, inside the robot";
  svg.text({left, lower.corner.y - 8}, caption, {.color = "#555555"});
  draw_impulses(svg, scene, lower);
  return svg.finish();
}

}  // namespace stance::report
