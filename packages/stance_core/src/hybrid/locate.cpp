// The first instant at which a guard changes sign: one probe serves all of them.
//
// Between a, where every guard is positive, and b, where some are not: for each that is not, inverse quadratic interpolation
// through a, b and the end that was left last, and the earliest counts. It converges from one side; so the probe is moved by
// a little less than half the tolerance towards the farther end, which then comes to the root as well. Where three probes have not halved the
// bracket, the next does, so that it shrinks for any guards. A smooth guard takes about five probes; from a step of 1 ms the
// worst case is 1e-12 s after 120.
#include <algorithm>
#include <cmath>

#include "hybrid/tolerances.hpp"
#include "stance_core/hybrid/simulator.hpp"

namespace stance {
namespace {

struct Ends {
  double a, b, c;  // c: the end that was left last
  bool has_c;
};

// Where a guard with these values at the ends is zero.
double root_of(const Ends& e, double at_a, double at_b, double at_c) noexcept {
  if (!(at_a > 0)) return 0.5 * (e.a + e.b);
  const double secant = e.a + (e.b - e.a) * (at_a / (at_a - at_b));
  if (!e.has_c || at_c == at_a || at_c == at_b) return secant;
  const double s = e.a * (at_b * at_c) / ((at_a - at_b) * (at_a - at_c)) +
                   e.b * (at_a * at_c) / ((at_b - at_a) * (at_b - at_c)) +
                   e.c * (at_a * at_b) / ((at_c - at_a) * (at_c - at_b));
  return s > e.a && s < e.b ? s : secant;
}

}  // namespace

Status Simulator::locate() noexcept {
  Draft& d = draft_;
  Ends e{0, d.flowed, 0, false};
  for (int k = 0; k < d.guard_count; ++k) {
    Guard& g = d.guards[k];
    g.at_a = std::max(g.start, 0.0), g.at_b = g.end;
  }
  const double tolerance = settings_.event_tolerance, margin = 0.4 * tolerance;
  bool summed = true;         // whether draft_.sum is of the flow to b
  double halved = e.b - e.a;  // the bracket when it was last found to be halved
  int since = 0;              // probes since
  for (int probe = 1; probe <= kLocatorLimit && e.b - e.a > tolerance; ++probe) {
    double s = e.b;
    if (since == 3) {
      s = 0.5 * (e.a + e.b);
    } else {
      for (int k = 0; k < d.guard_count; ++k) {
        const Guard& g = d.guards[k];
        if (g.at_b <= 0) s = std::min(s, root_of(e, g.at_a, g.at_b, g.at_c));
      }
      s += s - e.a < e.b - s ? margin : -margin;
    }
    if (!(s > e.a + margin)) s = e.a + margin;
    if (!(s < e.b - margin)) s = e.b - margin;
    State state = d.state;
    if (const Status status = integrate_over(s, state); status != Status::kOk) return status;
    if (const Status status = look_at(state, d.load); status != Status::kOk) return status;
    evaluate(state, d.load, s, &Guard::end);
    bool crossed = false;
    for (int k = 0; k < d.guard_count; ++k) crossed |= d.guards[k].end <= 0;
    for (int k = 0; k < d.guard_count; ++k) {
      Guard& g = d.guards[k];
      double& end = crossed ? g.at_b : g.at_a;
      g.at_c = end, end = g.end;
    }
    double& end = crossed ? e.b : e.a;
    e.c = end, end = s, e.has_c = true;
    summed = crossed;
    if (crossed) d.next = state;
    ++since;
    if (e.b - e.a <= 0.5 * halved) halved = e.b - e.a, since = 0;
  }
  const double b = e.b;
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
