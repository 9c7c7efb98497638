// Poses and velocities of all bodies, root to leaves. The text; kinematics.hpp says what it does, and processor files
// compile it. Limbs run in lanes and are then laid down body by body.
#pragma once

#include "dynamics/limb_walk.hpp"

namespace stance {

STANCE_INLINE void limbs_kinematics(const LanePlan& plan, const Tree& tree, int g,
                                    const State& state, Workspace& w) {
  const LimbGroup& group = tree.lanes.groups[g];
  Motion<LimbLanes> v = gather<kLimbLanes>(w.v.data(), group.parent.data());
  Transform<LimbLanes> X_WB = gather<kLimbLanes>(w.X_WB.data(), group.parent.data());
  for (int k = 0; k < group.pack_count; ++k) {
    const LimbPack& pack = plan.packs[group.first_pack + k];
    PackScratch& s = w.packs[group.first_scratch + k];
    limb_outward_step(pack, tree, g, k, state, s, v);
    X_WB = X_WB * s.X_PB;
    for_each_limb(
        tree, g, pack, [&](int lane, BodyId i) __attribute__((always_inline)) {
          w.X_PB[i] = get_lane(lane, s.X_PB), w.c[i] = get_lane(lane, s.c);
          w.v[i] = get_lane(lane, v), w.X_WB[i] = get_lane(lane, X_WB);
        });
  }
}

template <class CompiledFor>
void kinematics_kernel(const Model& model, const Tree& tree, const Walk& walk, const State& state,
                       Workspace& w) noexcept {
  walk_outward(
      tree, walk.trunk, state, w, [&](int i) __attribute__((always_inline)) {
        const Link& link = tree.links[i];
        w.X_WB[i] = link.parent.valid() ? w.X_WB[link.parent] * w.X_PB[i] : w.X_PB[i];
      });
  for (int g = walk.group_count - 1; g >= 0; --g) limbs_kinematics(model.lanes, tree, g, state, w);
}

}  // namespace stance
