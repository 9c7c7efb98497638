// Names beside points of a plot: each stands where it hides least of the curves, inside the axes, and on no other name.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "axes.hpp"

namespace stance::report {

class Labels {
 public:
  explicit Labels(const Axes& axes) : axes_(axes) {}

  // A curve that names should not hide.
  void avoid(std::span<const Point> curve);
  // A text that stands already. `at` is the left end of its baseline.
  void avoid_text(Point at, std::string_view text, double size);

  struct Place {
    Point at;           // left end of the baseline
    double width = 0;   // px, of the text
    double hidden = 0;  // px of curves below it; very large where there is no room
  };
  // The best place round `point` for a bold text, further out where there is none beside it. It counts as taken from
  // now on.
  Place place(Point point, std::string_view text, double size);

 private:
  struct Box {
    Point low, high;
  };
  double cost(const Box& box) const;

  Axes axes_;
  std::vector<std::vector<Point>> curves_;
  std::vector<Box> taken_;
};

}  // namespace stance::report
