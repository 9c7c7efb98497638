// Poses and the Plücker transforms they imply (RBDA section 2.8).
//
// X_PB is the pose of frame B in frame P: a point with coordinates x in B has coordinates R x + p in P.
// In Featherstone's notation E = Rᵀ and r = p, and his ^B X_P is to_child(X_PB, .).
#pragma once

#include "stance_core/spatial/motion_force.hpp"

namespace stance {

template <class T>
struct Transform {
  Mat3<T> R = Mat3<T>::identity();
  Vec3<T> p;

  // Pose of C in P from those of B in P and C in B.
  friend STANCE_INLINE Transform operator*(const Transform& X_PB, const Transform& X_BC) {
    return {X_PB.R * X_BC.R, X_PB.R * X_BC.p + X_PB.p};
  }
  // A point.
  friend STANCE_INLINE Vec3<T> operator*(const Transform& X_PB, const Vec3<T>& x_B) {
    return X_PB.R * x_B + X_PB.p;
  }
  friend bool operator==(const Transform&, const Transform&) = default;
};

template <class T>
STANCE_INLINE Transform<T> inverse(const Transform<T>& X) {
  return {transpose(X.R), -transpose_times(X.R, X.p)};
}

// Motion from P to B, RBDA 2.24.
template <class T>
STANCE_INLINE Motion<T> to_child(const Transform<T>& X_PB, const Motion<T>& m) {
  return {transpose_times(X_PB.R, m.w), transpose_times(X_PB.R, plus_cross(m.v, m.w, X_PB.p))};
}

// The same added to e.
template <class T>
STANCE_INLINE Motion<T> plus_to_child(const Motion<T>& e, const Transform<T>& X_PB,
                                      const Motion<T>& m) {
  return {plus_transpose_times(e.w, X_PB.R, m.w),
          plus_transpose_times(e.v, X_PB.R, plus_cross(m.v, m.w, X_PB.p))};
}

// Motion from B to P.
template <class T>
STANCE_INLINE Motion<T> to_parent(const Transform<T>& X_PB, const Motion<T>& m) {
  const Vec3<T> w = X_PB.R * m.w;
  return {w, plus_cross(X_PB.R * m.v, X_PB.p, w)};
}

// Force from P to B, RBDA 2.25.
template <class T>
STANCE_INLINE Force<T> to_child(const Transform<T>& X_PB, const Force<T>& f) {
  return {transpose_times(X_PB.R, plus_cross(f.n, f.f, X_PB.p)), transpose_times(X_PB.R, f.f)};
}

// Force from B to P.
template <class T>
STANCE_INLINE Force<T> to_parent(const Transform<T>& X_PB, const Force<T>& f) {
  const Vec3<T> g = X_PB.R * f.f;
  return {plus_cross(X_PB.R * f.n, X_PB.p, g), g};
}

}  // namespace stance
