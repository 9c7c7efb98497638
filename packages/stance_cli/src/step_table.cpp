#include "step_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string_view>

namespace stance {
namespace {

// A number that does not exist, such as the period of the first step, is a dash.
std::string cell(double value, int width, int digits) {
  return std::isfinite(value) ? fmt::format("{:{}.{}f}", value, width, digits)
                              : fmt::format("{:>{}}", "-", width);
}

// Small robots lose microjoules: three digits at least.
std::string measure(double value, int width) {
  const double size = std::abs(value);
  if (size != 0 && (size < 0.01 || size >= 1e5)) return fmt::format("{:{}.3e}", value, width);
  return cell(value, width, 4);
}

std::string_view name_of(const Model& model, FrameId frame) {
  return frame.valid() ? model.frames[frame].name.view() : std::string_view("-");
}

std::string cause(const Model& model, const ContactEvent& event) {
  switch (event.kind) {
    case EventKind::kStop: return fmt::format("stop {}", model.joints[event.joint].name.view());
    case EventKind::kPushOff: return fmt::format("push {}", name_of(model, event.frame));
    case EventKind::kFall: return fmt::format("fall {}", name_of(model, event.frame));
    default: return fmt::format("{} {}", to_string(event.kind), name_of(model, event.frame));
  }
}

}  // namespace

StepTable::StepTable(const Model& model, const SimulatorSettings& settings)
    : model_(&model), width_(std::string_view("foot").size()) {
  const auto fit = [&](std::string_view text, std::size_t before) {
    width_ = std::max(width_, before + text.size());
  };
  const bool pushes = settings.push_off.impulse != 0;
  for (int i = 0; i < settings.foot_count; ++i)
    fit(name_of(model, settings.feet[static_cast<std::size_t>(i)].frame), pushes ? 5 : 0);
  for (int i = 0; i < settings.stop_count; ++i)
    fit(model.joints[settings.stops[static_cast<std::size_t>(i)].joint].name.view(), 5);
}

std::string StepTable::header() const {
  return fmt::format("{:>5}  {:>10}  {:{}}  {:>8}  {:>8}  {:>11}  {:>11}\n", "step", "time, s",
                     "foot", width_, "length, m", "period, s", "impulse, Ns", "lost, J");
}

std::string StepTable::step_row(const Step& step) const {
  return fmt::format("{:>5}  {:10.4f}  {:{}}  {}  {}  {}  {}\n", step.number, step.time,
                     name_of(*model_, step.foot), width_, cell(step.length, 9, 4),
                     cell(step.period, 9, 4), measure(step.impulse, 11),
                     measure(step.energy_lost, 11));
}

std::string StepTable::event_row(const ContactEvent& event) const {
  const std::string impulse = event.kind == EventKind::kPushOff ? measure(norm(event.impulse_W), 11)
                                                                : fmt::format("{:>11}", "");
  const std::string lost = event.kind == EventKind::kFall ? std::string()
                                                          : measure(event.energy_lost, 11);
  std::string row = fmt::format("{:>5}  {:10.4f}  {:{}}  {:9}  {:9}  {}  {}", "", event.time,
                                cause(*model_, event), width_, "", "", impulse, lost);
  row.erase(row.find_last_not_of(' ') + 1);
  return row + '\n';
}

std::string StepTable::rows(const std::vector<ContactEvent>& events,
                            const std::vector<Step>& steps) {
  std::string text;
  for (; next_event_ < events.size(); ++next_event_) {
    const ContactEvent& event = events[next_event_];
    switch (event.kind) {
      case EventKind::kTouchdown:
        if (next_step_ < steps.size() && steps[next_step_].time == event.time &&
            steps[next_step_].foot == event.frame)
          text += step_row(steps[next_step_++]);
        break;
      case EventKind::kPushOff:
      case EventKind::kStop:
      case EventKind::kFall: text += event_row(event); break;
      default: break;  // events.csv has them
    }
  }
  return text;
}

}  // namespace stance
