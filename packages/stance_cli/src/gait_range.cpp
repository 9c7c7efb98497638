#include "gait_range.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cmath>

#include "set_option.hpp"
#include "stance_model/quantity.hpp"

namespace stance {
namespace {

constexpr int kMost = 1000000;

Result<double> state_value(const std::string& name, const std::string& text,
                           const std::string& option) {
  const bool velocity = name.ends_with(".velocity");
  for (const Dimension& dimension : velocity ? std::vector<Dimension>{kAngularRate, kSpeed}
                                             : std::vector<Dimension>{kAngle, kLength}) {
    try {
      return parse_quantity(text, dimension);
    } catch (const QuantityError& error) {
      if (dimension == kSpeed || dimension == kLength)
        return Error{ErrorCode::kValue, fmt::format("{} {}", option, text), error.sentence};
    }
  }
  return 0.0;
}

}  // namespace

Result<double> parameter_value(const GaitOptions& options, const std::string& name,
                               const std::string& text, const std::string& option) {
  auto assignments = parse_assignments(options.set);
  if (!assignments) return assignments.error();
  assignments->push_back({name, text});
  const auto all = list_parameters(options.scenario, *assignments);
  if (!all) return Error{all.error().code, fmt::format("{} {}", option, text), all.error().text()};
  const auto found = find_parameter(*all, name);
  if (!found) return found.error();
  return found->value;
}

Result<Axis> parse_axis(const GaitOptions& options, const StepMap& map, const std::string& name,
                        const std::string& range, const std::string& option) {
  const auto refuse = [&](const std::string& why) {
    return Error{ErrorCode::kValue, fmt::format("{} {} {}", option, name, range), why};
  };
  Axis axis;
  axis.name = name;
  if (name.starts_with("state.")) {
    std::vector<std::string> known;
    for (int i = 0; i < map.dimension(); ++i) known.push_back("state." + map.name(i));
    for (int i = 0; i < map.dimension(); ++i) {
      if (known[static_cast<std::size_t>(i)] == name) axis.coordinate = i;
    }
    if (axis.coordinate < 0) {
      std::string list;
      for (const auto& each : known) list += (list.empty() ? "" : ", ") + each;
      return refuse(
          fmt::format("is no coordinate of the state just after touchdown; there are {}", list));
    }
  }
  const std::size_t first = range.find(':'), second = range.find(':', first + 1);
  if (first == range.npos || second == range.npos)
    return refuse("must be A:B:N, two values and a count, such as 1deg:5deg:41");
  const auto value = [&](const std::string& text) {
    return axis.coordinate >= 0 ? state_value(name, text, option)
                                : parameter_value(options, name, text, option);
  };
  const auto a = value(range.substr(0, first));
  if (!a) return a.error();
  const auto b = value(range.substr(first + 1, second - first - 1));
  if (!b) return b.error();
  int count = 0;
  const char* end = range.data() + range.size();
  const auto [stop, error] = std::from_chars(range.data() + second + 1, end, count);
  if (error != std::errc() || stop != end || count < 1 || count > kMost)
    return refuse(fmt::format("must end in a count from 1 to {}", kMost));
  for (int k = 0; k < count; ++k)
    axis.values.push_back(count == 1 ? *a
                                     : std::lerp(*a, *b, static_cast<double>(k) / (count - 1)));
  return axis;
}

}  // namespace stance
