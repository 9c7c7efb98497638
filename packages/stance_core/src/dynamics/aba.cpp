// Articulated-body algorithm, RBDA Table 7.1, in kernel frames.
// Differs: joints with several axes are eliminated one axis at a time; armature is added to D; mimic joints are
// tied afterwards (mimic.cpp).
#include "stance_core/dynamics/aba.hpp"

#include "dynamics/mimic.hpp"
#include "stance_core/dynamics/joint_axes.hpp"
#include "stance_core/dynamics/outward_step.hpp"
#include "stance_core/dynamics/walk_vector.hpp"

namespace stance {
namespace {

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

}  // namespace

Status aba(const Model& model, const Tree& tree, const State& state, const DofVector& tau,
           std::span<const Force<double>> f_ext, Workspace& w, DofVector& a) noexcept {
  // pass 1, root to leaves: velocities and bias forces
  for (int k = 0; k < tree.body_count; ++k) {
    const int i = tree.order[k];
    const Link& link = tree.links[i];
    outward_step(tree, state, i, w);
    w.IA[i] = articulated(link.I);
    w.pA[i] = cross(w.v[i], link.I * w.v[i]);  // RBDA 7.38
    if (!f_ext.empty()) w.pA[i] -= to_child(link.X_HB, f_ext[i]);
  }

  // pass 2, leaves to root: articulated inertias
  double bad_D = kMinInertia;
  for (int k = tree.body_count - 1; k >= 0; --k) {
    const int i = tree.order[k];
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
  PerDof<double> x;
  const Motion<double> a_world{{}, -model.gravity};
  for (int k = 0; k < tree.body_count; ++k) {
    const int i = tree.order[k];
    const Link& link = tree.links[i];
    w.a[i] = to_child(w.X_PB[i], link.parent.valid() ? w.a[link.parent] : a_world) + w.c[i];
    for_each_axis_backwards(link.kind, w, [&](auto axis, int j) {
      const int d = link.dof + j;
      x[d] = accelerate(axis, w.U[d], w.D_inverse[d], w.u[d], w.a[i]);
    });
  }

  if (model.mimic_count > 0) {
    const auto solve = [&](const PerDof<double>& b, PerDof<double>& y) {
      aba_solve(tree, w, b, y);
    };
    if (const Status status = tie_mimics(model, tree, solve, w, x); status != Status::kOk)
      return status;
    carry_accelerations(model, tree, x, w);
  }
  return accelerations_out(tree, w, x, a);
}

void aba_solve(const Tree& tree, Workspace& w, const PerDof<double>& b,
               PerDof<double>& x) noexcept {
  PerBody<Force<double>> p{};
  for (int k = tree.body_count - 1; k >= 0; --k) {
    const int i = tree.order[k];
    const Link& link = tree.links[i];
    for_each_axis(link.kind, w, [&](auto axis, int j) {
      const int d = link.dof + j;
      x[d] = b[d] - project(axis, p[i]);
      p[i] += w.U[d] * (w.D_inverse[d] * x[d]);
    });
    if (link.parent.valid()) p[link.parent] += to_parent(w.X_PB[i], p[i]);
  }
  PerBody<Motion<double>> a;
  for (int k = 0; k < tree.body_count; ++k) {
    const int i = tree.order[k];
    const Link& link = tree.links[i];
    a[i] = link.parent.valid() ? to_child(w.X_PB[i], a[link.parent]) : Motion<double>{};
    for_each_axis_backwards(link.kind, w, [&](auto axis, int j) {
      const int d = link.dof + j;
      x[d] = accelerate(axis, w.U[d], w.D_inverse[d], x[d], a[i]);
    });
  }
}

}  // namespace stance
