#include "stance_core/plant/wrench.hpp"

#include <algorithm>

namespace stance {
namespace {

// Integral of the trapezoid from its start to s.
double area(double s, double duration, double ramp) noexcept {
  s = std::clamp(s, 0.0, duration);
  const auto rise = [&](double x) { return ramp > 0 ? x * x / (2 * ramp) : 0; };
  if (s < ramp) return rise(s);
  if (s <= duration - ramp) return s - ramp / 2;
  return duration - ramp - rise(duration - s);
}

}  // namespace

double mean_strength(const Wrench& wrench, double t, double h) noexcept {
  const double s = t - wrench.start;
  return (area(s + h, wrench.duration, wrench.ramp) - area(s, wrench.duration, wrench.ramp)) / h;
}

}  // namespace stance
