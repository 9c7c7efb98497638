// Plastic, slipless impact: the robot loses freedoms at once and its velocities jump. Stepien 7.2 and 8.5.
//
// The robot moved with the freedoms of `before` and has those of `after`: a foot that was free is pinned, a knee that
// swung is locked. Both trees have the same root and kernel frames. For each freedom k that is left, no impulse
// acts along it, so the momentum along it of everything it carries is kept (the paper's angular momenta about the
// contact point and the hip):
//   (1) p_k = S_kᵀ sum_{i beyond k} I_i v_i⁻  (+ armature q̇_k⁻),   (2) M v⁺ = p + Jᵀ P       M of `after`, (23)
// with J ᵀ P the generalised impulse of whatever pushes at that instant (a push-off), zero if nothing does.
// Two solutions of (2): through articulated inertias in linear time, and with M itself (CRBA and LᵀL) where the caller
// has room for it.
#pragma once

#include "stance_core/base/status.hpp"
#include "stance_core/model/tree.hpp"
#include "stance_core/model/workspace.hpp"

namespace stance {

struct MassMatrix;  // dynamics/crba.hpp

// An impulse from outside at the instant of the impact: on one body, in its home frame.
struct Push {
  BodyId body;
  Force<double> impulse_H;
};

struct Impact {
  // What the new constraints at the root gave the robot, in world axes: impulse, and its moment about the contact
  // (about the centre of the arc for a roll).
  Force<double> impulse_W;
  double energy_before = 0;  // kinetic, J; before the push
  double energy_after = 0;
  double energy_lost() const noexcept { return energy_before - energy_after; }
};

// `state` has the positions and velocities of `before`; on return, those of `after`. State::q of the support must fit
// both trees (the caller sets it where their supports differ, see touchdown in hybrid/). With M it is formed there and
// used; null: articulated inertias.
Status impact(const Model& model, const Tree& before, const State& state_before, const Tree& after,
              const Push* push, MassMatrix* M, Workspace& w, State& state, Impact& result) noexcept;

}  // namespace stance
