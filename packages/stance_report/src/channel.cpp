#include "channel.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "stance_report/replay.hpp"

namespace stance::report {
namespace {

constexpr double kMostSteps = 1099511627776;  // 2^40: twice differenced still exact in a double
constexpr std::int64_t kNone = -1;

void put(std::int64_t value, std::string& bytes) {
  std::uint64_t rest = (static_cast<std::uint64_t>(value) << 1) ^
                       static_cast<std::uint64_t>(value >> 63);
  for (; rest >= 128; rest >>= 7) bytes += static_cast<char>(rest % 128 + 128);
  bytes += static_cast<char>(rest);
}

std::string differences(const std::vector<std::int64_t>& k, int order) {
  std::string bytes;
  std::array<std::int64_t, 2> last{};  // the value before, and its difference
  for (const std::int64_t value : k) {
    const std::int64_t first = value - last[0];
    put(order == 0 ? value : order == 1 ? first : first - last[1], bytes);
    last = {value, first};
  }
  return bytes;
}

}  // namespace

std::string base64(std::string_view bytes) {
  constexpr std::string_view kDigits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const std::size_t n = std::min<std::size_t>(3, bytes.size() - i);
    std::uint32_t bits = 0;
    for (std::size_t j = 0; j < 3; ++j)
      bits = bits << 8 | (j < n ? static_cast<unsigned char>(bytes[i + j]) : 0U);
    for (std::size_t j = 0; j < 4; ++j) text += j <= n ? kDigits[bits >> (18 - 6 * j) & 63U] : '=';
  }
  return text;
}

Channel pack(std::span<const double> values, double step) {
  Channel channel;
  double least = std::numeric_limits<double>::infinity(), most = -least;
  bool gaps = false;
  for (const double value : values) {
    if (!std::isfinite(value)) {
      gaps = true;
      continue;
    }
    least = std::min(least, value), most = std::max(most, value);
  }
  if (!(least <= most)) {
    channel.constant = true;
    channel.least = std::numeric_limits<double>::quiet_NaN();
    return channel;
  }
  const double range = most - least;
  channel.least = least;
  channel.step = std::max(step > 0 ? step : range / kReplaySeriesSteps, range / kMostSteps);
  if (!gaps && range <= channel.step / 2) {
    channel.constant = true;
    channel.least = least + range / 2;
    return channel;
  }
  if (!(channel.step > 0)) channel.step = 1;  // one value, with gaps
  // from a multiple of the step, so that zero comes back as zero
  least = channel.least = std::floor(least / channel.step) * channel.step;
  std::vector<std::int64_t> k;
  k.reserve(values.size());
  for (const double value : values)
    k.push_back(std::isfinite(value) ? std::llround((value - least) / channel.step) : kNone);
  for (int order = 0; order <= 2; ++order) {
    std::string bytes = differences(k, order);
    if (order > 0 && bytes.size() >= channel.bytes.size()) continue;
    channel.order = order;
    channel.bytes = std::move(bytes);
  }
  return channel;
}

std::vector<double> unpack(const Channel& channel, std::size_t count) {
  if (channel.constant) return std::vector<double>(count, channel.least);
  std::vector<double> values;
  std::array<std::int64_t, 2> last{};
  std::uint64_t bits = 0;
  int shift = 0;
  for (const char c : channel.bytes) {
    const auto byte = static_cast<unsigned char>(c);
    bits |= std::uint64_t{byte & 127U} << shift;
    shift += 7;
    if (byte >= 128) continue;
    const auto coded = static_cast<std::int64_t>(bits >> 1) ^ -static_cast<std::int64_t>(bits & 1U);
    const std::int64_t first = channel.order == 2   ? coded + last[1]
                               : channel.order == 1 ? coded
                                                    : coded - last[0];
    const std::int64_t value = last[0] + first;
    last = {value, first};
    values.push_back(value == kNone ? std::numeric_limits<double>::quiet_NaN()
                                    : channel.least + static_cast<double>(value) * channel.step);
    bits = 0, shift = 0;
  }
  return values;
}

void write(const Channel& channel, JsonWriter& json) {
  if (channel.constant) {
    json.number(channel.least);
    return;
  }
  json.begin_object().key("least").number(channel.least).key("step").number(channel.step);
  json.key("order").integer(channel.order).key("bytes").string(base64(channel.bytes)).end_object();
}

}  // namespace stance::report
