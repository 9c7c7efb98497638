// Grammar: number [unit], unit = factor { ("*" | "/") factor }, factor = name ["^" integer].
#include "stance_model/quantity.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <numbers>
#include <vector>

namespace stance {
namespace {

constexpr double kDegree = std::numbers::pi / 180;
constexpr int kLargestExponent = 9;

struct Unit {
  std::string_view name;
  double si;
  Dimension dimension;
};

constexpr Unit kUnits[] = {
    {"m", 1, kLength},        {"cm", 1e-2, kLength},
    {"mm", 1e-3, kLength},    {"km", 1e3, kLength},
    {"s", 1, kTime},          {"ms", 1e-3, kTime},
    {"us", 1e-6, kTime},      {"min", 60, kTime},
    {"Hz", 1, kFrequency},    {"kHz", 1e3, kFrequency},
    {"kg", 1, {0, 1, 0, 0}},  {"g", 1e-3, {0, 1, 0, 0}},
    {"rad", 1, kAngle},       {"mrad", 1e-3, kAngle},
    {"deg", kDegree, kAngle}, {"rev", 2 * std::numbers::pi, kAngle},
    {"N", 1, {1, 1, -2, 0}},  {"kN", 1e3, {1, 1, -2, 0}},
    {"J", 1, {2, 1, -2, 0}},  {"W", 1, {2, 1, -3, 0}},
};

struct NamedDimension {
  Dimension dimension;
  const char* name;
  const char* example;
};

constexpr NamedDimension kNames[] = {
    {kPureNumber, "a plain number", ""},
    {kLength, "a length", "m"},
    {{0, 1, 0, 0}, "a mass", "kg"},
    {kTime, "a time", "s"},
    {kFrequency, "a frequency", "Hz"},
    {kAngle, "an angle", "rad"},
    {kAngularRate, "an angular rate", "rad/s"},
    {{0, 0, -2, 1}, "an angular acceleration", "rad/s^2"},
    {kSpeed, "a speed", "m/s"},
    {kAcceleration, "an acceleration", "m/s^2"},
    {{1, 1, -2, 0}, "a force", "N"},
    {kImpulse, "an impulse", "N*s"},
    {{2, 1, -2, 0}, "a torque or an energy", "N*m"},
    {{2, 1, -3, 0}, "a power", "W"},
    {{2, 1, 0, 0}, "a moment of inertia", "kg*m^2"},
    {{2, 1, -1, -1}, "a damping", "N*m*s/rad"},
    {{0, 1, -1, 0}, "a damping", "N*s/m"},
};

// What a message quotes of the text.
std::string quoted(std::string_view text) {
  constexpr std::size_t kLongest = 40;
  if (text.size() <= kLongest) return fmt::format("'{}'", text);
  return fmt::format("'{}...'", text.substr(0, kLongest));
}

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kSpace = " \t\r\n";
  const auto first = text.find_first_not_of(kSpace);
  if (first == text.npos) return {};
  return text.substr(first, text.find_last_not_of(kSpace) - first + 1);
}

std::string known_units() {
  std::vector<std::string_view> names;
  for (const Unit& unit : kUnits) names.push_back(unit.name);
  return fmt::format("{}", fmt::join(names, " "));
}

// One factor, such as "s^2". `sign` is -1 after a slash.
void multiply_by(std::string_view factor, int sign, std::string_view whole, double& si,
                 Dimension& dimension) {
  int exponent = 1;
  const auto caret = factor.find('^');
  const std::string_view name = trimmed(factor.substr(0, caret));
  if (caret != factor.npos) {
    const std::string_view digits = trimmed(factor.substr(caret + 1));
    const auto [end, status] = std::from_chars(digits.data(), digits.data() + digits.size(),
                                               exponent);
    if (status != std::errc() || end != digits.data() + digits.size() ||
        std::abs(exponent) > kLargestExponent) {
      throw QuantityError{
          fmt::format("has the unit {}, whose exponent is not a small whole number; write it like "
                      "m/s^2",
                      quoted(whole))};
    }
  }
  for (const Unit& unit : kUnits) {
    if (unit.name != name) continue;
    const int n = sign * exponent;
    si *= std::pow(unit.si, n);
    dimension.length += n * unit.dimension.length;
    dimension.mass += n * unit.dimension.mass;
    dimension.time += n * unit.dimension.time;
    dimension.angle += n * unit.dimension.angle;
    return;
  }
  throw QuantityError{fmt::format("has the unit {}, and {} is none that we know; known are {}",
                                  quoted(whole), quoted(name), known_units())};
}

void read_unit(std::string_view unit, double& si, Dimension& dimension) {
  int sign = 1;
  for (std::size_t begin = 0; begin <= unit.size();) {
    const std::size_t end = std::min(unit.find_first_of("*/", begin), unit.size());
    multiply_by(unit.substr(begin, end - begin), sign, unit, si, dimension);
    if (end < unit.size()) sign = unit[end] == '/' ? -1 : 1;
    begin = end + 1;
  }
}

}  // namespace

std::string describe(const Dimension& dimension) {
  for (const NamedDimension& named : kNames) {
    if (named.dimension == dimension) return named.name;
  }
  std::vector<std::string> factors;
  const auto add = [&](int n, const char* name) {
    if (n == 1) factors.emplace_back(name);
    if (n != 0 && n != 1) factors.push_back(fmt::format("{}^{}", name, n));
  };
  add(dimension.mass, "kg");
  add(dimension.length, "m");
  add(dimension.angle, "rad");
  add(dimension.time, "s");
  return fmt::format("something in {}", fmt::join(factors, "*"));
}

std::string example_unit(const Dimension& dimension) {
  for (const NamedDimension& named : kNames) {
    if (named.dimension == dimension) return named.example;
  }
  return {};
}

double parse_quantity(std::string_view text, const Dimension& dimension) {
  text = trimmed(text);
  std::string_view digits = text;
  if (digits.starts_with('+') && !digits.starts_with("+-")) digits.remove_prefix(1);
  double value = 0;
  const char* const last = digits.data() + digits.size();
  const auto [end, status] = std::from_chars(digits.data(), last, value);
  const std::string_view unit = trimmed({end, static_cast<std::size_t>(last - end)});
  const std::string example = example_unit(dimension);
  const std::string like = example.empty() ? "0.5" : "0.5 " + example;
  const std::string_view bare = digits.starts_with('-') ? digits.substr(1) : digits;
  if (bare.starts_with(".inf") || bare.starts_with(".Inf") || bare.starts_with(".nan") ||
      bare.starts_with(".NaN")) {
    throw QuantityError{
        fmt::format("has {}, which is not finite; give a finite number", quoted(text))};
  }
  if (status == std::errc::invalid_argument) {
    throw QuantityError{
        fmt::format("has {}, which is not a number; write it like {}", quoted(text), like)};
  }
  if (status == std::errc::result_out_of_range) {
    throw QuantityError{
        fmt::format("has {}, which no double can hold; give a finite number", quoted(text))};
  }
  if (!std::isfinite(value)) {
    throw QuantityError{
        fmt::format("has {}, which is not finite; give a finite number", quoted(text))};
  }
  if (unit.empty()) return value;
  double si = 1;
  Dimension found;
  read_unit(unit, si, found);
  if (!(found == dimension)) {
    throw QuantityError{
        fmt::format("takes {}, and {} is {}", describe(dimension), quoted(text), describe(found))};
  }
  value *= si;
  if (!std::isfinite(value)) {
    throw QuantityError{
        fmt::format("has {}, which no double can hold; give a finite number", quoted(text))};
  }
  return value;
}

}  // namespace stance
