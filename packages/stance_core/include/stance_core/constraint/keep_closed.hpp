// Closures are kept at the level of accelerations; integration lets their positions and velocities drift by its own error.
// This puts them back, at the end of a step, along the way that moves the least mass:
//   (1) dq = -M⁻¹ Jᵀ (J M⁻¹ Jᵀ)⁺ g       g the gap: a point's distance, a pin's tilt, a weld's turn, along the axes of a
//   (2) v' = v - M⁻¹ Jᵀ (J M⁻¹ Jᵀ)⁺ J v   the velocity nearest to v in kinetic energy: an impact against the closures,
//                                         so that v'ᵀ M v' <= vᵀ M v
// (1) is one step of Newton's: a gap of 1e-6 leaves some 1e-12. It moves weight; where that raises the energy by more than
// (2) took, velocities are scaled down until it is as it was, which closures and gears do not mind, being linear in them:
//   (3) v'' = v' sqrt(1 - dE / T'), dE > 0
// So a projection never adds energy, to rounding.
#pragma once

#include <span>

#include "stance_core/base/status.hpp"
#include "stance_core/constraint/closure.hpp"
#include "stance_core/constraint/delassus.hpp"
#include "stance_core/constraint/dense_stage.hpp"

namespace stance {

// Scratch. Large: make one and keep it.
struct ClosureKeeper {
  ClosureRows rows;
  Delassus d;
  DenseStage stage;
  RowVector lambda;
};

// How far the rows of a closure are open, in their order; the same numbers that its rows' velocities are the rates of.
void closure_gap(const Tree& tree, const Workspace& w, const Closure& closure,
                 double* gap) noexcept;

// (1) to (3) for all active closures. One forward dynamics' time and a half. Of the workspace kinematics are right
// afterwards. On a bad status the state is as it was.
Status keep_closed(const Model& model, const Tree& tree, std::span<const Closure> closures,
                   State& state, Workspace& w, ClosureKeeper& keeper) noexcept;

// (2) alone: what an impact does that the closures take, such as one that just came to be.
Status close_velocities(const Model& model, const Tree& tree, std::span<const Closure> closures,
                        State& state, Workspace& w, ClosureKeeper& keeper) noexcept;

}  // namespace stance
