// What assembly and disassembly share: where the numbers of a side are, and a joint's axes one after the other.
#pragma once

#include "assembly/matrix6.hpp"
#include "dynamics/aba_kernel.hpp"
#include "stance_core/assembly/assemble.hpp"

namespace stance {

// An articulated inertia that is no sound one: a pivot has lost this much of what it was summed from.
inline constexpr double kMinPivot = 1e-14;

inline const InertiaForm& inertia_form(const Side& side, const AssemblyMemory& memory) noexcept {
  return side.kind == Side::kLink ? memory.link[side.index] : memory.inertia[side.index];
}

// A subchain in response form. The world has no handles.
struct Response {
  int count = 0;
  const BodyId* handle = nullptr;
  Matrix6* blocks = nullptr;
  Column6* a0 = nullptr;

  bool is_world() const noexcept { return count == 0; }
  Matrix6& block(int h, int k) const noexcept { return blocks[h * count + k]; }
  int find(BodyId body) const noexcept {
    for (int h = 0; h < count; ++h) {
      if (handle[h] == body) return h;
    }
    return -1;
  }
};

inline Response result(const PlanNode& node, const Plan& plan, AssemblyMemory& memory) noexcept {
  return {node.handle_count, plan.handles.data() + node.first_handle,
          memory.Lambda.data() + node.first_block, memory.a0.data() + node.first_handle};
}

inline Response response(const Side& side, const Plan& plan, AssemblyMemory& memory) noexcept {
  if (side.kind == Side::kWorld) return {};
  return result(plan.nodes[side.index], plan, memory);
}

inline const Matrix6& identity_matrix() noexcept {
  static constexpr Matrix6 kIdentity{{{1, 0, 0, 0, 0, 0},
                                      {0, 1, 0, 0, 0, 0},
                                      {0, 0, 1, 0, 0, 0},
                                      {0, 0, 0, 1, 0, 0},
                                      {0, 0, 0, 0, 1, 0},
                                      {0, 0, 0, 0, 0, 1}}};
  return kIdentity;
}

// (7), one axis after the other, which is Gaussian elimination of the same block: closed becomes Ia and pa + Ia v, and
// L = U D⁻¹, D⁻¹ and D⁻¹ u go into the workspace. `sign` is -1 where the side is that of the joint's parent.
inline void eliminate(const Tree& tree, int i, double sign, const DofVector& tau, Workspace& w,
                      InertiaForm& closed, double& bad_D) noexcept {
  const Link& link = tree.links[i];
  double tau_walk[6];
  efforts_to_walk(link, w.X_J[i], &tau[link.v_index], tau_walk);
  for_each_axis(link.kind, w, [&](auto axis, int j) {
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
inline void transmit(const Tree& tree, int i, const Workspace& w, Motion<double>& a,
                     const double* u, double* qdd) noexcept {
  const Link& link = tree.links[i];
  for_each_axis_backwards(link.kind, w, [&](auto axis, int j) {
    qdd[j] = accelerate(axis, w.L[link.dof + j], u[j], a);
  });
}

// What a force on the side that was eliminated adds to D⁻¹ u, at added[0], added[1], …; f becomes Tᵀ f.
inline void push_drive(const Tree& tree, int i, const Workspace& w, Force<double>& f,
                       double* added) noexcept {
  const Link& link = tree.links[i];
  for_each_axis(link.kind, w, [&](auto axis, int j) {
    const int d = link.dof + j;
    const double u = project(axis, f);
    added[j] = w.D_inverse[d] * u;
    f -= w.L[d] * u;
  });
}

// The columns of A through T.
inline void transmit_columns(const Tree& tree, int i, const Workspace& w, Matrix6& A) noexcept {
  const Link& link = tree.links[i];
  for (int c = 0; c < 6; ++c) {
    Motion<double> a{{A.m[0][c], A.m[1][c], A.m[2][c]}, {A.m[3][c], A.m[4][c], A.m[5][c]}};
    for_each_axis_backwards(link.kind, w,
                            [&](auto axis, int j) { accelerate(axis, w.L[link.dof + j], 0.0, a); });
    const Column6 column = column6(a);
    for (int r = 0; r < 6; ++r) A.m[r][c] = column[r];
  }
}

// S D⁻¹ Sᵀ: how the side that was eliminated answers while the other stands still.
inline Matrix6 drive_response(const Tree& tree, int i, const Workspace& w) noexcept {
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
        link.kind, w, [&](auto axis, int j) { accelerate(axis, w.L[link.dof + j], u[j], a); });
    const Column6 column = column6(a);
    for (int r = 0; r < 6; ++r) A.m[r][c] = column[r];
  }
  return A;
}

// The free axes of a joint as columns.
inline int free_axes(const Tree& tree, int i, const Workspace& w, Column6* S) noexcept {
  int n = 0;
  for_each_axis(tree.links[i].kind, w, [&](auto axis, int) {
    Motion<double> m;
    move(axis, m, 1.0);
    S[n++] = column6(m);
  });
  return n;
}

// (5): W and phi0 of a joint between two responses, from P and r0.
Status joint_force(const Tree& tree, int i, const DofVector& tau, const Workspace& w,
                   JointScratch& s) noexcept;

}  // namespace stance
