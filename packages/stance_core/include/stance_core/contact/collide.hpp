// Impacts: forward dynamics asked of velocities. All contacts that touch take part, standing feet included.
//
// With u⁻ and u⁺ the velocities of the contacts before and after, p their impulses, G the Delassus matrix: u⁺ = u⁻ + G p.
//   Newton   (1) 0 <= p_n ⊥ u_n⁺ + e min(u_n⁻, 0) >= 0, and Coulomb's law on p and u_t⁺ (friction.hpp)
//   Poisson  (2) compression: (1) with e = 0 gives p_c; (3) restitution: every contact gives e p_c,n once more, and whatever
//            else keeps u_n⁺ >= 0, friction on what is added
// e is zero for a contact that arrives slower than the capture speed: so a ball that bounces for ever shorter comes to rest.
// The energy lost is -½ p·(u⁻ + u⁺). It is never below zero without restitution. Where Newton's law with friction, or with
// several contacts, would bring energy in, all e are lowered in the same proportion to the largest at which it does not,
// and the result says so (Collision::share).
#pragma once

#include <span>

#include "stance_core/contact/forward_dynamics.hpp"

namespace stance {

enum class ImpactLaw : unsigned char { kNewton, kPoisson };

constexpr const char* to_string(ImpactLaw law) noexcept {
  constexpr const char* kNames[] = {"newton", "poisson"};
  return kNames[static_cast<int>(law)];
}

struct Collision {
  double energy_lost = 0;  // kinetic, J
  double share = 1;  // of the restitutions that were used: below 1 where energy would have come in
  LawResidual residual;
};

// An impulse of known size along row `row` of r, which holds the gears' rows beside it: the answer of the robot in `state`.
// Needs kinematics.
Status push(const Model& model, const Tree& tree, int row, double impulse, RowSystem& r,
            Workspace& w, State& state) noexcept;

// The impact of the contacts in r (forward_dynamics.hpp says how they get there; modes and slides are not read), with the
// restitution of each. Needs kinematics at `state`. Velocities of `state` jump; r.lambda holds the impulses, r.contacts the
// modes: stick, slide, or open where no impulse acts. On a bad status `state` is as it was.
// `offset`, where given, is added to the velocities of the rows before: a gap over the time in which it may close. It makes
// the impact one of an implicit step, which is plastic and has an answer in any case: the nearest that there is.
Status collide(const Model& model, const Tree& tree, ImpactLaw law,
               std::span<const double> restitution, RowSystem& r, Workspace& w, State& state,
               Collision& collision, const RowVector* offset = nullptr) noexcept;

}  // namespace stance
