#include "option_checks.hpp"

#include <fmt/format.h>

#include <charconv>

namespace stance {

CLI::Validator quantity(const Dimension& dimension, double low, double high) {
  return CLI::Validator(
      [=](std::string& text) -> std::string {
        double value = 0;
        try {
          value = parse_quantity(text, dimension);
        } catch (const QuantityError& error) {
          return error.sentence;
        }
        if (!(value >= low && value <= high)) {
          const std::string unit = example_unit(dimension);
          return fmt::format("must be from {:g} to {:g}{}, not '{}'", low, high,
                             unit.empty() ? "" : ' ' + unit, text);
        }
        text = fmt::format("{:.17g}", value);
        return {};
      },
      "");
}

CLI::Validator whole_number(std::int64_t low, std::int64_t high) {
  return CLI::Validator(
      [=](std::string& text) -> std::string {
        std::int64_t value = 0;
        const char* const last = text.data() + text.size();
        const auto [end, status] = std::from_chars(text.data(), last, value);
        if (status == std::errc() && end == last && value >= low && value <= high) return {};
        return high == std::numeric_limits<std::int64_t>::max()
                   ? fmt::format("must be a whole number, {} or more, not '{}'", low, text)
                   : fmt::format("must be a whole number from {} to {}, not '{}'", low, high, text);
      },
      "");
}

}  // namespace stance
