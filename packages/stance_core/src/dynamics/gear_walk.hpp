// Gears (a mimic joint's leader with all that follow it) within the articulated-body walk, without rows of their own.
//
// All joints of a gear turn with the leader's velocity y times a ratio m. Where they share bodies one with the next
// (Model::gears_are_joined) the gear is one joint with many bodies, and the walk takes it so. No joint of it is
// eliminated by itself; on the way in, a body behind one of them has the force f across that joint, and all joints
// of the gear beyond it take the generalised force h, as functions of the body's acceleration a and of y':
//   (1) f = IA a + Q y' + pA          (2) h = Qᵀ a + d y' + p
// Across joint i, a = X a_parent + c + S m y', its own share m (Sᵀ f - tau) + m² armature y' joins h:
//   (3) Q <- Q + m IA S               (4) d <- d + m Sᵀ (Q_before + Q_after) + m² armature
//   (5) p <- p + Qᵀ c + m (Sᵀ pA - tau), with the new Q
// and IA, Q, and pA + IA c go to the parent as they are. At the body where the gear's ways meet, h = 0 gives
//   (6) y' = -(p + Qᵀ a) / d          (7) IA <- IA - Q Qᵀ / d, pA <- pA - Q p / d
// which is RBDA 7.25 to 7.27 with Q for U. On the way out y' follows from (6), and x = m y' for every joint of it.
// The same idea is constraint embedding: Jain, Robot and Multibody Dynamics, chapter 15.
#pragma once

#include "dynamics/limb_walk.hpp"
#include "stance_core/dynamics/joint_axes.hpp"

