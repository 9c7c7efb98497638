// Assembly: links become the robot, joint by joint. Yamane and Nakamura, section 4.1; derivation below.
//
// Joint i moves body c on subchain B against body p on subchain A. With X the transform from p's frame to c's, S the free
// axes, v the part of the relative acceleration that velocities give (Workspace::c), and phi the force through the joint on
// c, all in c's frame:
//   (1) motion   r = a_c - X a_p - v,  r = S qdd        (2) action and reaction   f_c = phi,  f_p = -Xᵀ phi
//   (3) drive    Sᵀ phi = tau - m qdd                   m the armature; K are the axes across which r must vanish, and
//                                                       those with armature, which give way by e = 1/m to their force
// The same stands in the paper as (1) to (5) with r'' of the parent's side counted negative.
//
// kResponses: a_h = a0_h + sum Lambda_hk f_k on both sides. Into (1):
//   (4) r = r0 + P phi + sum R_h f_h,   r0 = a0_c - X a0_p - v,   P = Lambda_cc + X Lambda_pp Xᵀ,
//       R_h = Lambda_ch for h in B, -X Lambda_ph for h in A
//   (5) phi = phi0 - W sum R_h f_h,     W = K (Kᵀ P K + e)⁻¹ Kᵀ,   phi0 = tau - W (r0 + P tau)          Yamane (36)
//   (6) Lambda'_hk = Lambda_hk - R_hᵀ W R_k,   a0'_h = a0_h + R_hᵀ phi0                                 Yamane (50), (38)
//
// kInertias: the side x that this joint closes is f = IA a + pA. With a_x = b + v + S qdd, b the other side's acceleration:
//   (7) D = Sᵀ IA S + m,  U = IA S,  u = tau - Sᵀ pA,   qdd = D⁻¹ (u - Uᵀ (b + v)),
//       phi = Ia (b + v) + pa,  Ia = IA - U D⁻¹ Uᵀ,  pa = pA + U D⁻¹ u                                   RBDA 7.43 to 7.48
//   and the other side, in inertia form as well, gains Ia and pa + Ia v. Where x is p's side, r and phi, hence v, tau and
//   qdd, change sign.
//
// kMixed: x in inertia form as in (7), y the other. x may stay a handle, with a force f_x on it. With T = 1 - S D⁻¹ Uᵀ,
// M = Y Lambda_yy Yᵀ the response of y in c's frame (Y is X, or 1), beta = pa + Ia v:
//   (8) phi = Ia b + beta - Tᵀ f_x        a_x = T (b + v) + S D⁻¹ (u + Sᵀ f_x)
//       b = Y a0_y - M phi + sum Y Lambda_yh f_h = b0 + V (sum Y Lambda_yh f_h + M Tᵀ f_x)
//       V = (1 + M Ia)⁻¹                  b0 = V (Y a0_y - M beta)
//   (9) Lambda'_xx = S D⁻¹ Sᵀ + T V M Tᵀ    Lambda'_xh = T V Y Lambda_yh    Lambda'_yh = Y⁻¹ V Y Lambda_yh
//       Lambda'_hk = Lambda_hk - (Y Lambda_yh)ᵀ Ia V (Y Lambda_yk)
//       a0'_x = T (b0 + v) + S D⁻¹ u        a0'_y = Y⁻¹ b0        a0'_h = a0_h - (Y Lambda_yh)ᵀ (Ia b0 + beta)
//   The world is a y with Lambda = 0 and the acceleration against gravity. (6) follows from (8) with IA = Lambda_cc⁻¹.
//
// The support of a base that floats holds nothing: it is no joint of the assembly. Its efforts are a force on the root, and
// its accelerations are read off the root's. So a robot in flight may be assembled towards any of its bodies.
//
// Closures come last: on the robot's handles, rows J a + bias = 0 with forces Jᵀ lambda (constraint/closure.hpp):
//   (10) J Lambda Jᵀ lambda = -(J a0 + bias)
// which is Yamane (57) for all closures at once, and may be singular: see constraint/least_norm.hpp.
//
// Misprints of the paper that the derivation shows. (57): both signs; it is (36) with one subchain. (52): of the first two
// sums, which print Lambda_Xi,i for phi_i and Lambda_Xk,i transposed for the others, the parent's side needs the sign of
// (1). (53) and the third constraint before (51) subtract what (2) and (26) add. S_Bi after (42) has no minus. (49), (50):
// J_j stands transposed, and K_i is K_Ci.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "stance_core/assembly/schedule.hpp"
#include "stance_core/assembly/subchain.hpp"
#include "stance_core/base/status.hpp"
#include "stance_core/constraint/least_norm.hpp"

namespace stance {

// What a joint keeps between assembly and disassembly, in the frame of its body. L, D⁻¹ and u are in the workspace.
struct JointScratch {
  InertiaForm closed;  // kMixed: Ia and beta
  Matrix6 V, M;        // kMixed
  Column6 b0;          // kMixed
  Matrix6 P, W;        // kResponses
  Column6 r0, phi0;    // kResponses
};

// All memory of an assembly. Sized for a plan when it is made; nothing grows later.
struct AssemblyMemory {
  explicit AssemblyMemory(const Plan& plan);
  std::vector<Matrix6> Lambda;        // PlanNode::first_block
  std::vector<Column6> a0;            // PlanNode::first_handle
  std::vector<InertiaForm> inertia;   // by node, where in inertia form
  std::vector<JointScratch> scratch;  // by node
  std::vector<Column6>
      force;  // by body: what joints outside the subchain at hand put on it; written by disassembly
  std::vector<InertiaForm> link;  // by body
  Force<double> float_force;
  std::unique_ptr<ClosureRows> rows;
  std::unique_ptr<LeastNorm<kMaxRows>> system;  // (10)
};

// After kinematics. Efforts, damping and f_ext as in aba. Writes D_inverse, L and u of the workspace, and the memory up to
// Lambda and a0 of the last node.
Status assemble(const Model& model, const Tree& tree, const Plan& plan, const DofVector& tau,
                std::span<const Force<double>> f_ext, Workspace& w,
                AssemblyMemory& memory) noexcept;

// The efforts of a base that floats, which are a force on its root, in its kernel frame.
Force<double> float_force(const Tree& tree, const DofVector& tau, const Workspace& w) noexcept;

// What an assembly says of its closures.
struct ClosureForces {
  int rows = 0, rank = 0;                    // of the closures, without gears
  std::array<double, kMaxRows> multipliers;  // by row of AssemblyMemory::rows
};

// After assemble: solves (10) and puts the closures' forces on the handles.
Status close(const Model& model, const Tree& tree, const Plan& plan,
             std::span<const Closure> closures, const Workspace& w, AssemblyMemory& memory,
             ClosureForces& forces) noexcept;

}  // namespace stance
