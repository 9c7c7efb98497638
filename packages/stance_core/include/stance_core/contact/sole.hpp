// Sole: the corners of one foot that stick, taken together. They hold the foot's body by a point, an edge or a plane, and
// share what they carry so that the sum of squares of their forces is least, as equal small springs under them would.
//
// With k corners at r_i from their centroid, F their force and M their moment about it,
//   (1) f_i = F / k + (B⁺ M) × r_i,   B = sum (r_i² 1 - r_i r_iᵀ)          the f_i of least norm
//   (2) sum |f_i|² = |F|² / k + Mᵀ B⁺ M.
// So rows that push with sqrt(k) along each axis, and turn with sqrt(b_j) about each eigenvector of B that is not zero, are
// an orthonormal basis of what the corners can do: least norm over them is least norm over the corners, and their motions
// follow from the corners' displacements d_i as
//   (3) axis · sum d_i / sqrt(k),   axis_j · sum r_i × d_i / sqrt(b_j).
// The corners lie in a plane, whose normal is an eigenvector. One corner has no moment, two have none about their edge.
#pragma once

#include <array>

#include "stance_core/constraint/row.hpp"

namespace stance {

inline constexpr int kMaxCorners = 8;

struct Sole {
  BodyId body;
  int count = 0;
  std::array<Vec3<double>, kMaxCorners> r_W;  // from the centroid
  Vec3<double> center_W;                      // the centroid
  int axis_count = 0;                         // 3; 2 in a plane
  std::array<Vec3<double>, 3> axes;           // normal first
  int moment_count = 0;
  std::array<Vec3<double>, 3> moments;
  std::array<double, 3> b;

  int row_count() const noexcept { return axis_count + moment_count; }
};

// Of the first `count` points, which touch the ground with this frame. In a plane nothing moves along t2.
Sole make_sole(BodyId body, const Vec3<double>* points_W, int count, const ContactFrame& frame,
               bool planar) noexcept;

// (1): the force of each corner, from the force on the sole and its moment about the centroid.
void share(const Sole& sole, const Vec3<double>& F_W, const Vec3<double>& M_W,
           Vec3<double>* forces_W) noexcept;

// The rows (2), needs kinematics; the forces of the corners when the rows push with lambda; and what the rows measure of
// displacements of the corners, (3).
void sole_rows(const Model& model, const Workspace& w, const Sole& sole, Row* rows) noexcept;
void sole_forces(const Sole& sole, const double* lambda, Vec3<double>* forces_W) noexcept;
void sole_motion(const Sole& sole, const Vec3<double>* displacements_W, double* out) noexcept;

}  // namespace stance
