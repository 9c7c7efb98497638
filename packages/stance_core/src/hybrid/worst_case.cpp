#include "stance_core/hybrid/worst_case.hpp"

#include <cmath>

namespace stance {

int locator_bound(double h, double tolerance) noexcept {
  if (!(h > tolerance)) return 0;
  const double fourths = 4 * std::ceil(std::log2(h / tolerance));
  return fourths < kLocatorLimit ? static_cast<int>(fourths) : kLocatorLimit;
}

WorstCase worst_case(const SimulatorSettings& settings) noexcept {
  WorstCase worst;
  int sites = 0, latches = 0;
  for (int i = 0; i < settings.foot_count; ++i)
    sites += settings.feet[static_cast<std::size_t>(i)].corner_count > 0
                 ? settings.feet[static_cast<std::size_t>(i)].corner_count
                 : 1;
  for (int i = 0; i < settings.stop_count; ++i)
    latches += settings.stops[static_cast<std::size_t>(i)].release_foot >= 0 ? 1 : 0;
  // a site that sticks has two, its pressure and its cone
  worst.guards = 2 * sites + settings.stop_count + settings.fall_count;
  worst.locator = locator_bound(settings.step, settings.event_tolerance);
  worst.quiet = {1, 1, 0};
  if (worst.guards == 0) {
    worst.one_event = worst.everything = worst.quiet;
    return worst;
  }
  const bool pushes = settings.push_off.impulse != 0 || settings.push_off.towards.valid();
  // a push-off, an impact, and modes: once, and again for each latch that lets go
  const int instant = (pushes ? 1 : 0) + 1 + 1 + latches;
  // to the end of the step, to every probe, to the instant once more; then on to the end
  const long long flow = 1 + static_cast<long long>(worst.locator) + 1;
  worst.one_event = {flow + 1, flow + 2, instant};
  const long long events = Simulator::kMaxEventsPerStep;
  // a halving costs the flow that was too long, and one more piece
  const long long pieces = Simulator::kMaxHalvings;
  worst.everything = {(events + 1) * flow + 2 * pieces, (events + 1) * (flow + 1) + pieces + 1,
                      events * instant + 2};
  return worst;
}

long long forward_dynamics(const StepWork& work, const IntegratorSettings& settings) noexcept {
  long long stages = 4;
  if (settings.method == Method::kSemiImplicitEuler) stages = 1;
  if (settings.method == Method::kDormandPrince) stages = 7LL * settings.max_substeps;
  return work.integrations * stages + work.looks + work.impacts;
}

}  // namespace stance
