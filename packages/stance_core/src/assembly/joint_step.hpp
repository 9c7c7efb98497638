// What assembly and disassembly share: where the numbers of a side are, and a joint's axes one after the other.
#pragma once

#include "assembly/matrix6.hpp"
#include "dynamics/aba_kernel.hpp"
#include "stance_core/assembly/assemble.hpp"

namespace stance {

// An articulated inertia that is no sound one: a pivot has lost this much of what it was summed from.
inline constexpr double kMinPivot = 1e-14;

STANCE_INLINE const InertiaForm& inertia_form(const Side& side,
                                              const AssemblyMemory& memory) noexcept {
  return side.kind == Side::kLink ? memory.link[side.index] : memory.inertia[side.index];
}

// A subchain in response form. The world has no handles.
struct Response {
  int count = 0;
  const BodyId* handle = nullptr;
  Matrix6* blocks = nullptr;
  Column6* a0 = nullptr;

  STANCE_INLINE bool is_world() const noexcept { return count == 0; }
  STANCE_INLINE Matrix6& block(int h, int k) const noexcept { return blocks[h * count + k]; }
  STANCE_INLINE int find(BodyId body) const noexcept {
    for (int h = 0; h < count; ++h) {
      if (handle[h] == body) return h;
    }
    return -1;
  }
};

STANCE_INLINE Response result(const PlanNode& node, const Plan& plan,
                              AssemblyMemory& memory) noexcept {
  return {node.handle_count, plan.handles.data() + node.first_handle,
          memory.Lambda.data() + node.first_block, memory.a0.data() + node.first_handle};
}

STANCE_INLINE Response response(const Side& side, const Plan& plan,
                                AssemblyMemory& memory) noexcept {
  if (side.kind == Side::kWorld) return {};
  return result(plan.nodes[side.index], plan, memory);
}

// (7), one axis after the other, which is Gaussian elimination of the same block: closed becomes Ia and pa + Ia v, and
// L = U D⁻¹, D⁻¹ and D⁻¹ u go into the workspace. `sign` is -1 where the side is that of the joint's parent.
STANCE_INLINE void eliminate(const Tree& tree, int i, double sign, const DofVector& tau,
                             Workspace& w, InertiaForm& closed, double& bad_D) noexcept {
  const Link& link = tree.links[i];
  double tau_walk[6];
  efforts_to_walk(link, w.X_J[i], &tau[link.v_index], tau_walk);
  for_each_axis(
      link.kind, w, [&](auto axis, int j) __attribute__((always_inline)) {
        const int d = link.dof + j;
        const auto t = axis_terms(axis, sign * tau_walk[j], link.armature, closed.IA, closed.pA);
        check(t.D, bad_D);
        w.D_inverse[d] = t.D_inverse, w.L[d] = t.L, w.u[d] = t.u * t.D_inverse;
        closed.pA += t.L * t.u;
        subtract_outer(closed.IA, t.L, t.U);
      });
  closed.pA += closed.IA * (w.c[i] * sign);
}

// a becomes T a + S D⁻¹ u for this D⁻¹ u, and qdd the joint's accelerations.
STANCE_INLINE void transmit(const Tree& tree, int i, const Workspace& w, Motion<double>& a,
                            const double* u, double* qdd) noexcept {
  const Link& link = tree.links[i];
  for_each_axis_backwards(
      link.kind, w, [&](auto axis, int j) __attribute__((always_inline)) {
        qdd[j] = accelerate(axis, w.L[link.dof + j], u[j], a);
      });
}

// What a force on the side that was eliminated adds to D⁻¹ u, at added[0], added[1], …; f becomes Tᵀ f.
STANCE_INLINE void push_drive(const Tree& tree, int i, const Workspace& w, Force<double>& f,
                              double* added) noexcept {
  const Link& link = tree.links[i];
  for_each_axis(
      link.kind, w, [&](auto axis, int j) __attribute__((always_inline)) {
        const int d = link.dof + j;
        const double u = project(axis, f);
        added[j] = w.D_inverse[d] * u;
        f -= w.L[d] * u;
      });
}

// The columns of A through T.
STANCE_INLINE void transmit_columns(const Tree& tree, int i, const Workspace& w,
                                    Matrix6& A) noexcept {
  const Link& link = tree.links[i];
  for (int c = 0; c < 6; ++c) {
    Motion<double> a{{A.m[0][c], A.m[1][c], A.m[2][c]}, {A.m[3][c], A.m[4][c], A.m[5][c]}};
    for_each_axis_backwards(
        link.kind, w, [&](auto axis, int j) __attribute__((always_inline)) {
          accelerate(axis, w.L[link.dof + j], 0.0, a);
        });
    const Column6 column = column6(a);
    for (int r = 0; r < 6; ++r) A.m[r][c] = column[r];
  }
}

// S D⁻¹ Sᵀ: how the side that was eliminated answers while the other stands still.
STANCE_INLINE Matrix6 drive_response(const Tree& tree, int i, const Workspace& w) noexcept {
  const Link& link = tree.links[i];
  Matrix6 A;
  for (int c = 0; c < 6; ++c) {
    Column6 e{};
    e[c] = 1;
    Force<double> f = force(e);
    double u[6];
    push_drive(tree, i, w, f, u);
    Motion<double> a;
    for_each_axis_backwards(
        link.kind, w, [&](auto axis, int j) __attribute__((always_inline)) {
          accelerate(axis, w.L[link.dof + j], u[j], a);
        });
    const Column6 column = column6(a);
    for (int r = 0; r < 6; ++r) A.m[r][c] = column[r];
  }
  return A;
}

// The free axes of a joint as columns.
STANCE_INLINE int free_axes(const Tree& tree, int i, const Workspace& w, Column6* S) noexcept {
  int n = 0;
  for_each_axis(
      tree.links[i].kind, w, [&](auto axis, int) __attribute__((always_inline)) {
        Motion<double> m;
        move(axis, m, 1.0);
        S[n++] = column6(m);
      });
  return n;
}

// (5): W and phi0 of a joint between two responses, from P and r0.
// K: unit vectors along the axes that S leaves, then S's own where armature is. With an S that is no unit vector, that of a
// rolling support alone, the unit vectors are first made orthogonal to it.
template <class CompiledFor>
Status joint_force(const Tree& tree, int i, const DofVector& tau, const Workspace& w,
                   JointScratch& s) noexcept {
  const Link& link = tree.links[i];
  Column6 S[6];
  const int free = free_axes(tree, i, w, S);
  double tau_walk[6];
  efforts_to_walk(link, w.X_J[i], &tau[link.v_index], tau_walk);
  Column6 drive{};
  for (int j = 0; j < free; ++j) {
    const double per_length = tau_walk[j] / dot(S[j], S[j]);  // Sᵀ (S tau / S²) = tau
    for (int r = 0; r < 6; ++r) drive[r] += S[j][r] * per_length;
  }
  Column6 K[6];
  int n = 0;
  for (int axis = 0; axis < 6 && n < 6 - free; ++axis) {
    Column6 k{};
    k[axis] = 1;
    const auto orthogonal = [&](const Column6& to) {
      const double p = dot(k, to) / dot(to, to);
      for (int r = 0; r < 6; ++r) k[r] -= p * to[r];
    };
    for (int j = 0; j < free; ++j) orthogonal(S[j]);
    for (int j = 0; j < n; ++j) orthogonal(K[j]);
    // of the axes that S mixes one is left over, and it comes out as nothing, or as rounding
    const double length2 = dot(k, k);
    if (length2 < 0.1) continue;
    for (double& x : k) x /= std::sqrt(length2);
    K[n++] = k;
  }
  const int constrained = n;
  if (link.armature > 0) {
    for (int j = 0; j < free; ++j) K[n++] = S[j];
  }
  Matrix6 Gamma, Gamma_inverse;
  for (int r = 0; r < n; ++r) {
    const Column6 PK = s.P * K[r];
    for (int c = 0; c < n; ++c) Gamma.m[r][c] = dot(K[c], PK);
    if (r >= constrained) Gamma.m[r][r] += 1 / link.armature;
  }
  if (!inverse_spd<CompiledFor>(n, kMinPivot, Gamma, Gamma_inverse))
    return Status::kSingularInertia;
  s.W = {};
  for (int r = 0; r < n; ++r) {
    for (int c = 0; c < n; ++c) {
      const double g = Gamma_inverse.m[r][c];
      if (g == 0) continue;
      for (int k = 0; k < 6; ++k) {
        for (int m = 0; m < 6; ++m) s.W.m[k][m] += K[r][k] * g * K[c][m];
      }
    }
  }
  symmetrize(s.W);
  s.phi0 = drive - s.W * (s.r0 + s.P * drive);
  return Status::kOk;
}

}  // namespace stance
