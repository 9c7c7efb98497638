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

// One axis of pass 2: U, D, u, and the articulated inertia and bias force with the axis set free.
template <class Axis, class T>
STANCE_INLINE T eliminate(const Axis& axis, const T& tau, const T& armature,
                          ArticulatedInertia<T>& IA, Force<T>& pA, Force<T>& U, T& D_inverse,
                          T& u) {
  U = column(axis, IA);                     // RBDA 7.43
  const T D = project(axis, U) + armature;  // RBDA 7.44
  D_inverse = T(1) / D;
  u = tau - project(axis, pA);       // RBDA 7.45
  subtract_outer(IA, U, D_inverse);  // RBDA 7.47
  pA += U * (D_inverse * u);         // RBDA 7.48, without its term Ia c
  return D;
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
  double smallest_D = kMinInertia;
  for (int k = tree.body_count - 1; k >= 0; --k) {
    const int i = tree.order[k];
    const Link& link = tree.links[i];
    // local copies: the compiler then knows that nothing else points at them
    ArticulatedInertia<double> Ia = w.IA[i];
    Force<double> pa = w.pA[i];
    double tau_walk[6];
    efforts_to_walk(link, w.X_J[i], &tau[link.v_index], tau_walk);
    for_each_axis(link.kind, w, [&](auto axis, int j) {
      const int d = link.dof + j;
      Force<double> U;
      double D_inverse, u;
      const double D = eliminate(axis, tau_walk[j], link.armature, Ia, pa, U, D_inverse, u);
      w.U[d] = U, w.D_inverse[d] = D_inverse, w.u[d] = u;
      if (!(D >= smallest_D)) smallest_D = D;
    });
    if (link.parent.valid()) {
      const Transform<double> X_PB = w.X_PB[i];
      w.pA[link.parent] += to_parent(X_PB, pa + Ia * w.c[i]);
      w.IA[link.parent] += to_parent(X_PB, Ia);
    }
  }
  if (!(smallest_D >= kMinInertia)) {
    return smallest_D < kMinInertia ? Status::kSingularInertia : Status::kNonFinite;
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
