// Axes of a plot: ranges, ticks at round numbers, and the way from numbers to pixels.
#pragma once

#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "svg.hpp"

namespace stance::report {

struct Range {
  double low = std::numeric_limits<double>::infinity();
  double high = -std::numeric_limits<double>::infinity();

  void include(double x);
  bool empty() const { return !(low <= high); }
  double size() const { return high - low; }
  // With a share of its size added on both sides; a range without size gets some, an empty one becomes 0 to 1.
  Range padded(double below, double above) const;
  Range padded(double share) const { return padded(share, share); }
};

struct Ticks {
  std::vector<double> at;
  int decimals = 0;
  std::string label(double x) const;  // with a real minus sign
};

// Steps of 1, 2 or 5 times a power of ten, about `count` of them.
Ticks round_ticks(const Range& range, int count);

struct Axes {
  Point corner;  // upper left, px
  double width = 0, height = 0;
  Range x, y;

  Point at(double x_value, double y_value) const;
  double right() const { return corner.x + width; }
  double bottom() const { return corner.y + height; }

  // Frame, grid, ticks and labels. An empty x label leaves the numbers of the x axis away too.
  void draw(Svg& svg, std::string_view x_label, std::string_view y_label) const;
  void clip(Svg& svg) const { svg.clip(corner, width, height); }
};

struct LegendEntry {
  enum class Mark { kLine, kDashes, kDot, kRing, kBar } mark{};
  std::string_view color;
  std::string label;
};

// In rows that begin at `at` and end before `right`. Returns the y below the last row.
double draw_legend(Svg& svg, Point at, double right, const std::vector<LegendEntry>& entries);

}  // namespace stance::report
