// Inverse dynamics: recursive Newton-Euler algorithm. RBDA Table 5.1.
#pragma once

#include <span>

#include "stance_core/base/status.hpp"
#include "stance_core/model/tree.hpp"
#include "stance_core/model/workspace.hpp"

namespace stance {

// tau such that aba(tau) = a. Forces on bodies, where given, are one per body in its home frame (empty: none).
// Armature is in tau; damping and friction are not. With mimic joints the effort of a leader carries its followers'
// and theirs is zero; their accelerations in `a` are not read.
Status rnea(const Model& model, const Tree& tree, const State& state, const DofVector& a,
            std::span<const Force<double>> f_ext, Workspace& w, DofVector& tau) noexcept;

// The same with the robot's limbs in the lanes of SIMD registers (model/lane_plan.hpp); equal to rounding. Of the
// workspace only what the trunk needs is complete.
Status rnea_lanes(const Model& model, const Tree& tree, const State& state, const DofVector& a,
                  std::span<const Force<double>> f_ext, Workspace& w, DofVector& tau) noexcept;

}  // namespace stance
