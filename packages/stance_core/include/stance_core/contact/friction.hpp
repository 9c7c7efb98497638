// Coulomb's law over all contacts at once, on a Delassus system: accelerations in flow, velocities in an impact.
//
// With u = G f + c the motion of each contact along its normal n and its tangents, and f its force,
//   (1) 0 <= f_n  ⊥  u_n >= 0                                            (Signorini)
//   (2) |f_t| <= mu_s f_n while u_t = 0                                  (stick)
//   (3) f_t = -mu_k f_n d, d = u_t/|u_t|                                 (slip that begins, or an impact)
//       f_t = -mu_k f_n d, d the direction of the velocity               (slide that goes on; flow alone)
// Which contacts are open, stick or slide is the mode. For given modes the law is linear but for the directions of slips
// that begin: with d = (cos theta, sin theta)
//   (4) u_n = 0 and d⊥·u_t = 0, unknown f_n and theta: Newton's method.
// The mode is found by taking the one that stands, solving, and changing the contact that violates the law most, until
// none does. A mode that comes back, or too many changes, starts it anew from the forces of a projected Gauss-Seidel
// iteration, contact by contact. All loops are bounded.
// A contact without a limit to its friction (mu_s infinite) can only stick or lift, and may be able to do neither: held it
// would pull, let go it would move into the ground.
//   (5) Such a one slides, with mu_k = 0: its idealisation ends there. With a limit that case is Painlevé's, and kNone.
// Where corners share a load, the least norm of a mode may break the law that another share would keep, and the search goes
// in a circle:
//   (6) then the forces to which the iteration converges are the answer, if they keep the law to 1e-8.
// Likewise a corner may be at the limit of its friction while others hold it.
//   (7) A slip that begins without motion is none: such a contact sticks.
// Contacts that share a load which rows do not tell apart (the corners of a sole) take it with least norm and pressure
// alone: one that would pull is left out, and stays at rest with no force.
#pragma once

#include <array>
#include <span>

#include "stance_core/constraint/solve.hpp"

namespace stance {

// Contacts that can act at one time.
inline constexpr int kMaxContacts = 32;

enum class ContactMode : unsigned char { kOpen, kStick, kSlide };

constexpr const char* to_string(ContactMode mode) noexcept {
  constexpr const char* kNames[] = {"open", "stick", "slide"};
  return kNames[static_cast<int>(mode)];
}

// A contact of the system: rows row, row + 1, … are its normal and its tangents.
struct ContactRows {
  int row = 0;
  int tangents = 2;  // 0: without friction; 1: in a plane
  double mu_static = 0, mu_kinetic = 0;
  ContactMode mode = ContactMode::kStick;  // in: the one to begin with; out: the one found
  bool slides = false;                     // it slides already, along d, and goes on to
  std::array<double, 2> d{1, 0};           // out, where it slides: the direction
  // Normal force beside f_n that friction may use: Poisson's law, collide.hpp. A contact that has one is never open: where
  // f_n is zero it leaves, and friction acts on the preload.
  double preload = 0;
  bool leaves = false;
  bool at_rest = false;  // out: open, and no acceleration away from the surface
};

// What is left of the three laws, each relative to the largest force or motion in the system.
struct LawResidual {
  double signorini = 0;    // f_n below zero, u_n below zero, or both above
  double cone = 0;         // |f_t| beyond mu f_n
  double dissipation = 0;  // slip not against its friction
};

enum class ContactAnswer : unsigned char {
  kUnique,
  kRedundant,
  kInconsistent,  // the bilateral rows contradict each other
  kNone           // no mode satisfies the law: Painlevé's cases
};

struct FrictionResult {
  ContactAnswer answer = ContactAnswer::kUnique;
  int rank = 0;
  int changes = 0;     // of modes
  bool swept = false;  // the forces are the iteration's (6), not those of a mode
  LawResidual residual;
};

// Forces of all rows for the modes as they are given: contacts that stick do so whatever the force, slides go along d.
FrictionResult solve_given(const Tree& tree, const Workspace& w, const Delassus& d,
                           std::span<ContactRows> contacts, DenseStage& stage,
                           RowVector& lambda) noexcept;

// What to do where no mode is found: say so, or take the forces of the last sweep, whose residual says how far from the law
// they are.
enum class NoMode : unsigned char { kRefuse, kNearest };

// The same with the modes found. Rows before the first contact's hold whatever the force.
FrictionResult find_modes(const Tree& tree, const Workspace& w, const Delassus& d,
                          std::span<ContactRows> contacts, DenseStage& stage, RowVector& lambda,
                          NoMode otherwise = NoMode::kRefuse) noexcept;

// u = G lambda + c of one row.
inline double motion_of(const Delassus& d, const RowVector& lambda, int row) noexcept {
  double u = d.c[row];
  for (int k = 0; k < d.count; ++k) u += d.G[row][k] * lambda[k];
  return u;
}

}  // namespace stance