namespace stance {

// The gear that moves the joint through which the walk enters the body, or -1.
STANCE_INLINE int gear_of(const Model& model, const Link& link) {
  return link.joint.valid() && link.kind != JointKind::kFixed ? model.gear_of[link.joint] : -1;
}
STANCE_INLINE double gear_ratio(const Model& model, const Link& link) {
  return link.sign * model.gear_ratio[link.joint];
}

STANCE_INLINE void forget_gears(const Model& model, Workspace& w) {
  for (int g = 0; g < model.gear_count; ++g) w.gears[g].next = GearScratch::kUnmet;
}

// Pass 1, at a body that others hang on.
STANCE_INLINE void expect_gears(int i, Workspace& w) {
  w.first_gear[i] = -1;
  w.Q[i] = {};
}

// Pass 1, at every body behind a joint of a gear: is it where this one ends and the ways meet at its parent?
STANCE_INLINE bool ends_gear(const Model& model, const Tree& tree, const Link& link, int gear) {
  return gear_of(model, tree.links[link.parent]) != gear;
}
inline void meet_gear(const Model& model, const Tree& tree, const Link& link, Workspace& w) {
  const int g = gear_of(model, link);
  if (g < 0 || !ends_gear(model, tree, link, g)) return;
  GearScratch& gear = w.gears[g];
  if (gear.next != GearScratch::kUnmet) return;
  gear.Q = {}, gear.d = gear.p = 0;
  gear.next = w.first_gear[link.parent];
  w.first_gear[link.parent] = static_cast<std::int16_t>(g);
}

// Where Q goes that has come to the body's parent.
inline Force<double>& gear_above(const Model& model, const Tree& tree, const Link& link, int gear,
                                 Workspace& w) {
  return ends_gear(model, tree, link, gear) ? w.gears[gear].Q : w.Q[link.parent];
}

// Pass 2, at a body whose IA and pA are complete: (6) and (7) for the gears that meet there. False where one moves no
// inertia.
inline bool eliminate_gears(int i, ArticulatedInertia<double>& IA, Force<double>& pA,
                            Workspace& w) noexcept {
  bool sound = true;
  for (int g = w.first_gear[i]; g >= 0; g = w.gears[g].next) {
    GearScratch& gear = w.gears[g];
    sound &= gear.d >= kMinInertia;
    const double d_inverse = 1 / gear.d;
    gear.L = gear.Q * d_inverse;
    gear.y = -gear.p * d_inverse;
    subtract_outer(IA, gear.L, gear.Q);
    pA += gear.Q * gear.y;
  }
  return sound;
}

// Pass 2 across a joint of a gear.
template <class Axis>
STANCE_INLINE void gear_inward(const Axis& axis, const Model& model, const Tree& tree, int i,
                               double tau, Workspace& w, ArticulatedInertia<double>& IA,
                               Force<double>& pA) {
  const Link& link = tree.links[i];
  const int g = gear_of(model, link);
  const double m = gear_ratio(model, link);
  GearScratch& gear = w.gears[g];
  const Force<double> Q = w.Q[i] + column(axis, IA) * m;                             // (3)
  gear.d += m * (project(axis, w.Q[i]) + project(axis, Q)) + m * m * link.armature;  // (4)
  gear.p += dot(Q, w.c[i]) + m * (project(axis, pA) - tau);                          // (5)
  gear_above(model, tree, link, g, w) += to_parent(w.X_PB[i], Q);
  pA = to_parent(w.X_PB[i], pA + IA * w.c[i]);
  IA = to_parent(w.X_PB[i], IA);
}

// Pass 3, at a body whose acceleration is known: (6).
STANCE_INLINE void accelerate_gears(int i, const Motion<double>& a, Workspace& w) {
  for (int g = w.first_gear[i]; g >= 0; g = w.gears[g].next) w.gears[g].y -= dot(w.gears[g].L, a);
}

// ---- the same in lanes

// Q, d and p of the gears that are open in a group of limbs, a lane each.
struct OpenGears {
  Force<LimbLanes> Q{};
  LimbLanes d = LimbLanes(0), p = LimbLanes(0);
};

// Pass 1 of a pack.
STANCE_INLINE void limbs_meet_gears(const Model& model, const Tree& tree, int g,
                                    const LimbPack& pack, Workspace& w) {
  if (!pack.gathers && !pack.has_gears) return;
  for_each_limb(
      tree, g, pack, [&](int, BodyId i) __attribute__((always_inline)) {
        if (pack.gathers) expect_gears(i, w);
        meet_gear(model, tree, tree.links[i], w);
      });
}

// Pass 2 of a pack, before its joints.
STANCE_INLINE bool limbs_eliminate_gears(const Tree& tree, int g, const LimbPack& pack,
                                         Workspace& w, OpenGears& open,
                                         ArticulatedInertia<LimbLanes>& IA, Force<LimbLanes>& pA) {
  bool sound = true;
  for_each_limb(
      tree, g, pack, [&](int lane, BodyId i) __attribute__((always_inline)) {
        set_lane(lane, get_lane(lane, open.Q) + w.Q[i], open.Q);
        if (w.first_gear[i] < 0) return;
        ArticulatedInertia<double> I = get_lane(lane, IA);
        Force<double> f = get_lane(lane, pA);
        sound &= eliminate_gears(i, I, f, w);
        set_lane(lane, I, IA);
        set_lane(lane, f, pA);
      });
  return sound;
}

// Pass 2 across the joints of a pack of which some are of gears: Q still in the frame of the bodies.
STANCE_INLINE void limbs_gear_inward(const LimbPack& pack, const Force<LimbLanes>& U,
                                     const LimbLanes& tau, const Motion<LimbLanes>& c,
                                     const Force<LimbLanes>& pA, OpenGears& open) {
  const LimbLanes& m = pack.gear_ratio;
  const Force<LimbLanes> Q = open.Q + U * m;               // (3)
  open.d += m * (open.Q.n.z + Q.n.z + m * pack.armature);  // (4)
  open.p += dot(Q, c) + m * (pA.n.z - tau);                // (5)
  open.Q = Q;
}

// And then, with Q in the frame of the parents: what ends here, or leaves the limbs, goes where it is waited for.
STANCE_INLINE void limbs_end_gears(const Model& model, const Tree& tree, int g, int k,
                                   const LimbPack& pack, Workspace& w, OpenGears& open) {
  for_each_limb(
      tree, g, pack, [&](int lane, BodyId i) __attribute__((always_inline)) {
        const int number = pack.gear[lane];
        const Link& link = tree.links[i];
        if (number < 0 || (k > 0 && !ends_gear(model, tree, link, number))) return;
        gear_above(model, tree, link, number, w) += get_lane(lane, open.Q);
        w.gears[number].d += open.d[lane], w.gears[number].p += open.p[lane];
        set_lane(lane, Force<double>{}, open.Q);
        open.d.set(lane, 0), open.p.set(lane, 0);
      });
}

// Pass 3 of a pack, before its joints: x of those of gears.
STANCE_INLINE void limbs_follow_gears(const Tree& tree, int g, const LimbPack& pack,
                                      const Workspace& w, LimbLanes& u) {
  for_each_limb(
      tree, g, pack, [&](int lane, BodyId) __attribute__((always_inline)) {
        const int number = pack.gear[lane];
        if (number >= 0) u.set(lane, pack.gear_ratio[lane] * w.gears[number].y);
      });
}

}  // namespace stance
