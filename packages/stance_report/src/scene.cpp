#include "scene.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace stance::report {
namespace {

// Cut to what fits, at the end of a UTF-8 letter.
std::string fitted(std::string text, double size, double width) {
  if (text_width(text, size) <= width) return text;
  while (!text.empty() && text_width(text, size) + size > width) {
    while (text.size() > 1 && (static_cast<unsigned char>(text.back()) & 0xC0) == 0x80)
      text.pop_back();
    text.pop_back();
  }
  return text + "\u2026";
}

}  // namespace

std::string_view line_color(int k) {
  static constexpr std::array<std::string_view, 10> kColors = {
      "#1f5fa8", "#d1602b", "#2a8c6a", "#8a5aa8", "#b08a1e",
      "#3aa0c4", "#b8336a", "#6b8e23", "#7a5c46", "#555555"};
  return kColors[static_cast<std::size_t>(k) % kColors.size()];
}

std::string_view foot_color(const Scene& scene, int foot) {
  if (foot < 0) return kGrey;
  return line_color(scene.settings.foot_count > 4 ? std::min(foot, 1) : foot);
}

std::string foot_name(const Scene& scene, int foot) {
  return std::string(scene.model.frames[scene.settings.feet[foot].frame].name.view());
}

Vec3<double> up(const Scene& scene) {
  const Vec3<double>& g = scene.model.gravity;
  return norm(g) > 0 ? g * (-1 / norm(g)) : scene.settings.ground.normal;
}

double slope(const Scene& scene) {
  const Vec3<double> u = up(scene), n = scene.settings.ground.normal;
  return std::atan2(norm(cross(u, n)), dot(u, n));
}

std::string robot_and_ground(const Scene& scene) {
  const std::string robot = scene.info.robot_name.empty() ? std::string(scene.model.name.view())
                                                          : scene.info.robot_name;
  const double degrees = slope(scene) * 180 / M_PI;
  return degrees < 5e-3 ? robot + " on level ground"
                        : fmt::format("{} on a slope of {:.2f}\u00b0", robot, degrees);
}

double draw_title(Svg& svg, const Scene& scene, const std::string& what, const std::string& small) {
  const std::string note = scene.steps.empty() ? "no foot touched down in this run" : "";
  svg.text({24, 34}, fitted(what + ": " + robot_and_ground(scene), 18, kPageWidth - 48),
           {.size = 18, .bold = true});
  const std::string line = scene.info.title.empty() ? small : scene.info.title + " \u00b7 " + small;
  const double room = note.empty() ? 0 : text_width(note, 14) + 30;
  svg.text({24, 56}, fitted(line, 13, kPageWidth - 48 - room), {.color = "#555555"});
  if (!note.empty())
    svg.text({kRight, 56}, note, {.size = 14, .anchor = Anchor::kEnd, .color = "#a03020"});
  return 84;
}

int cycle_steps(const SimulatorSettings& settings) { return std::max(4, settings.foot_count + 1); }

std::vector<Stride> last_strides(const Scene& scene, int count) {
  const auto& samples = scene.samples;
  if (samples.empty()) return {};
  // the last count + 1 touchdowns that made a step and whose samples are still here, newest first
  std::vector<Stride> starts;
  for (auto e = scene.events.rbegin();
       e != scene.events.rend() && static_cast<int>(starts.size()) <= count; ++e) {
    if (e->kind != EventKind::kTouchdown) continue;
    if (std::none_of(scene.steps.rbegin(), scene.steps.rend(),
                     [&](const Step& step) { return step.time == e->time; }))
      continue;  // of a step that had begun, or of none
    if (e->time < samples.front().time) break;
    if (!starts.empty() && starts.back().begin->time == e->time) continue;  // two feet at once
    auto s = std::find_if(samples.begin(), samples.end(),
                          [&](const Sample& x) { return x.time >= e->time; });
    // of two samples at the same instant the second is the one after the jump
    while (s != samples.end() && s + 1 != samples.end() && (s + 1)->jump &&
           (s + 1)->time == s->time)
      ++s;
    if (s == samples.end()) continue;
    starts.push_back({static_cast<std::size_t>(s - samples.begin()), 0, &*e, nullptr});
  }
  std::reverse(starts.begin(), starts.end());
  std::vector<Stride> strides;
  for (std::size_t i = 0; i + 1 < starts.size(); ++i) {
    if (starts[i + 1].first <= starts[i].first + 1) continue;
    strides.push_back(
        {starts[i].first, starts[i + 1].first - 1, starts[i].begin, starts[i + 1].begin});
  }
  if (strides.empty()) {
    const bool started = !starts.empty();
    strides.push_back({started ? starts[0].first : 0, samples.size() - 1,
                       started ? starts[0].begin : nullptr, nullptr});
  }
  return strides;
}

}  // namespace stance::report
