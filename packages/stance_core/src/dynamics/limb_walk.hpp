// What the algorithms share when limbs run in lanes: the bodies of a walk, the lanes that count, and the first pass
// of one pack.
#pragma once

#include <span>

#include "stance_core/dynamics/outward_step.hpp"
#include "stance_core/model/tree.hpp"
#include "stance_core/model/workspace.hpp"

namespace stance {

// Those that are walked one at a time, and how many of the tree's groups of limbs in lanes.
struct Walk {
  std::span<const BodyId> trunk;
  const PerBody<bool>& branches;  // see LaneWalk
  int group_count;
};

// Body by body.
inline Walk plain_walk(const Tree& tree) noexcept { return {tree.bodies(), tree.branches, 0}; }

// Limbs in lanes, where the tree has such.
inline Walk lane_walk(const Tree& tree) noexcept {
  if (tree.lanes.group_count == 0) return plain_walk(tree);
  return {{tree.lanes.trunk.data(), static_cast<std::size_t>(tree.lanes.trunk_count)},
          tree.lanes.branches,
          tree.lanes.group_count};
}

// Calls f(lane, body) for the limbs that are walked in group g of the walk and reach this pack.
template <class F>
STANCE_INLINE void for_each_limb(const Tree& tree, int g, const LimbPack& pack, F&& f) {
  for (int lane = 0; lane < kLimbLanes; ++lane) {
    const BodyId body = pack.body[lane];
    if (body.valid() && (tree.lanes.active[g] >> lane & 1) != 0) f(lane, body);
  }
}

// The k-th pack of a group, outwards: X_PB and c, and v from that of the parents.
STANCE_INLINE void limb_outward_step(const LimbPack& pack, const Tree& tree, int g, int k,
                                     const State& state, PackScratch& s, Motion<LimbLanes>& v) {
  const auto [sine, cosine] = sine_cosine(gather<kLimbLanes>(state.q.data(), pack.q_index.data()) *
                                          pack.sign);
  turn_z(k == 0 ? tree.lanes.X_T[g] : pack.X_T, cosine, sine, s.X_PB);
  const LimbLanes qd = gather<kLimbLanes>(state.v.data(), pack.v_index.data()) * pack.sign;
  const Motion<LimbLanes> v_parent = v;
  revolute_velocity(s.X_PB, v_parent, qd, v, s.c);
}

// What pass after pass left in u of the packs, a number per joint in the direction of the walk, where the user has it.
// With it the caller writes only once all is known to be finite.
inline void limbs_to_user(const LanePlan& plan, const Tree& tree, const Walk& walk,
                          const Workspace& w, DofVector& out) noexcept {
  for (int g = 0; g < walk.group_count; ++g) {
    const LimbGroup& group = tree.lanes.groups[g];
    for (int k = 0; k < group.pack_count; ++k) {
      const LimbPack& pack = plan.packs[group.first_pack + k];
      const LimbLanes x = w.packs[group.first_scratch + k].u * pack.sign;
      for_each_limb(tree, g, pack, [&](int lane, BodyId) { out[pack.v_index[lane]] = x[lane]; });
    }
  }
}

// True if all lanes are zero: of a sum of 0 x, if every x was finite.
STANCE_INLINE bool is_zero(const LimbLanes& x) {
  bool zero = true;
  for (int lane = 0; lane < kLimbLanes; ++lane) zero &= x[lane] == 0;
  return zero;
}

}  // namespace stance
