// The instant inside a step at which a guard changes sign.
#pragma once

#include <cmath>

namespace stance {

inline constexpr int kLocatorLimit = 100;  // evaluations, whatever the tolerance

struct Located {
  double
      time;  // the end of the bracket at which the guard is no longer positive: the event has happened
  bool ok;
};

// Root of g on (0, h] with g(0) = g0 > 0 >= gh = g(h), bracketed to `tolerance` within `limit` evaluations: false
// position with the Illinois rule, and every third step a bisection, so that the bracket shrinks for any g. From a
// step of 1 ms the worst case reaches 1e-12 s with 90 evaluations; a smooth guard takes about eight.
// `g(s, value)` returns false to give up.
template <class G>
Located locate_root(const G& g, double g0, double h, double gh, double tolerance,
                    int limit = kLocatorLimit) noexcept {
  double a = 0, b = h;
  double ga = g0, gb = gh;
  int last = 0;  // the end that moved last: -1 a, 1 b
  for (int k = 1; k <= limit && b - a > tolerance; ++k) {
    double s = k % 3 == 0 ? 0.5 * (a + b) : a + (b - a) * (ga / (ga - gb));
    const double margin = 0.5 * tolerance;
    if (!(s > a + margin)) s = a + margin;
    if (!(s < b - margin)) s = b - margin;
    double value = 0;
    if (!g(s, value)) return {h, false};
    if (value > 0) {
      if (last < 0) gb *= 0.5;
      a = s, ga = value, last = -1;
    } else {
      if (last > 0) ga *= 0.5;
      b = s, gb = value, last = 1;
    }
  }
  return {b, true};
}

// How many evaluations locate_root can take at most: every third halves the bracket at least.
inline int locator_bound(double h, double tolerance) noexcept {
  if (!(h > tolerance)) return 0;
  const double thirds = 3 * std::ceil(std::log2(h / tolerance));
  return thirds < kLocatorLimit ? static_cast<int>(thirds) : kLocatorLimit;
}

}  // namespace stance
