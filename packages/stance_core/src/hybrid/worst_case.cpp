#include "stance_core/hybrid/worst_case.hpp"

#include "stance_core/hybrid/event_locator.hpp"

namespace stance {

WorstCase worst_case(const SimulatorSettings& settings) noexcept {
  WorstCase worst;
  worst.guards = settings.foot_count + settings.stop_count + settings.fall_count;
  worst.locator = locator_bound(settings.step, settings.event_tolerance);
  // a foot may push off before the other takes over: two impacts; a stop makes one, a fall none
  const bool pushes = settings.push_off.impulse != 0 || settings.push_off.towards.valid();
  const int per_foot = pushes ? 2 : 1;
  worst.quiet = {1, 0};
  if (worst.guards == 0) {
    worst.one_event = worst.everything = worst.quiet;
    return worst;
  }
  // to the end of the step, to every probe of the locator, to the event; then on to the end
  worst.one_event = {1 + worst.locator + 1 + 1, settings.foot_count > 0   ? per_foot
                                                : settings.stop_count > 0 ? 1
                                                                          : 0};
  const long long events = Simulator::kMaxEventsPerStep;
  worst.everything = {events * (1 + static_cast<long long>(worst.guards) * worst.locator + 1),
                      events * (settings.foot_count * per_foot + settings.stop_count)};
  return worst;
}

long long forward_dynamics(const StepWork& work, const IntegratorSettings& settings) noexcept {
  long long stages = 4;
  if (settings.method == Method::kSemiImplicitEuler) stages = 1;
  if (settings.method == Method::kDormandPrince) stages = 7LL * settings.max_substeps;
  return work.integrations * stages + work.impacts;
}

}  // namespace stance
