// One joint taken out of an assembly. The text; disassemble.hpp says what it does, and processor files compile it.
#pragma once

#include "assembly/joint_step.hpp"

namespace stance {

// The acceleration of the handle of a subchain in inertia form goes into the workspace; what it was made of takes it from
// there.

// kInvert: the handle moves as the forces on it say.
STANCE_INLINE void release(const PlanNode& node, const Plan& plan, Workspace& w,
                           AssemblyMemory& memory) noexcept {
  const Response own = result(node, plan, memory);
  w.a[node.body] = motion(own.a0[0] + own.block(0, 0) * memory.force[node.body]);
}

// kInertias: (7) with the acceleration of the side that stays. The force is that of the side that goes: IA a + pA.
STANCE_INLINE void part_inertias(const Tree& tree, const PlanNode& node,
                                 const AssemblyMemory& memory, Workspace& w,
                                 PerDof<double>& x) noexcept {
  const int i = node.body;
  const Link& link = tree.links[i];
  const int parent = link.parent;
  const bool child = node.child_is_inertia;
  const Transform<double>& X_PB = w.X_PB[i];
  const InertiaForm& side = inertia_form(child ? node.child : node.parent, memory);
  if (child) {
    Motion<double> a = plus_to_child(w.c[i], X_PB, w.a[parent]);
    transmit(tree, i, w, a, &w.u[link.dof], &x[link.dof]);
    w.a[i] = a;
    w.f[i] = side.IA * a + side.pA;
  } else {
    Motion<double> a = w.a[i] - w.c[i];
    transmit(tree, i, w, a, &w.u[link.dof], &x[link.dof]);
    w.a[parent] = to_parent(X_PB, a);
    w.f[i] = -to_child(X_PB, side.IA * w.a[parent] + side.pA);
    for (int j = 0; j < dof_count(link.kind); ++j) x[link.dof + j] = -x[link.dof + j];
  }
}

// kMixed: (8) with the forces on the handles.
STANCE_INLINE void part_mixed(const Tree& tree, const PlanNode& node, const Plan& plan,
                              const JointScratch& s, Workspace& w, AssemblyMemory& memory,
                              PerDof<double>& x) noexcept {
  const int i = node.body;
  const Link& link = tree.links[i];
  const bool child = node.child_is_inertia;
  const double sign = child ? 1 : -1;
  const BodyId x_body = child ? BodyId(i) : link.parent;
  const BodyId y_body = child ? link.parent : BodyId(i);
  const Transform<double>& X_PB = w.X_PB[i];
  const Response y = response(child ? node.parent : node.child, plan, memory);
  const bool keeps_x = child ? node.keeps_child : node.keeps_parent;

  Force<double> pull;  // Tᵀ f_x
  double u[6];         // D⁻¹ (u + Sᵀ f_x)
  for (int j = 0; j < dof_count(link.kind); ++j) u[j] = w.u[link.dof + j];
  if (keeps_x) {
    const Force<double> f_x = force(memory.force[x_body]);
    pull = child ? f_x : to_child(X_PB, f_x);
    double added[6];
    push_drive(tree, i, w, pull, added);
    for (int j = 0; j < dof_count(link.kind); ++j) u[j] += added[j];
  }
  Column6 b = s.b0;
  if (!y.is_world()) {
    const int at_y = y.find(y_body);
    Column6 e{};
    for (int h = 0; h < y.count; ++h) e = e + y.block(at_y, h) * memory.force[y.handle[h]];
    if (child) e = column6(to_child(X_PB, motion(e)));
    b = b + s.V * (e + s.M * column6(pull));
  }
  const Force<double> phi = s.closed.IA * motion(b) + s.closed.pA - pull;
  Motion<double> a = motion(b) + w.c[i] * sign;
  transmit(tree, i, w, a, u, &x[link.dof]);
  w.a[x_body] = child ? a : to_parent(X_PB, a);
  if (y_body.valid()) w.a[y_body] = child ? to_parent(X_PB, motion(b)) : motion(b);
  w.f[i] = phi * sign;
  if (!child) {
    for (int j = 0; j < dof_count(link.kind); ++j) x[link.dof + j] = -x[link.dof + j];
  }
  if (!y.is_world()) {
    Column6& f_y = memory.force[y_body];
    f_y = f_y - column6(child ? to_parent(X_PB, phi) : phi);
  }
}

// kResponses: (5), and (1) for the motion across the joint.
STANCE_INLINE void part_responses(const Model& model, const Tree& tree, const PlanNode& node,
                                  const Plan& plan, const JointScratch& s, Workspace& w,
                                  AssemblyMemory& memory, PerDof<double>& x) noexcept {
  const int i = node.body;
  const Link& link = tree.links[i];
  const Transform<double>& X_PB = w.X_PB[i];
  const Response A = response(node.parent, plan, memory), B = response(node.child, plan, memory);
  const int c = B.find(BodyId(i)), p = A.find(link.parent);
  Column6 a_c = B.a0[c], a_p{};  // without the joint
  for (int h = 0; h < B.count; ++h) a_c = a_c + B.block(c, h) * memory.force[B.handle[h]];
  if (A.is_world()) {
    a_p = column6(Motion<double>{{}, -model.gravity});
  } else {
    a_p = A.a0[p];
    for (int h = 0; h < A.count; ++h) a_p = a_p + A.block(p, h) * memory.force[A.handle[h]];
  }
  const Column6 r = a_c - column6(to_child(X_PB, motion(a_p)) + w.c[i]);
  Column6 pull = r - s.r0;  // sum R_h f_h
  const Column6 phi = s.phi0 - s.W * pull;
  const Force<double> f_p = to_parent(X_PB, force(phi));
  a_c = a_c + B.block(c, c) * phi;
  if (!A.is_world()) {
    a_p = a_p - A.block(p, p) * column6(f_p);
    memory.force[link.parent] = memory.force[link.parent] - column6(f_p);
    w.a[link.parent] = motion(a_p);
  }
  memory.force[i] = memory.force[i] + phi;
  w.a[i] = motion(a_c);
  w.f[i] = force(phi);
  const Column6 across = r + s.P * phi;
  Column6 S[6];
  const int free = free_axes(tree, i, w, S);
  for (int j = 0; j < free; ++j) x[link.dof + j] = dot(S[j], across) / dot(S[j], S[j]);
}

template <class CompiledFor>
void disassemble_node_kernel(const Model& model, const Tree& tree, const Plan& plan, int k,
                             Workspace& w, AssemblyMemory& memory, PerDof<double>& x) noexcept {
  const PlanNode& node = plan.nodes[k];
  const JointScratch& scratch = memory.scratch[k];
  switch (node.rule) {
    case JointRule::kInvert: release(node, plan, w, memory); break;
    case JointRule::kInertias: part_inertias(tree, node, memory, w, x); break;
    case JointRule::kMixed: part_mixed(tree, node, plan, scratch, w, memory, x); break;
    case JointRule::kResponses:
      part_responses(model, tree, node, plan, scratch, w, memory, x);
      break;
  }
}

}  // namespace stance
