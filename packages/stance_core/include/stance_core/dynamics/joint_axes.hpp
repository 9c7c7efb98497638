// The degrees of freedom of a joint, one axis at a time.
//
// In its kernel frame a joint's motion subspace is a set of unit axes (RBDA Table 4.1), so S never appears as a
// matrix: Sᵀf picks a component, IA S picks a column. A joint with several axes is treated one axis after the other,
// which is Gaussian elimination of the same block: U D⁻¹ Uᵀ of RBDA 7.25 as a sum of rank-one terms.
// The rolling support is the one axis that is no unit vector.
#pragma once

#include "stance_core/model/tree.hpp"
#include "stance_core/model/workspace.hpp"

namespace stance {

template <int K>
struct UnitAxis {};  // K: 0 1 2 turn about x y z, 3 4 5 slide along x y z

struct GeneralAxis {
  Motion<double> S;
};

// Sᵀ f
template <int K, class T>
STANCE_INLINE const T& project(UnitAxis<K>, const Force<T>& f) {
  if constexpr (K == 0) return f.n.x;
  if constexpr (K == 1) return f.n.y;
  if constexpr (K == 2) return f.n.z;
  if constexpr (K == 3) return f.f.x;
  if constexpr (K == 4) return f.f.y;
  if constexpr (K == 5) return f.f.z;
}
STANCE_INLINE double project(const GeneralAxis& axis, const Force<double>& f) {
  return dot(f, axis.S);
}

// m += S x
template <int K, class T>
STANCE_INLINE void move(UnitAxis<K>, Motion<T>& m, const T& x) {
  if constexpr (K == 0) m.w.x += x;
  if constexpr (K == 1) m.w.y += x;
  if constexpr (K == 2) m.w.z += x;
  if constexpr (K == 3) m.v.x += x;
  if constexpr (K == 4) m.v.y += x;
  if constexpr (K == 5) m.v.z += x;
}
STANCE_INLINE void move(const GeneralAxis& axis, Motion<double>& m, double x) { m += axis.S * x; }

// IA S
template <int K, class T>
STANCE_INLINE Force<T> column(UnitAxis<K>, const ArticulatedInertia<T>& A) {
  if constexpr (K == 0) return {A.I.col_x(), {A.H.a.x, A.H.b.x, A.H.c.x}};
  if constexpr (K == 1) return {A.I.col_y(), {A.H.a.y, A.H.b.y, A.H.c.y}};
  if constexpr (K == 2) return {A.I.col_z(), {A.H.a.z, A.H.b.z, A.H.c.z}};
  if constexpr (K == 3) return {A.H.a, A.M.col_x()};
  if constexpr (K == 4) return {A.H.b, A.M.col_y()};
  if constexpr (K == 5) return {A.H.c, A.M.col_z()};
}
STANCE_INLINE Force<double> column(const GeneralAxis& axis, const ArticulatedInertia<double>& A) {
  return A * axis.S;
}

// I S
template <class Axis>
STANCE_INLINE Force<double> column(const Axis& axis, const RigidInertia<double>& I) {
  Motion<double> S;
  move(axis, S, 1.0);
  return I * S;
}

// Calls f(axis, j) for the axes of a joint, j = 0, 1, … in the order of its velocities.
template <class F>
STANCE_INLINE void for_each_axis(JointKind kind, const Workspace& w, F&& f) {
  switch (kind) {
    case JointKind::kFixed: break;
    case JointKind::kRevolute: f(UnitAxis<2>{}, 0); break;
    case JointKind::kPrismatic: f(UnitAxis<5>{}, 0); break;
    case JointKind::kBall: f(UnitAxis<0>{}, 0), f(UnitAxis<1>{}, 1), f(UnitAxis<2>{}, 2); break;
    case JointKind::kPlanar: f(UnitAxis<2>{}, 0), f(UnitAxis<3>{}, 1), f(UnitAxis<4>{}, 2); break;
    case JointKind::kFree:
      f(UnitAxis<0>{}, 0), f(UnitAxis<1>{}, 1), f(UnitAxis<2>{}, 2);
      f(UnitAxis<3>{}, 3), f(UnitAxis<4>{}, 4), f(UnitAxis<5>{}, 5);
      break;
    case JointKind::kRoll: f(GeneralAxis{w.S_roll}, 0); break;
  }
}

// The same, last axis first.
template <class F>
STANCE_INLINE void for_each_axis_backwards(JointKind kind, const Workspace& w, F&& f) {
  switch (kind) {
    case JointKind::kBall: f(UnitAxis<2>{}, 2), f(UnitAxis<1>{}, 1), f(UnitAxis<0>{}, 0); break;
    case JointKind::kPlanar: f(UnitAxis<4>{}, 2), f(UnitAxis<3>{}, 1), f(UnitAxis<2>{}, 0); break;
    case JointKind::kFree:
      f(UnitAxis<5>{}, 5), f(UnitAxis<4>{}, 4), f(UnitAxis<3>{}, 3);
      f(UnitAxis<2>{}, 2), f(UnitAxis<1>{}, 1), f(UnitAxis<0>{}, 0);
      break;
    default: for_each_axis(kind, w, f);
  }
}

}  // namespace stance
