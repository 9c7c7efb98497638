// Recursive Newton-Euler algorithm, RBDA Table 5.1, in kernel frames. The text; rnea.hpp says what it does, and
// processor files compile it. Differs: armature is added to tau; limbs run in lanes, the trunk body by body.
#pragma once

#include "dynamics/limb_walk.hpp"
#include "stance_core/dynamics/joint_axes.hpp"
#include "stance_core/dynamics/walk_vector.hpp"

namespace stance {

// The force a body needs to move so. RBDA 5.9
template <class T>
STANCE_INLINE Force<T> inertial_force(const RigidInertia<T>& I, const Motion<T>& a,
                                      const Motion<T>& v) {
  return I * a + cross(v, I * v);
}

// Root to tips: accelerations, and the force each body needs (in pA of the scratch).
STANCE_INLINE void limbs_inertial_forces(const LanePlan& plan, const Tree& tree, int g,
                                         const State& state, const DofVector& qdd,
                                         std::span<const Force<double>> f_ext, Workspace& w) {
  const LimbGroup& group = tree.lanes.groups[g];
  Motion<LimbLanes> v = gather<kLimbLanes>(w.v.data(), group.parent.data());
  Motion<LimbLanes> a = gather<kLimbLanes>(w.a.data(), group.parent.data());
  for (int k = 0; k < group.pack_count; ++k) {
    const LimbPack& pack = plan.packs[group.first_pack + k];
    PackScratch& s = w.packs[group.first_scratch + k];
    limb_outward_step(pack, tree, g, k, state, s, v);
    s.u = gather<kLimbLanes>(qdd.data(), pack.v_index.data()) * pack.sign;
    a = plus_to_child(s.c, s.X_PB, a);
    move(UnitAxis<2>{}, a, s.u);
    s.pA = inertial_force(pack.I, a, v);
    if (f_ext.empty() && !pack.carries_limbs) [[likely]]
      continue;
    for_each_limb(
        tree, g, pack, [&](int lane, BodyId i) __attribute__((always_inline)) {
          if (!f_ext.empty()) {
            set_lane(lane, get_lane(lane, s.pA) - to_child(tree.links[i].X_HB, f_ext[i]), s.pA);
          }
          if (pack.carries_limbs) {
            w.v[i] = get_lane(lane, v), w.a[i] = get_lane(lane, a), w.f[i] = {};
          }
        });
  }
}

// Tips to root: forces across the joints.
STANCE_INLINE void limbs_efforts(const LanePlan& plan, const Tree& tree, int g, Workspace& w) {
  const LimbGroup& group = tree.lanes.groups[g];
  Force<LimbLanes> f{};
  for (int k = group.pack_count - 1; k >= 0; --k) {
    const LimbPack& pack = plan.packs[group.first_pack + k];
    PackScratch& s = w.packs[group.first_scratch + k];
    f += s.pA;
    if (pack.carries_limbs) {
      for_each_limb(
          tree, g, pack, [&](int lane, BodyId i) __attribute__((always_inline)) {
            set_lane(lane, get_lane(lane, f) + w.f[i], f);
          });
    }
    s.u = project(UnitAxis<2>{}, f) + pack.armature * s.u;  // RBDA 5.11
    f = to_parent(s.X_PB, f);                               // RBDA 5.10
  }
  for_each_limb(
      tree, g, plan.packs[group.first_pack], [&](int lane, BodyId) __attribute__((always_inline)) {
        w.f[group.parent[lane]] += get_lane(lane, f);
      });
}

// x: efforts of the trunk, in walking order. Those of the limbs in lanes are in u of their packs.
template <class CompiledFor>
void rnea_kernel(const Model& model, const Tree& tree, const Walk& walk, const State& state,
                 const DofVector& a, std::span<const Force<double>> f_ext, Workspace& w,
                 PerDof<double>& x) noexcept {
  // root to leaves: accelerations, and the force each body needs
  const Motion<double> a_world{{}, -model.gravity};
  walk_outward(
      tree, walk.trunk, state, w, [&](int i) __attribute__((always_inline)) {
        const Link& link = tree.links[i];
        double qdd[6];
        accelerations_to_walk(link, w.X_J[i], &a[link.v_index], qdd);
        w.a[i] = plus_to_child(w.c[i], w.X_PB[i], link.parent.valid() ? w.a[link.parent] : a_world);
        for_each_axis(
            link.kind, w, [&](auto axis, int j) __attribute__((always_inline)) {
              move(axis, w.a[i], qdd[j]);
              x[link.dof + j] = link.armature * qdd[j];
            });
        w.f[i] = inertial_force(link.I, w.a[i], w.v[i]);
        if (!f_ext.empty()) w.f[i] -= to_child(link.X_HB, f_ext[i]);
      });
  for (int g = walk.group_count - 1; g >= 0; --g) {
    limbs_inertial_forces(model.lanes, tree, g, state, a, f_ext, w);
  }

  // leaves to root: forces across the joints
  for (int g = 0; g < walk.group_count; ++g) limbs_efforts(model.lanes, tree, g, w);
  for (std::size_t k = walk.trunk.size(); k-- > 0;) {
    const int i = walk.trunk[k];
    const Link& link = tree.links[i];
    for_each_axis(
        link.kind, w, [&](auto axis, int j) __attribute__((always_inline)) {
          x[link.dof + j] += project(axis, w.f[i]);  // RBDA 5.11
        });
    if (link.parent.valid()) w.f[link.parent] += to_parent(w.X_PB[i], w.f[i]);  // RBDA 5.10
  }
}

}  // namespace stance
