// Articulated-body algorithm, RBDA Table 7.1, in kernel frames. The text; aba.hpp says what it does, and processor
// files compile it.
// Differs: joints with several axes are eliminated one axis at a time; armature is added to D; L = U D⁻¹ is kept instead
// of U; the root's joint is a small system solved backwards; limbs run in lanes, the trunk body by body.
#pragma once

#include "dynamics/gear_walk.hpp"
#include "dynamics/limb_walk.hpp"
#include "stance_core/base/status.hpp"
#include "stance_core/dynamics/joint_axes.hpp"
#include "stance_core/dynamics/walk_vector.hpp"
#include "stance_core/spatial/inertia_rows.hpp"

namespace stance {

// One axis of pass 2. U and D serve only here; what is kept is L = U D⁻¹ and D⁻¹ u.
template <class T>
struct AxisTerms {
  Force<T> U, L;
  T D, D_inverse, u;
};

template <class Axis, class T>
STANCE_INLINE AxisTerms<T> axis_terms(const Axis& axis, const T& tau, const T& armature,
                                      const ArticulatedInertia<T>& IA, const Force<T>& pA) {
  AxisTerms<T> t;
  t.U = column(axis, IA);               // RBDA 7.43
  t.D = project(axis, t.U) + armature;  // RBDA 7.44
  t.D_inverse = T(1) / t.D;
  t.L = t.U * t.D_inverse;
  t.u = tau - project(axis, pA);  // RBDA 7.45
  return t;
}

// The first D that no sound robot has is the one to report: those after it follow from it, NaN mostly.
STANCE_INLINE void check(double D, double& bad_D) {
  if (!(D >= kMinInertia) && bad_D >= kMinInertia) [[unlikely]]
    bad_D = D;
}

// One axis of pass 3: its acceleration, and a with it. RBDA 7.51, 7.52. The angular part of a is known first.
template <class Axis, class T>
STANCE_INLINE T accelerate(const Axis& axis, const Force<T>& L, const T& u, Motion<T>& a) {
  const T qdd = minus_dot(minus_dot(u, L.n, a.w), L.f, a.v);
  move(axis, a, qdd);
  return qdd;
}

// ---- the root. No body is above it, so nothing needs to be left of IA: all axes of its joint are eliminated at once,
// in the rows of its free axes alone, and pass 3 is a back-substitution. The axes are Count of the six, from First on.

template <int First, int Count>
struct AxisRange {};

template <class F>
STANCE_INLINE void with_root_axes(JointKind kind, const Workspace& w, F&& f) {
  switch (kind) {
    case JointKind::kFixed: break;
    case JointKind::kRevolute: f(AxisRange<2, 1>{}); break;
    case JointKind::kPrismatic: f(AxisRange<5, 1>{}); break;
    case JointKind::kBall: f(AxisRange<0, 3>{}); break;
    case JointKind::kPlanar: f(AxisRange<2, 3>{}); break;
    case JointKind::kFree: f(AxisRange<0, 6>{}); break;
    case JointKind::kRoll: f(GeneralAxis{w.S_roll}); break;
  }
}

// L of an axis has zeros for the axes before it. All loops are short and end up as straight code, if g++ is told so.
template <int First, int Count>
STANCE_INLINE void root_terms(AxisRange<First, Count>, const double* tau,
                              const ArticulatedInertia<double>& IA, const Force<double>& pA,
                              double* D_inverse, Force<double>* L, double* u, double& bad_D) {
  constexpr int kEnd = First + Count;
  const auto& [I, H, M] = IA;
  double A[6][6] = {
      {I.xx, I.xy, I.xz, H.a.x, H.b.x, H.c.x}, {I.xy, I.yy, I.yz, H.a.y, H.b.y, H.c.y},
      {I.xz, I.yz, I.zz, H.a.z, H.b.z, H.c.z}, {H.a.x, H.a.y, H.a.z, M.xx, M.xy, M.xz},
      {H.b.x, H.b.y, H.b.z, M.xy, M.yy, M.yz}, {H.c.x, H.c.y, H.c.z, M.xz, M.yz, M.zz}};
  double p[6] = {pA.n.x, pA.n.y, pA.n.z, pA.f.x, pA.f.y, pA.f.z};
#pragma GCC unroll 6
  for (int j = First; j < kEnd; ++j) {
    const int d = j - First;
    check(A[j][j], bad_D);
    const double k = 1 / A[j][j], u_j = tau[d] - p[j];
    double l[6];
#pragma GCC unroll 6
    for (int r = 0; r < 6; ++r) l[r] = First <= r && r < j ? 0 : A[j][r] * k;
#pragma GCC unroll 6
    for (int i = j + 1; i < kEnd; ++i) {
      p[i] += l[i] * u_j;
#pragma GCC unroll 6
      for (int r = 0; r < 6; ++r) {
        if (r < First || r >= i) A[i][r] -= l[i] * A[j][r];
      }
    }
    D_inverse[d] = k;
    L[d] = {{l[0], l[1], l[2]}, {l[3], l[4], l[5]}};
    u[d] = u_j * k;
  }
}
STANCE_INLINE void root_terms(const GeneralAxis& axis, const double* tau,
                              const ArticulatedInertia<double>& IA, const Force<double>& pA,
                              double* D_inverse, Force<double>* L, double* u, double& bad_D) {
  const AxisTerms<double> t = axis_terms(axis, *tau, 0.0, IA, pA);
  check(t.D, bad_D);
  *D_inverse = t.D_inverse, *L = t.L, *u = t.u * t.D_inverse;
}

// x: what the joint adds to a, which comes as if the joint stood still. What a is along the free axes does not depend
// on how it came: Lᵀ a = D⁻¹ u.
template <int First, int Count>
STANCE_INLINE void root_accelerate(AxisRange<First, Count>, const Force<double>* L, const double* u,
                                   Motion<double>& a, double* x) {
  constexpr int kEnd = First + Count;
  double m[6] = {a.w.x, a.w.y, a.w.z, a.v.x, a.v.y, a.v.z};
  double l[Count][6], s[Count];
  for (int d = 0; d < Count; ++d) {
    const auto& [n, f] = L[d];
    const double row[6] = {n.x, n.y, n.z, f.x, f.y, f.z};
    s[d] = u[d];
    for (int r = 0; r < 6; ++r) {
      l[d][r] = row[r];
      if (r < First || r >= kEnd) s[d] -= row[r] * m[r];
    }
  }
  for (int j = kEnd - 1; j >= First; --j) {
    const int d = j - First;
    for (int e = 0; e < d; ++e) s[e] -= l[e][j] * s[d];
    x[d] = s[d] - m[j];
    m[j] = s[d];
  }
  a = {{m[0], m[1], m[2]}, {m[3], m[4], m[5]}};
}
STANCE_INLINE void root_accelerate(const GeneralAxis& axis, const Force<double>* L, const double* u,
                                   Motion<double>& a, double* x) {
  *x = accelerate(axis, *L, *u, a);
}

// Pass 2 of the root.
STANCE_INLINE void root_inward(const Tree& tree, int root, const DofVector& tau,
                               const ArticulatedInertia<double>& IA, const Force<double>& pA,
                               Workspace& w, double& bad_D) {
  const Link& link = tree.links[root];
  const int d = link.dof;
  w.pA_root = pA;
  double tau_walk[6];
  efforts_to_walk(link, w.X_J[root], &tau[link.v_index], tau_walk);
  with_root_axes(
      link.kind, w, [&](auto axes) __attribute__((always_inline)) {
        root_terms(axes, tau_walk, IA, pA, &w.D_inverse[d], &w.L[d], &w.u[d], bad_D);
      });
}

// Pass 3 of the root. Gravity is an acceleration of the world upwards.
STANCE_INLINE void root_outward(const Tree& tree, int root, const Vec3<double>& gravity,
                                Workspace& w, PerDof<double>& x) {
  const Link& link = tree.links[root];
  const int d = link.dof;
  Motion<double> a = to_child(w.X_PB[root], Motion<double>{{}, -gravity}) + w.c[root];
  with_root_axes(
      link.kind, w, [&](auto axes) __attribute__((always_inline)) {
        root_accelerate(axes, &w.L[d], &w.u[d], a, &x[d]);
      });
  w.a[root] = a;
}

// Pass 1 of a group of limbs, root to tips: velocities and bias forces.
template <bool kGeared>
STANCE_INLINE void limbs_outward(const Model& model, const Tree& tree, int g, const State& state,
                                 std::span<const Force<double>> f_ext, Workspace& w) {
  const LanePlan& plan = model.lanes;
  const LimbGroup& group = tree.lanes.groups[g];
  Motion<LimbLanes> v = gather<kLimbLanes>(w.v.data(), group.parent.data());
  for (int k = 0; k < group.pack_count; ++k) {
    const LimbPack& pack = plan.packs[group.first_pack + k];
    PackScratch& s = w.packs[group.first_scratch + k];
    limb_outward_step(pack, tree, g, k, state, s, v);
    s.pA = cross(v, pack.I * v);  // RBDA 7.38
    if constexpr (kGeared) limbs_meet_gears(model, tree, g, pack, w);
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
template <bool kGeared>
STANCE_INLINE bool limbs_inward(const Model& model, const Tree& tree, int g, const DofVector& tau,
                                Workspace& w) {
  const LanePlan& plan = model.lanes;
  const LimbGroup& group = tree.lanes.groups[g];
  bool sound = true;
  const int tip = group.pack_count - 1;
  ArticulatedInertia<LimbLanes> IA = articulated(plan.packs[group.first_pack + tip].I);
  Force<LimbLanes> pa = w.packs[group.first_scratch + tip].pA;
  OpenGears open;
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
    const LimbLanes tau_walk = gather<kLimbLanes>(tau.data(), pack.v_index.data()) * pack.sign;
    if constexpr (kGeared) {
      if (pack.gathers) sound &= limbs_eliminate_gears(tree, g, pack, w, open, IA, pa);
    }
    auto t = axis_terms(UnitAxis<2>{}, tau_walk, pack.armature, IA, pa);
    const bool some_geared = kGeared && pack.has_gears;
    if (some_geared) {
      limbs_gear_inward(pack, t.U, tau_walk, s.c, pa, open);
      open.Q = to_parent(s.X_PB, open.Q);
      limbs_end_gears(model, tree, g, k, pack, w, open);
      t.D = t.D * pack.free +
            (LimbLanes(1) - pack.free);  // what is not eliminated leaves all of IA
      t.D_inverse = pack.free / t.D;
      t.L = t.U * t.D_inverse;
    }
    s.L = t.L, s.u = t.u * t.D_inverse;
    sound &= all_at_least(t.D, kMinInertia);
    pa += t.L * t.u;  // RBDA 7.48
    const Transform<LimbLanes>& X_PB = s.X_PB;
    if (!pack.has_armature && !some_geared) {
      const HingedInertia<LimbLanes> Ia = without_z(IA, t.L, t.U);  // RBDA 7.47
      pa = to_parent(X_PB, plus_times(pa, Ia, s.c));                // RBDA 7.48
      IA = to_parent(X_PB, Ia);
    } else {
      subtract_outer(IA, t.L, t.U);
      pa = to_parent(X_PB, pa + IA * s.c);
      IA = to_parent(X_PB, IA);
    }
  }
  if (tree.lanes.one_parent[g]) {
    const LimbLanes& weight = tree.lanes.weight[g];
    w.IA[group.parent[0]] += sum_lanes(IA, weight);
    w.pA[group.parent[0]] += sum_lanes(pa, weight);
    return sound;
  }
  for_each_limb(
      tree, g, plan.packs[group.first_pack], [&](int lane, BodyId) __attribute__((always_inline)) {
        w.IA[group.parent[lane]] += get_lane(lane, IA);
        w.pA[group.parent[lane]] += get_lane(lane, pa);
      });
  return sound;
}

// Pass 3, root to tips: accelerations. Returns a number that is not zero if one of them is not finite.
template <bool kGeared>
STANCE_INLINE LimbLanes limbs_accelerate(const LanePlan& plan, const Tree& tree, int g,
                                         Workspace& w) {
  const LimbGroup& group = tree.lanes.groups[g];
  Motion<LimbLanes> a = gather<kLimbLanes>(w.a.data(), group.parent.data());
  LimbLanes zero(0);
  for (int k = 0; k < group.pack_count; ++k) {
    const LimbPack& pack = plan.packs[group.first_pack + k];
    PackScratch& s = w.packs[group.first_scratch + k];
    a = plus_to_child(s.c, s.X_PB, a);
    if constexpr (kGeared) {
      if (pack.has_gears) limbs_follow_gears(tree, g, pack, w, s.u);
    }
    s.u = accelerate(UnitAxis<2>{}, s.L, s.u, a);
    zero += s.u * LimbLanes(0);
    if (pack.carries_limbs) {
      for_each_limb(
          tree, g, pack, [&](int lane, BodyId i) __attribute__((always_inline)) {
            w.a[i] = get_lane(lane, a);
          });
    }
    if constexpr (kGeared) {
      if (pack.gathers)
        for_each_limb(
            tree, g, pack, [&](int lane, BodyId i) __attribute__((always_inline)) {
              accelerate_gears(i, get_lane(lane, a), w);
            });
    }
  }
  return zero;
}

// ---- the trunk. Pass 2 of a body i: from the IA and pA of its subtree to what they are for its parent, in pa the term
// Ia c of RBDA 7.48 included.

// Behind a hinge.
template <bool kHasArmature>
STANCE_INLINE void hinge_inward(const Link& link, int i, const DofVector& tau, Workspace& w,
                                InertiaRows& IA, Force<double>& pa, double& bad_D) {
  const int d = link.dof;
  const Lanes<4> U_n = IA.I.z, U_f = IA.H.z;  // RBDA 7.43: the last column of IA
  const double D = kHasArmature ? U_n[2] + link.armature : U_n[2], D_inverse = 1 / D;  // RBDA 7.44
  check(D, bad_D);
  const Force<double> L{entries(U_n * D_inverse), entries(U_f * D_inverse)};
  const double u = link.sign * tau[link.v_index] - pa.n.z;  // RBDA 7.45
  w.D_inverse[d] = D_inverse, w.L[d] = L, w.u[d] = u * D_inverse;
  // RBDA 7.47
  IA.I.x -= U_n * L.n.x, IA.I.y -= U_n * L.n.y;
  IA.H.x -= U_f * L.n.x, IA.H.y -= U_f * L.n.y;
  if constexpr (kHasArmature) IA.I.z -= U_n * L.n.z, IA.H.z -= U_f * L.n.z;  // zero otherwise
  IA.M.x -= U_f * L.f.x, IA.M.y -= U_f * L.f.y, IA.M.z -= U_f * L.f.z;
  // RBDA 7.48, where c of a hinge has no z
  const Motion<double>& c = w.c[i];
  const auto n = [&](const Lanes<4>& I, const Lanes<4>& H) __attribute__((always_inline)) {
    return I[0] * c.w.x + I[1] * c.w.y + H[0] * c.v.x + H[1] * c.v.y;
  };
  pa += L * u;
  pa.n.x += n(IA.I.x, IA.H.x), pa.n.y += n(IA.I.y, IA.H.y);
  if constexpr (kHasArmature) pa.n.z += n(IA.I.z, IA.H.z);
  pa.f += entries(IA.H.x * c.w.x + IA.H.y * c.w.y + IA.M.x * c.v.x + IA.M.y * c.v.y);
  pa = to_parent(w.X_PB[i], pa);
  IA = to_parent<!kHasArmature>(w.X_PB[i], IA);
}

// Behind any other joint. A call, as all kinds together are long.
template <class CompiledFor>
[[gnu::noinline]] void joint_inward(const Link& link, int i, const DofVector& tau, Workspace& w,
                                    InertiaRows& IA, Force<double>& pa, double& bad_D) noexcept {
  if (link.kind == JointKind::kRevolute) return hinge_inward<true>(link, i, tau, w, IA, pa, bad_D);
  ArticulatedInertia<double> Ia = from_rows(IA);
  double tau_walk[6];
  efforts_to_walk(link, w.X_J[i], &tau[link.v_index], tau_walk);
  for_each_axis(
      link.kind, w, [&](auto axis, int j) __attribute__((always_inline)) {
        const int d = link.dof + j;
        const auto t = axis_terms(axis, tau_walk[j], link.armature, Ia, pa);
        check(t.D, bad_D);
        w.D_inverse[d] = t.D_inverse, w.L[d] = t.L, w.u[d] = t.u * t.D_inverse;
        pa += t.L * t.u;
        subtract_outer(Ia, t.L, t.U);  // RBDA 7.47
      });
  pa = to_parent(w.X_PB[i], pa + Ia * w.c[i]);
  IA = rows(to_parent(w.X_PB[i], Ia));
}

// At a body that is behind a joint of a gear, or where gears meet: what they take of IA and pa. True if the joint is of
// a gear, and crossed.
template <class CompiledFor>
[[gnu::noinline]] bool geared_inward(const Model& model, const Tree& tree, int i,
                                     const DofVector& tau, Workspace& w, InertiaRows& IA,
                                     Force<double>& pa, double& bad_D) noexcept {
  ArticulatedInertia<double> Ia = from_rows(IA);
  if (!eliminate_gears(i, Ia, pa, w)) bad_D = 0;
  const Link& link = tree.links[i];
  const bool geared = gear_of(model, link) >= 0;
  if (geared) {
    for_each_axis(link.kind, w, [&](auto axis, int) {
      gear_inward(axis, model, tree, i, link.sign * tau[link.v_index], w, Ia, pa);
    });
  }
  IA = rows(Ia);
  return geared;
}

// x: accelerations of the trunk, in walking order. Those of the limbs in lanes are in u of their packs.
// kGeared: with the gears of the model, which must be joined; their joints' L, u and D_inverse are not written.
template <class CompiledFor, bool kGeared>
Status aba_kernel(const Model& model, const Tree& tree, const Walk& walk, const State& state,
                  const DofVector& tau, std::span<const Force<double>> f_ext, Workspace& w,
                  PerDof<double>& x) noexcept {
  // pass 1, root to leaves: velocities and bias forces
  if constexpr (kGeared) forget_gears(model, w);
  walk_outward(
      tree, walk.trunk, state, w, [&](int i) __attribute__((always_inline)) {
        const Link& link = tree.links[i];
        if constexpr (kGeared) expect_gears(i, w), meet_gear(model, tree, link, w);
        if (walk.branches[i]) w.IA[i] = articulated(link.I);
        w.pA[i] = cross(w.v[i], link.I * w.v[i]);  // RBDA 7.38
        if (!f_ext.empty()) w.pA[i] -= to_child(link.X_HB, f_ext[i]);
      });
  for (int g = walk.group_count - 1; g >= 0; --g) {
    limbs_outward<kGeared>(model, tree, g, state, f_ext, w);
  }

  // pass 2, leaves to root: articulated inertias
  for (int g = 0; g < walk.group_count; ++g) {
    if (!limbs_inward<kGeared>(model, tree, g, tau, w)) return Status::kSingularInertia;
  }
  double bad_D = kMinInertia;
  const auto add_own = [&](int i, InertiaRows& IA) __attribute__((always_inline)) {
    if (walk.branches[i]) {
      IA += rows(w.IA[i]);
    } else {
      add(tree.links[i].I, IA);
    }
  };
  InertiaRows IA{};
  add_own(walk.trunk.back(), IA);
  Force<double> pa = w.pA[walk.trunk.back()];
  for (std::size_t k = walk.trunk.size() - 1; k > 0; --k) {
    const int i = walk.trunk[k];
    const Link& link = tree.links[i];
    bool crossed = false;
    if constexpr (kGeared) {
      if (w.first_gear[i] >= 0 || gear_of(model, link) >= 0) {
        InertiaRows IA_copy = IA;
        Force<double> pa_copy = pa;
        double bad_D_copy = bad_D;
        crossed = geared_inward<CompiledFor>(model, tree, i, tau, w, IA_copy, pa_copy, bad_D_copy);
        IA = IA_copy, pa = pa_copy, bad_D = bad_D_copy;
      }
    }
    if (crossed) {
    } else if (link.kind == JointKind::kRevolute && link.armature == 0) {
      hinge_inward<false>(link, i, tau, w, IA, pa, bad_D);
    } else {
      // copies: what a call can reach is kept in memory all along
      InertiaRows IA_copy = IA;
      Force<double> pa_copy = pa;
      double bad_D_copy = bad_D;
      joint_inward<CompiledFor>(link, i, tau, w, IA_copy, pa_copy, bad_D_copy);
      IA = IA_copy, pa = pa_copy, bad_D = bad_D_copy;
    }
    // a chain is followed without a detour through the workspace
    const BodyId next = walk.trunk[k - 1];
    if (next == link.parent) {
      add_own(next, IA), pa += w.pA[next];
    } else {
      w.IA[link.parent] += from_rows(IA), w.pA[link.parent] += pa;
      IA = {}, add_own(next, IA), pa = w.pA[next];
    }
  }
  ArticulatedInertia<double>& IA_root = w.IA_root;
  IA_root = walk.trunk.size() > 1 ? from_rows(IA) : w.IA[walk.trunk[0]];
  if constexpr (kGeared) {
    if (!eliminate_gears(walk.trunk[0], IA_root, pa, w)) bad_D = 0;
  }
  root_inward(tree, walk.trunk[0], tau, IA_root, pa, w, bad_D);
  if (!(bad_D >= kMinInertia)) {
    return bad_D < kMinInertia ? Status::kSingularInertia : Status::kNonFinite;
  }

  // pass 3, root to leaves: accelerations
  root_outward(tree, walk.trunk[0], model.gravity, w, x);
  Motion<double> a = w.a[walk.trunk[0]];
  if constexpr (kGeared) accelerate_gears(walk.trunk[0], a, w);
  for (std::size_t k = 1; k < walk.trunk.size(); ++k) {
    const BodyId i = walk.trunk[k];
    const Link& link = tree.links[i];
    if (link.parent != walk.trunk[k - 1]) a = w.a[link.parent];
    a = plus_to_child(w.c[i], w.X_PB[i], a);
    const int gear = kGeared ? gear_of(model, link) : -1;
    for_each_axis_backwards(
        link.kind, w, [&](auto axis, int j) __attribute__((always_inline)) {
          const int d = link.dof + j;
          if (kGeared && gear >= 0) {
            x[d] = gear_ratio(model, link) * w.gears[gear].y;
            move(axis, a, x[d]);
          } else {
            x[d] = accelerate(axis, w.L[d], w.u[d], a);
          }
        });
    w.a[i] = a;
    if constexpr (kGeared) accelerate_gears(i, a, w);
  }

  LimbLanes zero(0);
  for (int g = walk.group_count - 1; g >= 0; --g) {
    zero += limbs_accelerate<kGeared>(model.lanes, tree, g, w);
  }
  return is_zero(zero) ? Status::kOk : Status::kNonFinite;
}

}  // namespace stance
