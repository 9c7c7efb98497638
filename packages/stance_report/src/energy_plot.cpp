// A robot that nothing drives keeps its energy between impacts, so it moves along a falling diagonal: from A, where the
// step begins, up to B, its highest point, back past A and down to C, where the next foot strikes and energy is lost. A
// robot that pushes off gains energy at C first, and reaches P. The second step has primes.
#include "energy_plot.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "labels.hpp"

namespace stance::report {
namespace {

constexpr std::string_view kColors[] = {"#1f5fa8", "#d1602b"};
constexpr std::string_view kPushColor = "#2a8c6a";
constexpr const char* kPrimes[] = {"", "\u2032", "\u2033"};

class EnergyPlot {
 public:
  explicit EnergyPlot(const Scene& scene)
      : scene_(scene),
        strides_(last_strides(scene, 2)),
        svg_(kPageWidth, 700, "Potential over kinetic energy") {}

  std::string draw() {
    place_axes();
    labels_.emplace(axes_);
    axes_.clip(svg_);
    for (std::size_t k = 0; k < strides_.size(); ++k) draw_diagonal(k);
    svg_.unclip();
    for (std::size_t k = 0; k < strides_.size(); ++k) draw_curve(k);
    for (std::size_t k = 0; k < strides_.size(); ++k) draw_loss(k);
    for (std::size_t k = 0; k < strides_.size(); ++k) draw_total(k);
    draw_marks();
    return svg_.finish();
  }

 private:
  double kinetic(std::size_t i) const { return scene_.samples[i].energy.kinetic; }
  double potential(std::size_t i) const { return scene_.samples[i].energy.potential - zero_; }
  Point at(std::size_t i) const { return axes_.at(kinetic(i), potential(i)); }
  // The push-off at the end of a stride, just before the foot strikes; none where it did not push.
  const ContactEvent* push_off(const Stride& s) const {
    if (s.end == nullptr || s.end == scene_.events.data()) return nullptr;
    const ContactEvent* before = s.end - 1;
    return before->kind == EventKind::kPushOff && before->time == s.end->time ? before : nullptr;
  }
  // Where the collision begins: at C, or at P, which a push-off reaches without moving.
  double struck_kinetic(const Stride& s) const {
    const ContactEvent* push = push_off(s);
    return kinetic(s.last) - (push == nullptr ? 0 : push->energy_lost);
  }
  Point struck_at(const Stride& s) const { return axes_.at(struck_kinetic(s), potential(s.last)); }
  bool pushes() const {
    return std::any_of(strides_.begin(), strides_.end(),
                       [&](const Stride& s) { return push_off(s) != nullptr; });
  }
  std::size_t highest(const Stride& s) const {
    std::size_t best = s.first;
    for (std::size_t i = s.first; i <= s.last; ++i) {
      if (potential(i) > potential(best)) best = i;
    }
    return best;
  }

  void place_axes() {
    const auto& samples = scene_.samples;
    const ContactEvent* foothold = strides_.empty() ? nullptr : strides_.front().begin;
    if (foothold != nullptr)
      zero_ = -total_mass(scene_.model) * dot(scene_.model.gravity, foothold->point_W);
    const double y = draw_title(
        svg_, scene_, "Potential over kinetic energy",
        strides_.empty()
            ? "no samples"
            : fmt::format("{}t = {:.2f} to {:.2f} s",
                          strides_.back().end
                              ? std::string(strides_.size() == 1 ? "one step, " : "two steps, ")
                              : "no whole step, ",
                          samples[strides_.front().first].time,
                          samples[strides_.back().last].time));
    using Entry = LegendEntry::Mark;
    const bool two = strides_.size() > 1;
    const std::string names = pushes() ? "A start, B highest, C contact, P pushed off"
                                       : "A start, B highest, C collision";
    std::vector<LegendEntry> legend = {
        {Entry::kLine, kColors[0], two ? "first step: " + names : names}};
    if (two) legend.push_back({Entry::kLine, kColors[1], "second step"});
    if (pushes()) legend.push_back({Entry::kLine, kPushColor, "push-off"});
    legend.push_back({Entry::kDashes, kGrey, "energy lost"});
    legend.push_back({Entry::kLine, "#cccccc", "constant energy"});
    const double top = draw_legend(svg_, {kLeft, y}, kRight, legend);
    axes_ = {{kLeft, top + 4}, kRight - kLeft, 700 - top - 4 - 60, {}, {}};
    for (const auto& s : strides_) {
      // the state after the last collision is shown too
      const std::size_t last = s.end ? s.last + 1 : s.last;
      for (std::size_t i = s.first; i <= last; ++i) {
        axes_.x.include(kinetic(i));
        axes_.y.include(potential(i));
      }
      axes_.x.include(struck_kinetic(s));
    }
    // room at the right for what was lost
    axes_.x = axes_.x.padded(0.1, pushes() ? 0.36 : 0.26);
    axes_.y = axes_.y.padded(0.12, 0.12);
    axes_.draw(svg_, "kinetic energy [J]",
               foothold ? "potential energy above the first foothold [J]" : "potential energy [J]");
  }

