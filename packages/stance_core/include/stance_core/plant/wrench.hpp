// A push: a force and a moment on a link for a while, with a ramp up and down.
#pragma once

#include <span>

#include "stance_core/model/tree.hpp"

namespace stance {

// The profile is a trapezoid of length `duration` with both flanks of length `ramp` in it, so its impulse is
// force (duration - ramp). Each sub-step applies its mean over the sub-step: the impulse is exact for any step.
struct Wrench {
  FrameId frame;          // of the link that is pushed
  Vec3<double> point_F;   // where, in the link's frame; the point moves with the link
  Vec3<double> force_W;   // world axes
  Vec3<double> torque_W;  // a couple beside the force's moment
  double start = 0;       // s, in simulated time
  double duration = 0;    // s
  double ramp = 0;        // s, at most half the duration
};

// The mean over [t, t + h] of the trapezoid of height one.
double mean_strength(const Wrench& wrench, double t, double h) noexcept;

// The forces of all wrenches over [t, t + h] on the bodies, each in its home frame. False, and `forces` as it was, if
// none acts. Directions are fixed in the world and forces of the simulator in the body: the pose half a step ahead
// makes the difference second order in h.
bool wrench_forces(const Model& model, const Tree& tree, const State& state,
                   std::span<const Wrench> wrenches, double t, double h,
                   std::span<Force<double>> forces) noexcept;

}  // namespace stance
