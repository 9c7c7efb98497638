#include "summary.hpp"

#include <fmt/format.h>

#include <cmath>
#include <iterator>
#include <string_view>

namespace stance::report {
namespace {

// In quotes, escaped (RFC 8259). Bytes above 127 are taken for UTF-8.
std::string json_text(std::string_view text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      result += '\\';
      result += c;
    } else if (static_cast<unsigned char>(c) < 0x20) {
      fmt::format_to(std::back_inserter(result), "\\u{:04x}", static_cast<unsigned>(c));
    } else {
      result += c;
    }
  }
  return result + '"';
}

// The shortest text that reads back as the same number; JSON has no NaN.
std::string number(double x) { return std::isfinite(x) ? fmt::format("{}", x) : "null"; }

const char* word(Ending::Why why) {
  switch (why) {
    case Ending::Why::kDuration: return "duration";
    case Ending::Why::kSteps: return "steps";
    case Ending::Why::kFell: return "fell";
    case Ending::Why::kInterrupted: return "interrupted";
    case Ending::Why::kFailed: return "failed";
  }
  return "failed";
}

}  // namespace

std::string summary_json(const RunInfo& info, const Ending& ending, const Verdict& verdict,
                         std::uint64_t events, std::uint64_t dropped_events,
                         const std::vector<std::filesystem::path>& files) {
  std::string list;
  for (const auto& file : files) {
    list += (list.empty() ? "" : ", ") + json_text(file.filename().string());
  }
  const std::pair<const char*, std::string> members[] = {
      {"title", json_text(info.title)},
      {"robot", json_text(info.robot_name)},
      {"steps", fmt::format("{}", verdict.steps)},
      {"period", number(verdict.period)},
      {"step_length", number(verdict.length)},
      {"energy_lost_per_step", number(verdict.energy_lost)},
      {"steady", verdict.steady ? "true" : "false"},
      {"verdict", json_text(verdict.words)},
      {"ended", json_text(word(ending.why))},
      {"ended_detail", json_text(ending.detail)},
      {"time", number(ending.time)},
      {"seed", info.seeded ? fmt::format("{}", info.seed) : "null"},
      {"state_hash", fmt::format("\"{:016x}\"", ending.hash)},
      {"events", fmt::format("{}", events)},
      {"dropped_events", fmt::format("{}", dropped_events)},
      {"files", "[" + list + "]"},
  };
  std::string json = "{";
  for (const auto& [key, value] : members) {
    json += fmt::format("{}\n  \"{}\": {}", json.size() > 1 ? "," : "", key, value);
  }
  return json + "\n}\n";
}

}  // namespace stance::report