  // T + V = E right across the plot
  void draw_diagonal(std::size_t k) {
    const double total = kinetic(strides_[k].first) + potential(strides_[k].first);
    svg_.line(axes_.at(axes_.x.low, total - axes_.x.low),
              axes_.at(axes_.x.high, total - axes_.x.high), {"#cccccc", 1.2});
  }

  // how much it is, along the diagonal between A and C
  void draw_total(std::size_t k) {
    const Stride& s = strides_[k];
    const Point a = at(s.first), c = at(s.last);
    if (s.end == nullptr || std::hypot(c.x - a.x, c.y - a.y) < 200) return;
    const double total = kinetic(s.first) + potential(s.first);
    const double turn = std::atan2(axes_.height / axes_.y.size(), axes_.width / axes_.x.size());
    const double off = k == 0 ? -9 : 18;  // to the side of the step's other names
    svg_.text(
        {(a.x + c.x) / 2 - off * std::sin(turn), (a.y + c.y) / 2 + off * std::cos(turn)},
        fmt::format("energy {:#.5g} J", total),
        {.anchor = Anchor::kMiddle, .color = "#555555", .halo = true, .turn = turn * 180 / M_PI});
  }

  void draw_curve(std::size_t k) {
    const Stride& s = strides_[k];
    std::vector<Point> points;
    for (std::size_t i = s.first; i <= s.last; ++i) {
      if (i > s.first && scene_.samples[i].jump) {  // a knee that struck its stop
        svg_.polyline(points, {kColors[k], 2.5});
        labels_->avoid(points);
        svg_.line(points.back(), at(i), {kGrey, 1.5, 1, "5 4"});
        points.clear();
      }
      points.push_back(at(i));
    }
    svg_.polyline(points, {kColors[k], 2.5});
    labels_->avoid(points);
  }

  // From one state to another at the same instant, bent so that the way back does not hide the way there.
  void draw_jump(Point from, Point to, double bend, const Stroke& stroke) {
    constexpr int kPieces = 24;
    const double dx = to.x - from.x, dy = to.y - from.y, length = std::hypot(dx, dy);
    if (length == 0) return;
    std::vector<Point> points;
    for (int i = 0; i <= kPieces; ++i) {
      const double t = static_cast<double>(i) / kPieces, off = 4 * bend * t * (1 - t) / length;
      points.push_back({from.x + t * dx + off * dy, from.y + t * dy - off * dx});
    }
    svg_.polyline(points, stroke);
    labels_->avoid(points);
    if (length > 30) {
      const Point middle = points[kPieces / 2];
      svg_.arrow(middle, {dx, dy}, stroke.color, 10);
    }
  }

  // Of all feet that struck at the end of the stride.
  double energy_lost(const Stride& s) const {
    double lost = 0;
    for (const ContactEvent& e : scene_.events) {
      if (e.kind == EventKind::kTouchdown && e.time == s.end->time) lost += e.energy_lost;
    }
    return lost;
  }

