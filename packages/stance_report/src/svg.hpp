// A drawing as SVG 1.1 text. Coordinates are pixels, y down; the same calls give the same bytes.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace stance::report {

struct Point {
  double x = 0, y = 0;
};

struct Stroke {
  std::string_view color = "#333333";
  double width = 1;
  double opacity = 1;
  std::string_view dashes = "";  // such as "5 4"
};

enum class Anchor { kStart, kMiddle, kEnd };

struct TextStyle {
  double size = 13;
  Anchor anchor = Anchor::kStart;
  std::string_view color = "#222222";
  bool bold = false;
  bool halo = false;  // a light rim that keeps it readable over lines
  double turn = 0;    // degrees, clockwise
};

class Svg {
 public:
  Svg(double width, double height, std::string_view title);

  void line(Point a, Point b, const Stroke& stroke);
  void polyline(std::span<const Point> points, const Stroke& stroke);
  // Filled, and with an outline where the stroke has a width.
  void circle(Point center, double radius, std::string_view fill, const Stroke& outline);
  void rectangle(Point corner, double width, double height, std::string_view fill, double opacity,
                 const Stroke& outline);
  // A filled triangle with its tip at `tip`, pointing along `direction`.
  void arrow(Point tip, Point direction, std::string_view color, double size = 9);
  void text(Point at, std::string_view text, const TextStyle& style);
  // What is drawn until unclip() shows inside this rectangle only.
  void clip(Point corner, double width, double height);
  void unclip();

  double width() const { return width_; }
  double height() const { return height_; }
  std::string finish() const;

 private:
  double width_, height_;
  int clips_ = 0;
  std::string body_;
};

// How wide a text will be, about: fonts differ.
double text_width(std::string_view text, double size);

}  // namespace stance::report
