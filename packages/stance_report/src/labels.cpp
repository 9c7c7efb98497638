#include "labels.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace stance::report {
namespace {

constexpr double kNoRoom = 1e6;
constexpr double kBold = 1.35;  // wider than text_width says

}  // namespace

void Labels::avoid(std::span<const Point> curve) {
  curves_.emplace_back(curve.begin(), curve.end());
}

void Labels::avoid_text(Point at, std::string_view text, double size) {
  taken_.push_back({{at.x - 2, at.y - size}, {at.x + text_width(text, size) + 2, at.y + 4}});
}

// Pixels of curves inside the box; very many where it leaves the axes or meets another name.
double Labels::cost(const Box& box) const {
  double length = 0;
  for (const auto& curve : curves_) {
    for (std::size_t i = 1; i < curve.size(); ++i) {
      const Point a = curve[i - 1], b = curve[i];
      const double step = std::hypot(b.x - a.x, b.y - a.y);
      const int count = 1 + static_cast<int>(step / 3);
      for (int k = 0; k < count; ++k) {
        const double x = a.x + (b.x - a.x) * k / count, y = a.y + (b.y - a.y) * k / count;
        if (x > box.low.x && x < box.high.x && y > box.low.y && y < box.high.y)
          length += step / count;
      }
    }
  }
  const bool outside = box.low.x < axes_.corner.x + 2 || box.high.x > axes_.right() - 2 ||
                       box.low.y < axes_.corner.y || box.high.y > axes_.bottom();
  const bool taken = std::any_of(taken_.begin(), taken_.end(), [&](const Box& other) {
    return box.low.x < other.high.x && other.low.x < box.high.x && box.low.y < other.high.y &&
           other.low.y < box.high.y;
  });
  return length + (outside || taken ? kNoRoom : 0);
}

Labels::Place Labels::place(Point point, std::string_view text, double size) {
  const double width = kBold * text_width(text, size);
  const auto box_at = [&](Point at) {
    return Box{{at.x - 2, at.y - size}, {at.x + width + 2, at.y + 4}};
  };
  Place best;
  best.width = width, best.hidden = std::numeric_limits<double>::infinity();
  for (const double out : {0., 14., 28.}) {
    const double side = 11 + out, up = 9 + out, down = size + 6 + out;
    for (const Point off : {Point{9 + out / 2, -up},
                            {-9 - out / 2 - width, down},
                            {side, 0.4 * size},
                            {-side - width, 0.4 * size},
                            {-width / 2, -up - 3},
                            {-width / 2, down + 3},
                            {9 + out / 2, down},
                            {-9 - out / 2 - width, -up}}) {
      const Point at{point.x + off.x, point.y + off.y};
      const double hidden = cost(box_at(at));
      if (hidden < best.hidden) best.hidden = hidden, best.at = at;
    }
    if (best.hidden < 1) break;
  }
  taken_.push_back(box_at(best.at));
  return best;
}

}  // namespace stance::report
