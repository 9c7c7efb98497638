// The Delassus matrix G = J M⁻¹ Jᵀ of a set of rows, from the factors that the articulated-body algorithm leaves behind.
//
// aba eliminates M as Wᵀ D W with W unit lower triangular along the tree. The inward half of a solve with a row's force
// is y = W⁻ᵀ Jᵀ, which is not zero only on the path from the row's bodies to the root, so
//   (1) G = Yᵀ D⁻¹ Y        Y the columns y, D⁻¹ as aba has it
// and accelerations are answered by the outward half alone:
//   (2) M⁻¹ Jᵀ lambda = W⁻¹ D⁻¹ Y lambda.
// This is the recursion of the extended force propagator, with one body's joint axes taken one at a time.
#pragma once

#include <array>
#include <span>

#include "stance_core/constraint/row.hpp"

namespace stance {

// A square matrix of rows, in fixed memory.
using RowMatrix = std::array<std::array<double, kMaxRows>, kMaxRows>;
using RowVector = std::array<double, kMaxRows>;

struct Delassus {
  int count = 0;
  std::array<PerDof<double>, kMaxRows> Y;  // by row, in walking order
  // by row: what of a unit of its force arrives at the root, in the root's kernel frame, before the support gives way
  std::array<Force<double>, kMaxRows> at_root;
  RowMatrix G;
  RowVector
      c;  // what the rows do when no row pushes: accelerations in flow, velocities in an impact
  double size = 0;  // of motions that c is a difference of: a c far below is made of their rounding
};

// The size of c where joints move with x: rows that are far slower than they are not told from rest.
double size_of(const Tree& tree, const PerDof<double>& x) noexcept;

// Y and G of these rows. Needs the factors of aba for this tree (X_PB, L, D_inverse).
void build_delassus(const Tree& tree, const Workspace& w, std::span<const Row> rows,
                    Delassus& d) noexcept;

// J x: `a` are the bodies' accelerations (or velocities) in kernel frames, x those of the joints in walking order.
double row_motion(const Row& row, const PerBody<Motion<double>>& a,
                  const PerDof<double>& x) noexcept;

// What the support does to the robot under the forces lambda, in the root's kernel frame: the force across the joint between
// the world and the root. Needs IA_root, pA_root and the root's acceleration of the same instant.
Force<double> support_force(const Tree& tree, const Workspace& w, const Delassus& d,
                            const RowVector& lambda) noexcept;

// x += M⁻¹ Jᵀ lambda.
void respond(const Tree& tree, const Workspace& w, const Delassus& d, const RowVector& lambda,
             PerDof<double>& x) noexcept;

}  // namespace stance
