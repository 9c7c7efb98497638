// Forward dynamics: articulated-body algorithm. RBDA Table 7.1.
#pragma once

#include <span>

#include "stance_core/base/status.hpp"
#include "stance_core/model/tree.hpp"
#include "stance_core/model/workspace.hpp"

namespace stance {

// The acceleration a that the efforts tau give. Forces on bodies, where given, are one per body in its home frame
// (empty: none). Damping and friction are the caller's: subtract them from tau.
// Writes X_PB, v, c, IA, pA, D_inverse, L, u and a of the workspace.
Status aba(const Model& model, const Tree& tree, const State& state, const DofVector& tau,
           std::span<const Force<double>> f_ext, Workspace& w, DofVector& a) noexcept;

// The same with the robot's limbs in the lanes of SIMD registers (model/lane_plan.hpp), and with gears taken as joints of
// many bodies (dynamics/gear_walk.hpp); equal to rounding. Of the workspace only what the trunk needs is complete:
// aba_solve and the accelerations of frames need aba.
Status aba_lanes(const Model& model, const Tree& tree, const State& state, const DofVector& tau,
                 std::span<const Force<double>> f_ext, Workspace& w, DofVector& a) noexcept;

// After aba: x = M⁻¹ b in linear time, both in walking order (Link::dof), from the articulated inertias in the
// workspace. Mimic joints are not tied here.
void aba_solve(const Tree& tree, Workspace& w, const PerDof<double>& b, PerDof<double>& x) noexcept;

// The outward half of it: x holds what the inward half left on each axis and becomes the accelerations.
void aba_respond(const Tree& tree, const Workspace& w, PerDof<double>& x) noexcept;

}  // namespace stance
