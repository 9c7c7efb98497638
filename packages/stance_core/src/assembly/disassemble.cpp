#include "stance_core/assembly/disassemble.hpp"

#include "assembly/joint_step.hpp"
#include "dynamics/mimic.hpp"
#include "stance_core/dynamics/kinematics.hpp"

namespace stance {
namespace {

// The acceleration of the handle of a subchain in inertia form goes into the workspace; what it was made of takes it from
// there.

// kInvert: the handle moves as the forces on it say.
void release(const PlanNode& node, const Plan& plan, Workspace& w,
             AssemblyMemory& memory) noexcept {
  const Response own = result(node, plan, memory);
  w.a[node.body] = motion(own.a0[0] + own.block(0, 0) * memory.force[node.body]);
}

// kInertias: (7) with the acceleration of the side that stays.
void part_inertias(const Tree& tree, const PlanNode& node, const JointScratch& s, Workspace& w,
                   PerDof<double>& x) noexcept {
  const int i = node.body;
  const int parent = tree.links[i].parent;
  const Link& link = tree.links[i];
  if (node.child_is_inertia) {
    const Motion<double> b = to_child(w.X_PB[i], w.a[parent]);
    w.f[i] = s.closed.IA * b + s.closed.pA;
    Motion<double> a = b + w.c[i];
    transmit(tree, i, w, a, &w.u[link.dof], &x[link.dof]);
    w.a[i] = a;
  } else {
    const Motion<double>& b = w.a[i];
    w.f[i] = -(s.closed.IA * b + s.closed.pA);
    Motion<double> a = b - w.c[i];
    transmit(tree, i, w, a, &w.u[link.dof], &x[link.dof]);
    w.a[parent] = to_parent(w.X_PB[i], a);
    for (int j = 0; j < dof_count(link.kind); ++j) x[link.dof + j] = -x[link.dof + j];
  }
}

// kMixed: (8) with the forces on the handles.
void part_mixed(const Tree& tree, const PlanNode& node, const Plan& plan, const JointScratch& s,
                Workspace& w, AssemblyMemory& memory, PerDof<double>& x) noexcept {
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
void part_responses(const Tree& tree, const PlanNode& node, const Plan& plan, const JointScratch& s,
                    Workspace& w, AssemblyMemory& memory, PerDof<double>& x) noexcept {
  const int i = node.body;
  const Link& link = tree.links[i];
  const Transform<double>& X_PB = w.X_PB[i];
  const Response A = response(node.parent, plan, memory), B = response(node.child, plan, memory);
  const int c = B.find(BodyId(i)), p = A.find(link.parent);
  Column6 pull{}, push{};
  for (int h = 0; h < B.count; ++h) pull = pull + B.block(c, h) * memory.force[B.handle[h]];
  for (int h = 0; h < A.count; ++h) push = push + A.block(p, h) * memory.force[A.handle[h]];
  pull = pull - column6(to_child(X_PB, motion(push)));  // sum R_h f_h
  const Column6 phi = s.phi0 - s.W * pull;
  const Column6 r = s.r0 + s.P * phi + pull;
  Column6 S[6];
  const int free = free_axes(tree, i, w, S);
  for (int j = 0; j < free; ++j) x[link.dof + j] = dot(S[j], r) / dot(S[j], S[j]);
  w.f[i] = force(phi);
  memory.force[i] = memory.force[i] + phi;
  if (!A.is_world()) {
    Column6& f_p = memory.force[link.parent];
    f_p = f_p - column6(to_parent(X_PB, force(phi)));
  }
}

}  // namespace

Status disassemble(const Model& model, const Tree& tree, const Plan& plan, Workspace& w,
                   AssemblyMemory& memory, PerDof<double>& x) noexcept {
  for (std::size_t k = plan.nodes.size(); k-- > 0;) {
    const PlanNode& node = plan.nodes[k];
    const JointScratch& scratch = memory.scratch[k];
    switch (node.rule) {
      case JointRule::kInvert: release(node, plan, w, memory); break;
      case JointRule::kInertias: part_inertias(tree, node, scratch, w, x); break;
      case JointRule::kMixed: part_mixed(tree, node, plan, scratch, w, memory, x); break;
      case JointRule::kResponses: part_responses(tree, node, plan, scratch, w, memory, x); break;
    }
  }
  (void)model;
  return Status::kOk;
}

Status assembly_dynamics(const Model& model, const Tree& tree, const Plan& plan, const State& state,
                         const DofVector& tau, std::span<const Force<double>> f_ext,
                         std::span<const Closure> closures, Workspace& w, AssemblyMemory& memory,
                         DofVector& a, ClosureForces& forces) noexcept {
  kinematics(model, tree, state, w);
  Status status = assemble(model, tree, plan, tau, f_ext, w, memory);
  if (status == Status::kOk) status = close(model, tree, plan, closures, w, memory, forces);
  if (status != Status::kOk) return status;
  PerDof<double> x;
  status = disassemble(model, tree, plan, w, memory, x);
  if (status != Status::kOk) return status;
  carry_accelerations(model, tree, x, w);
  return accelerations_out(tree, tree.bodies(), w, x, a);
}

}  // namespace stance
