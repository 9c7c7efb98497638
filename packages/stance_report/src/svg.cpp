#include "svg.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "stance_model/utf8.hpp"

namespace stance::report {
namespace {

// Hundredths of a pixel, without trailing zeros.
std::string px(double x) {
  std::string text = fmt::format("{:.2f}", x);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.back() == '.') text.pop_back();
  return text == "-0" ? "0" : text;
}

// XML 1.0: markup is escaped, control characters do not exist. What is no UTF-8, such as a Latin-1 title, becomes the
// replacement character, and so do the two code points of three bytes that XML leaves out.
std::string escaped(std::string_view text) {
  constexpr std::string_view kReplacement = "\uFFFD";
  std::string result;
  while (!text.empty()) {
    const std::size_t size = utf8_letter_size(text);
    const std::string_view letter = text.substr(0, std::max<std::size_t>(size, 1));
    text.remove_prefix(letter.size());
    if (size == 0 || letter == "\uFFFE" || letter == "\uFFFF") {
      result += kReplacement;
    } else if (letter == "&") {
      result += "&amp;";
    } else if (letter == "<") {
      result += "&lt;";
    } else if (letter == ">") {
      result += "&gt;";
    } else if (letter == "\"") {
      result += "&quot;";
    } else {
      result += static_cast<unsigned char>(letter[0]) < 0x20 ? std::string_view(" ") : letter;
    }
  }
  return result;
}

std::string attributes(const Stroke& stroke) {
  std::string text = fmt::format("stroke=\"{}\" stroke-width=\"{}\"", stroke.color,
                                 px(stroke.width));
  if (stroke.opacity < 1) text += fmt::format(" stroke-opacity=\"{}\"", px(stroke.opacity));
  if (!stroke.dashes.empty()) text += fmt::format(" stroke-dasharray=\"{}\"", stroke.dashes);
  return text;
}

}  // namespace

Svg::Svg(double width, double height, std::string_view title) : width_(width), height_(height) {
  body_ = fmt::format("<title>{}</title>\n", escaped(title));
  body_ += fmt::format("<rect width=\"{}\" height=\"{}\" fill=\"#ffffff\"/>\n", px(width),
                       px(height));
}

void Svg::line(Point a, Point b, const Stroke& stroke) {
  body_ += fmt::format("<line x1=\"{}\" y1=\"{}\" x2=\"{}\" y2=\"{}\" {}/>\n", px(a.x), px(a.y),
                       px(b.x), px(b.y), attributes(stroke));
}

void Svg::polyline(std::span<const Point> points, const Stroke& stroke) {
  if (points.size() < 2) return;
  body_ += "<polyline points=\"";
  for (std::size_t i = 0; i < points.size(); ++i) {
    fmt::format_to(std::back_inserter(body_), "{}{},{}", i == 0 ? "" : " ", px(points[i].x),
                   px(points[i].y));
  }
  body_ += fmt::format("\" fill=\"none\" stroke-linejoin=\"round\" stroke-linecap=\"round\" {}/>\n",
                       attributes(stroke));
}

void Svg::circle(Point center, double radius, std::string_view fill, const Stroke& outline) {
  body_ += fmt::format("<circle cx=\"{}\" cy=\"{}\" r=\"{}\" fill=\"{}\" {}/>\n", px(center.x),
                       px(center.y), px(radius), fill, attributes(outline));
}

void Svg::rectangle(Point corner, double width, double height, std::string_view fill,
                    double opacity, const Stroke& outline) {
  body_ += fmt::format(
      "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"{}\" fill-opacity=\"{}\" {}/>\n",
      px(corner.x), px(corner.y), px(width), px(height), fill, px(opacity), attributes(outline));
}

void Svg::arrow(Point tip, Point direction, std::string_view color, double size) {
  const double length = std::hypot(direction.x, direction.y);
  if (!(length > 0)) return;
  const double x = direction.x / length * size, y = direction.y / length * size;
  body_ += fmt::format("<polygon points=\"{},{} {},{} {},{}\" fill=\"{}\"/>\n", px(tip.x),
                       px(tip.y), px(tip.x - x - 0.45 * y), px(tip.y - y + 0.45 * x),
                       px(tip.x - x + 0.45 * y), px(tip.y - y - 0.45 * x), color);
}

void Svg::text(Point at, std::string_view text, const TextStyle& style) {
  constexpr const char* kAnchors[] = {"start", "middle", "end"};
  body_ += fmt::format("<text x=\"{}\" y=\"{}\" font-size=\"{}\" fill=\"{}\"", px(at.x), px(at.y),
                       px(style.size), style.color);
  if (style.anchor != Anchor::kStart) {
    body_ += fmt::format(" text-anchor=\"{}\"", kAnchors[static_cast<int>(style.anchor)]);
  }
  if (style.bold) body_ += " font-weight=\"bold\"";
  if (style.halo)
    body_ +=
        " stroke=\"#ffffff\" stroke-width=\"4\" stroke-linejoin=\"round\" paint-order=\"stroke\"";
  if (style.turn != 0) {
    body_ += fmt::format(" transform=\"rotate({} {} {})\"", px(style.turn), px(at.x), px(at.y));
  }
  body_ += fmt::format(">{}</text>\n", escaped(text));
}

void Svg::clip(Point corner, double width, double height) {
  ++clips_;
  body_ += fmt::format(
      "<clipPath id=\"clip{0}\"><rect x=\"{1}\" y=\"{2}\" width=\"{3}\" "
      "height=\"{4}\"/></clipPath>\n"
      "<g clip-path=\"url(#clip{0})\">\n",
      clips_, px(corner.x), px(corner.y), px(width), px(height));
}

void Svg::unclip() { body_ += "</g>\n"; }

std::string Svg::finish() const {
  return fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" viewBox=\"0 0 {0} "
      "{1}\" "
      "font-family=\"sans-serif\">\n{2}</svg>\n",
      px(width_), px(height_), body_);
}

double text_width(std::string_view text, double size) {
  int letters = 0;
  for (const char c : text) letters += (static_cast<unsigned char>(c) & 0xC0) != 0x80;  // UTF-8
  return 0.52 * size * letters;
}

}  // namespace stance::report
