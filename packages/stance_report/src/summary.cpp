#include "summary.hpp"

#include <fmt/format.h>

#include "stance_model/json.hpp"

namespace stance::report {
namespace {

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
  JsonWriter json;
  json.begin_object();
  json.key("title").string(info.title).key("robot").string(info.robot_name);
  json.key("steps").integer(verdict.steps);
  json.key("period").number(verdict.period).key("step_length").number(verdict.length);
  json.key("energy_lost_per_step").number(verdict.energy_lost);
  json.key("steady").boolean(verdict.steady).key("verdict").string(verdict.words);
  json.key("ended").string(word(ending.why)).key("ended_detail").string(ending.detail);
  json.key("time").number(ending.time).key("seed");
  if (info.seeded) {
    json.integer(info.seed);
  } else {
    json.null();
  }
  json.key("state_hash").string(fmt::format("{:016x}", ending.hash));
  const EnergyAccount& energy = ending.energy;
  json.key("energy").begin_object();
  json.key("efforts").number(energy.efforts).key("pushes").number(energy.pushes);
  json.key("damping").number(energy.damping).key("friction").number(energy.friction);
  json.key("impacts").number(energy.impacts).key("holding").number(energy.holding);
  json.end_object();
  json.key("contact_residual").begin_object();
  json.key("signorini").number(ending.residual.signorini);
  json.key("cone").number(ending.residual.cone);
  json.key("dissipation").number(ending.residual.dissipation);
  json.end_object();
  json.key("implicit_steps").integer(ending.implicit_steps);
  json.key("events").integer(events).key("dropped_events").integer(dropped_events);
  json.key("files").begin_array();
  for (const auto& file : files) json.string(file.filename().string());
  json.end_array().end_object();
  return json.text() + '\n';
}

}  // namespace stance::report
