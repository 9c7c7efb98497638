// The first instant at which a guard changes sign: one probe serves all of them.
//
// Between a, where every guard is positive, and b, where some are not: false position for each that is not, with the Illinois
// rule, the earliest counts, and every third probe halves the bracket, so that it shrinks for any guards. A smooth guard takes
// about eight probes; from a step of 1 ms the worst case is 1e-12 s after 90.
#include <algorithm>

#include "hybrid/tolerances.hpp"
#include "stance_core/hybrid/simulator.hpp"

namespace stance {

Status Simulator::locate() noexcept {
  Draft& d = draft_;
  double a = 0, b = d.flowed;
  for (int k = 0; k < d.guard_count; ++k) {
    Guard& g = d.guards[k];
    g.at_a = std::max(g.start, 0.0), g.at_b = g.end;
    g.last = 0;
  }
  const double tolerance = settings_.event_tolerance;
  bool summed = true;  // whether draft_.sum is of the flow to b
  for (int probe = 1; probe <= kLocatorLimit && b - a > tolerance; ++probe) {
    double s = b;
    if (probe % 3 == 0) {
      s = 0.5 * (a + b);
    } else {
      for (int k = 0; k < d.guard_count; ++k) {
        const Guard& g = d.guards[k];
        if (g.at_b > 0) continue;
        const double cut = g.at_a > 0 ? a + (b - a) * (g.at_a / (g.at_a - g.at_b)) : 0.5 * (a + b);
        s = std::min(s, cut);
      }
    }
    const double margin = 0.5 * tolerance;
    if (!(s > a + margin)) s = a + margin;
    if (!(s < b - margin)) s = b - margin;
    State state = d.state;
    if (const Status status = integrate_over(s, state); status != Status::kOk) return status;
    if (const Status status = look_at(state, d.load); status != Status::kOk) return status;
    evaluate(state, d.load, s, &Guard::end);
    bool crossed = false;
    for (int k = 0; k < d.guard_count; ++k) crossed |= d.guards[k].end <= 0;
    for (int k = 0; k < d.guard_count; ++k) {
      Guard& g = d.guards[k];
      if (crossed) {
        if (g.last > 0) g.at_a *= 0.5;
        g.at_b = g.end, g.last = 1;
      } else {
        if (g.last < 0 && g.at_b <= 0) g.at_b *= 0.5;
        g.at_a = g.end, g.last = -1;
      }
    }
    summed = crossed;
    if (crossed) {
      b = s;
      d.next = state;
    } else {
      a = s;
    }
  }
  if (!summed) {  // the last probe was another
    d.next = d.state;
    if (const Status status = integrate_over(b, d.next); status != Status::kOk) return status;
  }
  d.flowed = b;
  if (const Status status = look_at(d.next, d.load); status != Status::kOk) return status;
  evaluate(d.next, d.load, b, &Guard::end);
  return Status::kOk;
}

}  // namespace stance