  void draw_loss(std::size_t k) {
    const Stride& s = strides_[k];
    if (s.end == nullptr) return;
    const Point c = at(s.last), p = struck_at(s), a = at(s.last + 1);
    const ContactEvent* push = push_off(s);
    if (push != nullptr) draw_jump(c, p, 12, {kPushColor, 2});
    draw_jump(p, a, push == nullptr ? 0 : 12, {kGrey, 1.5, 1, "5 4"});
    const double lost = energy_lost(s);
    std::vector<std::string> lines;
    if (push != nullptr) {
      lines.push_back(fmt::format("push {} {:#.4g} J", push->energy_lost > 0 ? "takes" : "gives",
                                  std::abs(push->energy_lost)));
    }
    lines.push_back(fmt::format("{} {:#.4g} J", lost < 0 ? "gains" : "loses", std::abs(lost)));
    // beside C or P, where the curves do not go; the second label keeps clear of the first, and is left out where it
    // would say the same at the same place
    double y = p.y + 5 - 17 * static_cast<double>(lines.size() - 1);
    const bool beside = k > 0 && y < loss_label_ + 20;
    if (beside && lines == loss_lines_) return;
    if (beside) y = loss_label_ + 20;
    loss_lines_ = lines;
    for (const auto& line : lines) {
      const Point at{std::max(c.x, p.x) + 40, y};
      svg_.text(at, line, {.color = "#444444", .halo = true});
      labels_->avoid_text(at, line, 13);
      loss_label_ = y, y += 17;
    }
  }

  // The names of a point that several states share, as those of a steady gait do.
  struct Mark {
    std::string names;
    Point at;  // px
    std::size_t stride = 0;
    bool shared = false;  // by both steps
  };

  void add_mark(const char* name, std::size_t k, Point at) {
    constexpr double kSame = 9;  // px
    for (Mark& mark : marks_) {
      if (std::hypot(mark.at.x - at.x, mark.at.y - at.y) > kSame) continue;
      mark.names += std::string(", ") + name + kPrimes[k];
      mark.shared = mark.shared || mark.stride != k;
      return;
    }
    marks_.push_back({std::string(name) + kPrimes[k], at, k, false});
  }

  void draw_marks() {
    const auto far = [&](std::size_t i, std::size_t j) {
      return std::hypot(at(i).x - at(j).x, at(i).y - at(j).y) > 20;
    };
    for (std::size_t k = 0; k < strides_.size(); ++k) {
      const Stride& s = strides_[k];
      const std::size_t b = highest(s);
      add_mark("A", k, at(s.first));
      if (far(b, s.first) && far(b, s.last)) add_mark("B", k, at(b));
      if (s.end == nullptr) continue;
      add_mark("C", k, at(s.last));
      if (push_off(s) != nullptr) add_mark("P", k, struck_at(s));
      // where the step after the last one begins
      if (k + 1 == strides_.size()) svg_.circle(at(s.last + 1), 4, "#ffffff", {kGrey, 1.5});
    }
    for (const Mark& mark : marks_) {
      const std::string_view color = mark.shared ? kDark : kColors[mark.stride];
      svg_.circle(mark.at, 5, color, {"#ffffff", 1.5});
    }
    for (const Mark& mark : marks_) {
      const auto place = labels_->place(mark.at, mark.names, 16);
      svg_.text({place.at.x + place.width / 2, place.at.y}, mark.names,
                {.size = 16,
                 .anchor = Anchor::kMiddle,
                 .color = mark.shared ? kDark : kColors[mark.stride],
                 .bold = true,
                 .halo = true});
    }
  }

  const Scene& scene_;
  std::vector<Stride> strides_;
  Svg svg_;
  Axes axes_;
  double zero_ = 0;        // potential energy of the robot at the first foothold
  double loss_label_ = 0;  // y of the label drawn last
  std::vector<std::string> loss_lines_;
  std::optional<Labels> labels_;
  std::vector<Mark> marks_;
};

}  // namespace

std::string draw_energy_plot(const Scene& scene) { return EnergyPlot(scene).draw(); }

}  // namespace stance::report
