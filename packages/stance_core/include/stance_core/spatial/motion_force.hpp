// Spatial motion and force vectors (RBDA chapter 2), angular part first. Their product is power.
//
// The two types do not mix: there is no cross product, sum or transform between them that is not meant.
#pragma once

#include "stance_core/spatial/vec3.hpp"

namespace stance {

template <class T>
struct Motion {
  Vec3<T> w;  // angular
  Vec3<T> v;  // linear, of the point at the frame's origin

  STANCE_INLINE Motion& operator+=(const Motion& b) {
    w += b.w, v += b.v;
    return *this;
  }
  friend STANCE_INLINE Motion operator+(const Motion& a, const Motion& b) {
    return {a.w + b.w, a.v + b.v};
  }
  friend STANCE_INLINE Motion operator-(const Motion& a, const Motion& b) {
    return {a.w - b.w, a.v - b.v};
  }
  friend STANCE_INLINE Motion operator-(const Motion& a) { return {-a.w, -a.v}; }
  friend STANCE_INLINE Motion operator*(const Motion& a, const T& s) { return {a.w * s, a.v * s}; }
  friend bool operator==(const Motion&, const Motion&) = default;
};

template <class T>
struct Force {
  Vec3<T> n;  // moment about the frame's origin
  Vec3<T> f;  // force

  STANCE_INLINE Force& operator+=(const Force& b) {
    n += b.n, f += b.f;
    return *this;
  }
  STANCE_INLINE Force& operator-=(const Force& b) {
    n -= b.n, f -= b.f;
    return *this;
  }
  friend STANCE_INLINE Force operator+(const Force& a, const Force& b) {
    return {a.n + b.n, a.f + b.f};
  }
  friend STANCE_INLINE Force operator-(const Force& a, const Force& b) {
    return {a.n - b.n, a.f - b.f};
  }
  friend STANCE_INLINE Force operator-(const Force& a) { return {-a.n, -a.f}; }
  friend STANCE_INLINE Force operator*(const Force& a, const T& s) { return {a.n * s, a.f * s}; }
  friend bool operator==(const Force&, const Force&) = default;
};

// Power.
template <class T>
STANCE_INLINE T dot(const Force<T>& f, const Motion<T>& v) {
  return dot(f.n, v.w) + dot(f.f, v.v);
}

// v × m, RBDA 2.31.
template <class T>
STANCE_INLINE Motion<T> cross(const Motion<T>& v, const Motion<T>& m) {
  return {cross(v.w, m.w), plus_cross(cross(v.w, m.v), v.v, m.w)};
}

// v ×* f, RBDA 2.32.
template <class T>
STANCE_INLINE Force<T> cross(const Motion<T>& v, const Force<T>& f) {
  return {plus_cross(cross(v.w, f.n), v.v, f.f), cross(v.w, f.f)};
}

}  // namespace stance
