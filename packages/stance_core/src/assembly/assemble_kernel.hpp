// One joint of an assembly. The text; assemble.hpp says what it does and derives (1) to (9), and processor files compile it.
#pragma once

#include "assembly/joint_step.hpp"

namespace stance {

// A subchain in inertia form. A link by itself gets its own here, at the one joint that takes it up: RBDA 7.37, 7.38.
STANCE_INLINE const InertiaForm& inertia_form(const Side& side, const Tree& tree,
                                              std::span<const Force<double>> f_ext,
                                              const Workspace& w, AssemblyMemory& memory) noexcept {
  if (side.kind != Side::kLink) return memory.inertia[side.index];
  const int i = side.index;
  const Link& link = tree.links[i];
  InertiaForm& form = memory.link[i];
  form = {articulated(link.I), cross(w.v[i], link.I * w.v[i])};
  if (!f_ext.empty()) form.pA -= to_child(link.X_HB, f_ext[i]);
  if (!link.parent.valid() && link.kind == JointKind::kFree) form.pA -= memory.float_force;
  return form;
}

// kInvert: (4) of a subchain in inertia form, Lambda = IA⁻¹.
template <class CompiledFor>
Status invert(const InertiaForm& form, const PlanNode& node, AssemblyMemory& memory) noexcept {
  Matrix6& Lambda = memory.Lambda[node.first_block];
  if (!inverse_spd<CompiledFor>(6, kMinPivot, matrix6(form.IA), Lambda))
    return Status::kSingularInertia;
  const Column6 a = Lambda * column6(form.pA);
  for (int i = 0; i < 6; ++i) memory.a0[node.first_handle][i] = -a[i];
  return Status::kOk;
}

// kInertias: (7), and the sum with the other side. `result` starts as the other side.
STANCE_INLINE void join_inertias(const Tree& tree, int i, bool child, const DofVector& tau,
                                 InertiaForm x, Workspace& w, InertiaForm& result,
                                 double& bad_D) noexcept {
  const Link& link = tree.links[i];
  const Transform<double>& X_PB = w.X_PB[i];
  if (child && link.kind == JointKind::kRevolute && link.armature == 0) {  // as limbs_inward
    const int d = link.dof;
    const auto t = axis_terms(UnitAxis<2>{}, link.sign * tau[link.v_index], 0.0, x.IA, x.pA);
    check(t.D, bad_D);
    w.D_inverse[d] = t.D_inverse, w.L[d] = t.L, w.u[d] = t.u * t.D_inverse;
    const HingedInertia<double> Ia = without_z(x.IA, t.L, t.U);
    result.pA += to_parent(X_PB, plus_times(x.pA + t.L * t.u, Ia, w.c[i]));
    result.IA += to_parent(X_PB, Ia);
    return;
  }
  if (!child) {
    const Transform<double> X_BP = inverse(X_PB);
    x = {to_parent(X_BP, x.IA), to_parent(X_BP, x.pA)};
  }
  eliminate(tree, i, child ? 1 : -1, tau, w, x, bad_D);
  result.IA += child ? to_parent(X_PB, x.IA) : x.IA;
  result.pA += child ? to_parent(X_PB, x.pA) : x.pA;
}

// kMixed: (8), (9).
template <class CompiledFor>
Status join_mixed(const Model& model, const Tree& tree, const PlanNode& node, const Plan& plan,
                  const DofVector& tau, std::span<const Force<double>> f_ext, Workspace& w,
                  AssemblyMemory& memory, JointScratch& s, double& bad_D) noexcept {
  const int i = node.body;
  const bool child = node.child_is_inertia;
  const double sign = child ? 1 : -1;
  const Transform<double>& X_PB = w.X_PB[i];
  const Matrix6 X = motion_to_child(X_PB), X_inverse = motion_to_child(inverse(X_PB));
  const InertiaForm& x = inertia_form(child ? node.child : node.parent, tree, f_ext, w, memory);
  const Transform<double> X_BP = inverse(X_PB);
  s.closed = child ? x : InertiaForm{to_parent(X_BP, x.IA), to_parent(X_BP, x.pA)};
  eliminate(tree, i, sign, tau, w, s.closed, bad_D);
  const Matrix6 Ia = matrix6(s.closed.IA);
  const Column6 beta = column6(s.closed.pA);
  const Motion<double> v = w.c[i] * sign;

  const Response y = response(child ? node.parent : node.child, plan, memory);
  const BodyId y_body = child ? tree.links[i].parent : BodyId(i);
  const int at_y = y.find(y_body);
  const Column6 a0_y = y.is_world() ? column6(Motion<double>{{}, -model.gravity}) : y.a0[at_y];
  const Matrix6 Y = child ? X : identity6(), Y_inverse = child ? X_inverse : identity6();
  if (y.is_world()) {
    s.M = {};
    s.V = identity6();
    s.b0 = Y * a0_y;
  } else {
    s.M = Y * times_transposed(y.block(at_y, at_y), Y);
    symmetrize(s.M);
    if (!inverse<CompiledFor>(identity6() + s.M * Ia, s.V)) return Status::kSingularInertia;
    s.b0 = s.V * (Y * a0_y - s.M * beta);
  }
  const Column6 phi0 = Ia * s.b0 + beta;
  Matrix6 W = Ia * s.V;
  symmetrize(W);

  const Response to = result(node, plan, memory);
  const BodyId x_body = child ? BodyId(i) : tree.links[i].parent;
  // from the joint's frame into x's own
  const Matrix6 x_home = child ? identity6() : X_inverse;
  // what was among y's handles
  for (int h = 0; h < to.count; ++h) {
    if (to.handle[h] == x_body) continue;
    const int from_h = y.find(to.handle[h]);
    const Matrix6 G_h = Y * y.block(at_y, from_h);
    to.a0[h] = from_h == at_y ? Y_inverse * s.b0 : y.a0[from_h] - transposed_times(G_h, phi0);
    for (int k = h; k < to.count; ++k) {
      if (to.handle[k] == x_body) continue;
      const int from_k = y.find(to.handle[k]);
      Matrix6 block;
      if (from_h == at_y) {
        block = Y_inverse * (s.V * (Y * y.block(at_y, from_k)));
      } else if (from_k == at_y) {
        block = transposed(Y_inverse * (s.V * G_h));
      } else {
        block = y.block(from_h, from_k) - transposed_times(G_h, W * (Y * y.block(at_y, from_k)));
      }
      if (h == k) symmetrize(block);
      to.block(h, k) = block;
      if (h != k) to.block(k, h) = transposed(block);
    }
  }
  const int at_x = to.find(x_body);
  if (at_x < 0) return Status::kOk;
  Motion<double> a = motion(s.b0) + v;
  double qdd[6];
  transmit(tree, i, w, a, &w.u[tree.links[i].dof], qdd);
  to.a0[at_x] = x_home * column6(a);
  Matrix6 TV = s.V;
  transmit_columns(tree, i, w, TV);
  for (int k = 0; k < to.count; ++k) {
    if (k == at_x) continue;
    const Matrix6 block = x_home * (TV * (Y * y.block(at_y, y.find(to.handle[k]))));
    to.block(at_x, k) = block;
    to.block(k, at_x) = transposed(block);
  }
  Matrix6 TVM_t = transposed(
      TV * s.M);  // (T V M)ᵀ; its columns through T again: T (T V M)ᵀ = T M Vᵀ Tᵀ = T V M Tᵀ
  transmit_columns(tree, i, w, TVM_t);
  Matrix6 own = drive_response(tree, i, w) + TVM_t;
  symmetrize(own);
  Matrix6& block = to.block(at_x, at_x);
  block = x_home * times_transposed(own, x_home);
  symmetrize(block);
  return Status::kOk;
}

// kResponses: (4) to (6).
template <class CompiledFor>
Status join_responses(const Model& model, const Tree& tree, const PlanNode& node, const Plan& plan,
                      const DofVector& tau, Workspace& w, AssemblyMemory& memory,
                      JointScratch& s) noexcept {
  const int i = node.body;
  const Matrix6 X = motion_to_child(w.X_PB[i]);
  const Response A = response(node.parent, plan, memory), B = response(node.child, plan, memory);
  const int c = B.find(BodyId(i));
  const int p = A.find(tree.links[i].parent);
  s.P = B.block(c, c);
  s.r0 = B.a0[c] - column6(w.c[i]);
  if (A.is_world()) {
    s.r0 = s.r0 - X * column6(Motion<double>{{}, -model.gravity});
  } else {
    s.P = s.P + X * times_transposed(A.block(p, p), X);
    s.r0 = s.r0 - X * A.a0[p];
  }
  symmetrize(s.P);
  if (const Status status = joint_force<CompiledFor>(tree, i, tau, w, s); status != Status::kOk)
    return status;

  const Response to = result(node, plan, memory);
  // R_h, and where h was
  const auto R = [&](BodyId h, const Response*& side, int& from) {
    from = A.find(h);
    side = from >= 0 ? &A : &B;
    if (from < 0) return B.block(c, from = B.find(h));
    return X * A.block(p, from);  // without its sign
  };
  for (int h = 0; h < to.count; ++h) {
    const Response *side_h = nullptr, *side_k = nullptr;
    int from_h = 0, from_k = 0;
    const Matrix6 R_h = R(to.handle[h], side_h, from_h);
    const Column6 pull = transposed_times(R_h, s.phi0);
    to.a0[h] = side_h == &A ? side_h->a0[from_h] - pull : side_h->a0[from_h] + pull;
    const Matrix6 left = transposed_times(R_h, s.W);
    for (int k = h; k < to.count; ++k) {
      const Matrix6 change = left * R(to.handle[k], side_k, from_k);
      Matrix6 block = side_h == side_k ? side_h->block(from_h, from_k) - change : change;
      if (h == k) symmetrize(block);
      to.block(h, k) = block;
      if (h != k) to.block(k, h) = transposed(block);
    }
  }
  return Status::kOk;
}

template <class CompiledFor>
Status assemble_node_kernel(const Model& model, const Tree& tree, const Plan& plan, int k,
                            const DofVector& tau, std::span<const Force<double>> f_ext,
                            Workspace& w, AssemblyMemory& memory) noexcept {
  const PlanNode& node = plan.nodes[k];
  double bad_D = kMinInertia;
  Status status = Status::kOk;
  switch (node.rule) {
    case JointRule::kInvert:
      return invert<CompiledFor>(inertia_form(node.child, tree, f_ext, w, memory), node, memory);
    case JointRule::kInertias: {
      const bool child = node.child_is_inertia;
      const InertiaForm& x = inertia_form(child ? node.child : node.parent, tree, f_ext, w, memory);
      memory.inertia[k] = inertia_form(child ? node.parent : node.child, tree, f_ext, w, memory);
      join_inertias(tree, node.body, child, tau, x, w, memory.inertia[k], bad_D);
      break;
    }
    case JointRule::kMixed:
      status = join_mixed<CompiledFor>(model, tree, node, plan, tau, f_ext, w, memory,
                                       memory.scratch[k], bad_D);
      break;
    case JointRule::kResponses:
      status = join_responses<CompiledFor>(model, tree, node, plan, tau, w, memory,
                                           memory.scratch[k]);
      break;
  }
  if (bad_D >= kMinInertia) return status;
  return bad_D < kMinInertia ? Status::kSingularInertia : Status::kNonFinite;
}

}  // namespace stance
