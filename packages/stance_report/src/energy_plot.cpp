// A robot that nothing drives keeps its energy between impacts, so it moves along a falling diagonal: from A, where the
// step begins, up to B, its highest point, back past A and down to C, where the next foot strikes and energy is lost. The
// second step has primes.
#include "energy_plot.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace stance::report {
namespace {

constexpr std::string_view kColors[] = {"#1f5fa8", "#d1602b"};
constexpr const char* kPrimes[] = {"", "\u2032", "\u2033"};

struct Mark {
  std::string name;
  Point at;  // px
};

class EnergyPlot {
 public:
  explicit EnergyPlot(const Scene& scene)
      : scene_(scene),
        strides_(last_strides(scene, 2)),
        svg_(kPageWidth, 700, "Potential over kinetic energy") {}

  std::string draw() {
    place_axes();
    axes_.clip(svg_);
    for (std::size_t k = 0; k < strides_.size(); ++k) draw_diagonal(k);
    svg_.unclip();
    for (std::size_t k = 0; k < strides_.size(); ++k) draw_curve(k);
    for (std::size_t k = 0; k < strides_.size(); ++k) draw_loss(k);
    for (std::size_t k = 0; k < strides_.size(); ++k) draw_total(k);
    for (std::size_t k = 0; k < strides_.size(); ++k) draw_marks(k);
    return svg_.finish();
  }

 private:
  double kinetic(std::size_t i) const { return scene_.samples[i].energy.kinetic; }
  double potential(std::size_t i) const { return scene_.samples[i].energy.potential - zero_; }
  Point at(std::size_t i) const { return axes_.at(kinetic(i), potential(i)); }
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
    std::vector<LegendEntry> legend = {
        {Entry::kLine, kColors[0],
         two ? "first step: A start, B highest, C collision" : "A start, B highest, C collision"}};
    if (two) legend.push_back({Entry::kLine, kColors[1], "second step"});
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
    }
    // room at the right for what was lost
    axes_.x = axes_.x.padded(0.1, 0.26);
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
        svg_.line(points.back(), at(i), {kGrey, 1.5, 1, "5 4"});
        points.clear();
      }
      points.push_back(at(i));
    }
    svg_.polyline(points, {kColors[k], 2.5});
  }

  void draw_loss(std::size_t k) {
    const Stride& s = strides_[k];
    if (s.end == nullptr) return;
    const Point c = at(s.last), a = at(s.last + 1);
    svg_.line(c, a, {kGrey, 1.5, 1, "5 4"});
    const double length = std::hypot(a.x - c.x, a.y - c.y);
    if (length > 30)
      svg_.arrow({c.x + 0.5 * (a.x - c.x), c.y + 0.5 * (a.y - c.y)}, {a.x - c.x, a.y - c.y}, kGrey,
                 10);
    const double lost = s.end->energy_lost;
    // beside C, where the curves do not go; the second label keeps clear of the first
    const double y = k == 0 ? c.y + 5 : std::max(c.y + 5, loss_label_ + 20);
    loss_label_ = y;
    svg_.text({c.x + 34, y},
              fmt::format("{} {:#.4g} J", lost < 0 ? "gains" : "loses", std::abs(lost)),
              {.color = "#444444", .halo = true});
  }

  void draw_marks(std::size_t k) {
    const Stride& s = strides_[k];
    const std::size_t b = highest(s);
    // the first step's names above its line, the second's below
    const bool above = k == 0;
    const auto mark = [&](const std::string& name, std::size_t i) {
      const Point p = at(i);
      svg_.circle(p, 5, kColors[k], {"#ffffff", 1.5});
      const bool collision = name[0] == 'C';
      const Point label = collision ? Point{p.x + 11, p.y + 5}
                          : above   ? Point{p.x + 9, p.y - 8}
                                    : Point{p.x - 9, p.y + 19};
      svg_.text(label, name,
                {.size = 16,
                 .anchor = collision || above ? Anchor::kStart : Anchor::kEnd,
                 .color = kColors[k],
                 .bold = true,
                 .halo = true});
    };
    const auto far = [&](std::size_t i, std::size_t j) {
      return std::hypot(at(i).x - at(j).x, at(i).y - at(j).y) > 20;
    };
    mark(std::string("A") + kPrimes[k], s.first);
    if (far(b, s.first) && far(b, s.last)) mark(std::string("B") + kPrimes[k], b);
    if (s.end == nullptr) return;
    mark(std::string("C") + kPrimes[k], s.last);
    // where the step after the last one begins
    if (k + 1 == strides_.size()) svg_.circle(at(s.last + 1), 4, "#ffffff", {kGrey, 1.5});
  }

  const Scene& scene_;
  std::vector<Stride> strides_;
  Svg svg_;
  Axes axes_;
  double zero_ = 0;        // potential energy of the robot at the first foothold
  double loss_label_ = 0;  // y of the label drawn last
};

}  // namespace

std::string draw_energy_plot(const Scene& scene) { return EnergyPlot(scene).draw(); }

}  // namespace stance::report
