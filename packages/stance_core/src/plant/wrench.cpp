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

bool wrench_forces(const Model& model, const Tree& tree, const State& state,
                   std::span<const Wrench> wrenches, double t, double h,
                   std::span<Force<double>> forces) noexcept {
  bool any = false;
  for (const Wrench& wrench : wrenches) {
    const double strength = mean_strength(wrench, t, h);
    if (strength == 0) continue;
    if (!any) std::fill(forces.begin(), forces.end(), Force<double>{});
    any = true;
    const Frame& frame = model.frames[wrench.frame];
    const PoseTwist motion = body_motion(model, tree, state, frame.body);
    const Mat3<double> R = motion.X_WH.R * rotation(exponential(motion.V_H.w * (0.5 * h)));
    const Vec3<double> f_H = transpose_times(R, wrench.force_W) * strength;
    const Vec3<double> n_H = transpose_times(R, wrench.torque_W) * strength;
    const Vec3<double> p_H = frame.X_HF * wrench.point_F;
    forces[static_cast<std::size_t>(frame.body)] += {n_H + cross(p_H, f_H), f_H};
  }
  return any;
}

}  // namespace stance
