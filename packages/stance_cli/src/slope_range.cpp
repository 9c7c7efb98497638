#include "slope_range.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <numbers>

#include "stance_model/quantity.hpp"

namespace stance {
namespace {

constexpr int kMaxSlopes = 100000;
constexpr double kSteepest = std::numbers::pi / 2;

}  // namespace

Result<std::vector<double>> parse_slope_range(const std::string& text) {
  const auto refuse = [&](std::string why) {
    return Error{ErrorCode::kValue, fmt::format("--sweep-slope '{}'", text), std::move(why)};
  };
  const std::size_t first = text.find(':'), second = text.find(':', first + 1);
  if (first == text.npos || second == text.npos)
    return refuse("must be A:B:N, two slopes and a count, such as 0.03:0.09:25 or 2deg:5deg:31");
  double a = 0, b = 0;
  try {
    a = parse_quantity(std::string_view(text).substr(0, first), kAngle);
    b = parse_quantity(std::string_view(text).substr(first + 1, second - first - 1), kAngle);
  } catch (const QuantityError& error) {
    return refuse(error.sentence);
  }
  if (!(std::abs(a) < kSteepest) || !(std::abs(b) < kSteepest))
    return refuse("has a slope of a right angle or more; slopes are in rad where no unit stands");
  int count = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data() + second + 1, end, count);
  if (error != std::errc() || stop != end || count < 1 || count > kMaxSlopes)
    return refuse(fmt::format("must end in a count from 1 to {}", kMaxSlopes));
  std::vector<double> slopes;
  slopes.reserve(static_cast<std::size_t>(count));
  for (int k = 0; k < count; ++k)
    slopes.push_back(count == 1 ? a : std::lerp(a, b, static_cast<double>(k) / (count - 1)));
  return slopes;
}

}  // namespace stance
