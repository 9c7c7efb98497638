// Articulated-body algorithm, RBDA Table 7.1, in kernel frames. The text; aba.hpp says what it does, and processor
// files compile it.
// Differs: joints with several axes are eliminated one axis at a time; armature is added to D; limbs run in lanes, the
// trunk body by body.
#pragma once

#include "dynamics/limb_walk.hpp"
#include "stance_core/base/status.hpp"
#include "stance_core/dynamics/joint_axes.hpp"
#include "stance_core/dynamics/walk_vector.hpp"

namespace stance {

// One axis of pass 2: U, D and u. Returns D.
template <class Axis, class T>
STANCE_INLINE T axis_terms(const Axis& axis, const T& tau, const T& armature,
                           const ArticulatedInertia<T>& IA, const Force<T>& pA, Force<T>& U,
                           T& D_inverse, T& u) {
  U = column(axis, IA);                     // RBDA 7.43
  const T D = project(axis, U) + armature;  // RBDA 7.44
  D_inverse = T(1) / D;
  u = tau - project(axis, pA);  // RBDA 7.45
  return D;
}

// The first D that no sound robot has is the one to report: those after it follow from it, NaN mostly.
STANCE_INLINE void check(double D, double& bad_D) {
  if (!(D >= kMinInertia) && bad_D >= kMinInertia) [[unlikely]]
    bad_D = D;
}

// The six axes of a free joint at once, IA = L D Lᵀ: U of an axis is what the axes before it have left of its column,
// so it begins with zeros. Nothing is left of IA after the last.
STANCE_INLINE void free_terms(const double* tau, const ArticulatedInertia<double>& IA,
                              const Force<double>& pA, Force<double>* U, double* D_inverse,
                              double* u, double& bad_D) {
  const auto& [I, H, M] = IA;
  double A[6][6] = {{I.xx, I.xy, I.xz, H.a.x, H.b.x, H.c.x},
                    {0, I.yy, I.yz, H.a.y, H.b.y, H.c.y},
                    {0, 0, I.zz, H.a.z, H.b.z, H.c.z},
                    {0, 0, 0, M.xx, M.xy, M.xz},
                    {0, 0, 0, 0, M.yy, M.yz},
                    {0, 0, 0, 0, 0, M.zz}};
  double p[6] = {pA.n.x, pA.n.y, pA.n.z, pA.f.x, pA.f.y, pA.f.z};
  for (int j = 0; j < 6; ++j) {
    check(A[j][j], bad_D);
    D_inverse[j] = 1 / A[j][j];
    u[j] = tau[j] - p[j];
    U[j] = {{A[j][0], A[j][1], A[j][2]}, {A[j][3], A[j][4], A[j][5]}};
    for (int i = j + 1; i < 6; ++i) {
      const double l = A[j][i] * D_inverse[j];
      p[i] += l * u[j];
      for (int r = i; r < 6; ++r) A[i][r] -= l * A[j][r];
    }
  }
}

// One axis of pass 3: its acceleration, and a with it. RBDA 7.51, 7.52
template <class Axis, class T>
STANCE_INLINE T accelerate(const Axis& axis, const Force<T>& U, const T& D_inverse, const T& u,
                           Motion<T>& a) {
  const T qdd = (u - dot(U, a)) * D_inverse;
  move(axis, a, qdd);
  return qdd;
}

// Pass 1 of a group of limbs, root to tips: velocities and bias forces.
STANCE_INLINE void limbs_outward(const LanePlan& plan, const Tree& tree, int g, const State& state,
                                 std::span<const Force<double>> f_ext, Workspace& w) {
  const LimbGroup& group = tree.lanes.groups[g];
  Motion<LimbLanes> v = gather<kLimbLanes>(w.v.data(), group.parent.data());
  for (int k = 0; k < group.pack_count; ++k) {
    const LimbPack& pack = plan.packs[group.first_pack + k];
    PackScratch& s = w.packs[group.first_scratch + k];
    limb_outward_step(pack, tree, g, k, state, s, v);
    s.pA = cross(v, pack.I * v);  // RBDA 7.38
    if (f_ext.empty() && !pack.carries_limbs) [[likely]]
      continue;
    for_each_limb(
        tree, g, pack, [&](int lane, BodyId i) __attribute__((always_inline)) {
          if (!f_ext.empty()) {
            set_lane(lane, get_lane(lane, s.pA) - to_child(tree.links[i].X_HB, f_ext[i]), s.pA);
          }
          if (pack.carries_limbs) w.v[i] = get_lane(lane, v), w.IA[i] = {}, w.pA[i] = {};
        });
  }
}

// Pass 2, tips to root: articulated inertias. False where a D is none that a sound robot has.
STANCE_INLINE bool limbs_inward(const LanePlan& plan, const Tree& tree, int g, const DofVector& tau,
                                Workspace& w) {
  const LimbGroup& group = tree.lanes.groups[g];
  bool sound = true;
  const int tip = group.pack_count - 1;
  ArticulatedInertia<LimbLanes> IA = articulated(plan.packs[group.first_pack + tip].I);
  Force<LimbLanes> pa = w.packs[group.first_scratch + tip].pA;
  for (int k = tip; k >= 0; --k) {
    const LimbPack& pack = plan.packs[group.first_pack + k];
    PackScratch& s = w.packs[group.first_scratch + k];
    if (k < tip) IA += articulated(pack.I), pa += s.pA;
    if (pack.carries_limbs) {
      for_each_limb(
          tree, g, pack, [&](int lane, BodyId i) __attribute__((always_inline)) {
            ArticulatedInertia<double> I = get_lane(lane, IA);
            I += w.IA[i];
            set_lane(lane, I, IA);
            set_lane(lane, get_lane(lane, pa) + w.pA[i], pa);
          });
    }
    Force<LimbLanes> U;
    LimbLanes D_inverse, u;
    const LimbLanes D = axis_terms(UnitAxis<2>{},
                                   gather<kLimbLanes>(tau.data(), pack.v_index.data()) * pack.sign,
                                   pack.armature, IA, pa, U, D_inverse, u);
    s.U = U, s.D_inverse = D_inverse, s.u = u;
    sound &= all_at_least(D, kMinInertia);
    pa += U * (D_inverse * u);  // RBDA 7.48
    const Transform<LimbLanes>& X_PB = s.X_PB;
    if (!pack.has_armature) {
      const HingedInertia<LimbLanes> Ia = without_z(IA, U, D_inverse);  // RBDA 7.47
      pa = to_parent(X_PB, pa + Ia * s.c);
      IA = to_parent(X_PB, Ia);
    } else {
      subtract_outer(IA, U, D_inverse);
      pa = to_parent(X_PB, pa + IA * s.c);
      IA = to_parent(X_PB, IA);
    }
  }
  for_each_limb(
      tree, g, plan.packs[group.first_pack], [&](int lane, BodyId) __attribute__((always_inline)) {
        w.IA[group.parent[lane]] += get_lane(lane, IA);
        w.pA[group.parent[lane]] += get_lane(lane, pa);
      });
  return sound;
}

// Pass 3, root to tips: accelerations. Returns a number that is not zero if one of them is not finite.
STANCE_INLINE LimbLanes limbs_accelerate(const LanePlan& plan, const Tree& tree, int g,
                                         Workspace& w) {
  const LimbGroup& group = tree.lanes.groups[g];
  Motion<LimbLanes> a = gather<kLimbLanes>(w.a.data(), group.parent.data());
  LimbLanes zero(0);
  for (int k = 0; k < group.pack_count; ++k) {
    const LimbPack& pack = plan.packs[group.first_pack + k];
    PackScratch& s = w.packs[group.first_scratch + k];
    a = to_child(s.X_PB, a) + s.c;
    s.u = accelerate(UnitAxis<2>{}, s.U, s.D_inverse, s.u, a);
    zero += s.u * LimbLanes(0);
    if (pack.carries_limbs) {
      for_each_limb(
          tree, g, pack, [&](int lane, BodyId i) __attribute__((always_inline)) {
            w.a[i] = get_lane(lane, a);
          });
    }
  }
  return zero;
}

// x: accelerations of the trunk, in walking order. Those of the limbs in lanes are in u of their packs.
template <class CompiledFor>
Status aba_kernel(const Model& model, const Tree& tree, const Walk& walk, const State& state,
                  const DofVector& tau, std::span<const Force<double>> f_ext, Workspace& w,
                  PerDof<double>& x) noexcept {
  // pass 1, root to leaves: velocities and bias forces
  for (const int i : walk.trunk) {
    const Link& link = tree.links[i];
    outward_step(tree, state, i, w);
    w.IA[i] = articulated(link.I);
    w.pA[i] = cross(w.v[i], link.I * w.v[i]);  // RBDA 7.38
    if (!f_ext.empty()) w.pA[i] -= to_child(link.X_HB, f_ext[i]);
  }
  for (int g = walk.group_count - 1; g >= 0; --g) {
    limbs_outward(model.lanes, tree, g, state, f_ext, w);
  }

  // pass 2, leaves to root: articulated inertias
  for (int g = 0; g < walk.group_count; ++g) {
    if (!limbs_inward(model.lanes, tree, g, tau, w)) return Status::kSingularInertia;
  }
  double bad_D = kMinInertia;
  for (std::size_t k = walk.trunk.size(); k-- > 0;) {
    const int i = walk.trunk[k];
    const Link& link = tree.links[i];
    // local copies: the compiler then knows that nothing else points at them
    ArticulatedInertia<double> IA = w.IA[i];
    Force<double> pa = w.pA[i];
    double tau_walk[6];
    efforts_to_walk(link, w.X_J[i], &tau[link.v_index], tau_walk);
    // to the parent, the term Ia c of RBDA 7.48 included
    const auto carry = [&](const auto& Ia) __attribute__((always_inline)) {
      if (!link.parent.valid()) return;
      const Transform<double> X_PB = w.X_PB[i];
      w.pA[link.parent] += to_parent(X_PB, pa + Ia * w.c[i]);
      w.IA[link.parent] += to_parent(X_PB, Ia);
    };
    const auto eliminate = [&](auto axis, int j) __attribute__((always_inline)) {
      const int d = link.dof + j;
      Force<double> U;
      double D_inverse, u;
      const double D = axis_terms(axis, tau_walk[j], link.armature, IA, pa, U, D_inverse, u);
      w.U[d] = U, w.D_inverse[d] = D_inverse, w.u[d] = u;
      check(D, bad_D);
      pa += U * (D_inverse * u);  // RBDA 7.48, without its term Ia c
    };
    if (link.kind == JointKind::kRevolute && link.armature == 0) {
      eliminate(UnitAxis<2>{}, 0);
      carry(without_z(IA, w.U[link.dof], w.D_inverse[link.dof]));  // RBDA 7.47
    } else if (link.kind == JointKind::kFree && !link.parent.valid()) {
      const int d = link.dof;
      free_terms(tau_walk, IA, pa, &w.U[d], &w.D_inverse[d], &w.u[d], bad_D);
    } else {
      for_each_axis(
          link.kind, w, [&](auto axis, int j) __attribute__((always_inline)) {
            eliminate(axis, j);
            subtract_outer(IA, w.U[link.dof + j], w.D_inverse[link.dof + j]);  // RBDA 7.47
          });
      carry(IA);
    }
  }
  if (!(bad_D >= kMinInertia)) {
    return bad_D < kMinInertia ? Status::kSingularInertia : Status::kNonFinite;
  }

  // pass 3, root to leaves: accelerations. Gravity is an acceleration of the world upwards.
  const Motion<double> a_world{{}, -model.gravity};
  for (const int i : walk.trunk) {
    const Link& link = tree.links[i];
    w.a[i] = to_child(w.X_PB[i], link.parent.valid() ? w.a[link.parent] : a_world) + w.c[i];
    for_each_axis_backwards(link.kind, w, [&](auto axis, int j) {
      const int d = link.dof + j;
      x[d] = accelerate(axis, w.U[d], w.D_inverse[d], w.u[d], w.a[i]);
    });
  }

  LimbLanes zero(0);
  for (int g = walk.group_count - 1; g >= 0; --g) {
    zero += limbs_accelerate(model.lanes, tree, g, w);
  }
  return is_zero(zero) ? Status::kOk : Status::kNonFinite;
}

}  // namespace stance
