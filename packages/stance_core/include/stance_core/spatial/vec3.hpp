// Three-vectors and 3x3 matrices over an open scalar: a double, or a pack of SIMD lanes.
//
// Eigen is the matrix library of stance; it appears wherever sizes are large or a user looks (mass matrices,
// Jacobians, descriptions), and these types convert to and from it. The kernels use these plain aggregates
// instead, for two reasons: the same text must run on packs of lanes, and a kernel compiled for a newer
// processor must not share inline functions with code compiled for an older one (hence the forced inlining).
#pragma once

#include <Eigen/Core>
#include <cmath>
#include <concepts>

#define STANCE_INLINE inline __attribute__((always_inline))

namespace stance {

template <class T>
struct Vec3 {
  T x{}, y{}, z{};

  Vec3() = default;
  STANCE_INLINE constexpr Vec3(const T& x_, const T& y_, const T& z_) : x(x_), y(y_), z(z_) {}
  template <std::same_as<T> U>
  Vec3(const Eigen::Matrix<U, 3, 1>& a)
      : x(a[0]), y(a[1]), z(a[2]) {}  // NOLINT(google-explicit-constructor)
  Eigen::Matrix<T, 3, 1> eigen() const { return {x, y, z}; }

  STANCE_INLINE Vec3& operator+=(const Vec3& b) {
    x += b.x, y += b.y, z += b.z;
    return *this;
  }
  STANCE_INLINE Vec3& operator-=(const Vec3& b) {
    x -= b.x, y -= b.y, z -= b.z;
    return *this;
  }
  friend STANCE_INLINE Vec3 operator+(const Vec3& a, const Vec3& b) {
    return {a.x + b.x, a.y + b.y, a.z + b.z};
  }
  friend STANCE_INLINE Vec3 operator-(const Vec3& a, const Vec3& b) {
    return {a.x - b.x, a.y - b.y, a.z - b.z};
  }
  friend STANCE_INLINE Vec3 operator-(const Vec3& a) { return {-a.x, -a.y, -a.z}; }
  friend STANCE_INLINE Vec3 operator*(const Vec3& a, const T& s) {
    return {a.x * s, a.y * s, a.z * s};
  }
  friend STANCE_INLINE Vec3 operator*(const T& s, const Vec3& a) { return a * s; }
  friend bool operator==(const Vec3&, const Vec3&) = default;
};

template <class T>
STANCE_INLINE T dot(const Vec3<T>& a, const Vec3<T>& b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}

// s + a·b
template <class T>
STANCE_INLINE T plus_dot(const T& s, const Vec3<T>& a, const Vec3<T>& b) {
  return s + a.x * b.x + a.y * b.y + a.z * b.z;
}

// s - a·b
template <class T>
STANCE_INLINE T minus_dot(const T& s, const Vec3<T>& a, const Vec3<T>& b) {
  return s - a.x * b.x - a.y * b.y - a.z * b.z;
}

template <class T>
STANCE_INLINE Vec3<T> cross(const Vec3<T>& a, const Vec3<T>& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

// e + a × b. Written out, as a fused multiply-add takes the sum along with a product; e - a × b is plus_cross(e, b, a).
template <class T>
STANCE_INLINE Vec3<T> plus_cross(const Vec3<T>& e, const Vec3<T>& a, const Vec3<T>& b) {
  return {e.x + a.y * b.z - a.z * b.y, e.y + a.z * b.x - a.x * b.z, e.z + a.x * b.y - a.y * b.x};
}

inline double norm(const Vec3<double>& a) { return std::sqrt(dot(a, a)); }

// A general 3x3 matrix by columns: M = [a b c].
template <class T>
struct Mat3 {
  Vec3<T> a, b, c;

  Mat3() = default;
  STANCE_INLINE constexpr Mat3(const Vec3<T>& a_, const Vec3<T>& b_, const Vec3<T>& c_)
      : a(a_), b(b_), c(c_) {}
  template <std::same_as<T> U>
  Mat3(const Eigen::Matrix<U, 3, 3>& m)  // NOLINT(google-explicit-constructor)
      : a(m(0, 0), m(1, 0), m(2, 0)), b(m(0, 1), m(1, 1), m(2, 1)), c(m(0, 2), m(1, 2), m(2, 2)) {}
  Eigen::Matrix<T, 3, 3> eigen() const {
    Eigen::Matrix<T, 3, 3> m;
    m << a.x, b.x, c.x, a.y, b.y, c.y, a.z, b.z, c.z;
    return m;
  }
  static constexpr Mat3 identity() {
    return {{T(1), T(0), T(0)}, {T(0), T(1), T(0)}, {T(0), T(0), T(1)}};
  }

  friend STANCE_INLINE Vec3<T> operator*(const Mat3& m, const Vec3<T>& v) {
    return {m.a.x * v.x + m.b.x * v.y + m.c.x * v.z, m.a.y * v.x + m.b.y * v.y + m.c.y * v.z,
            m.a.z * v.x + m.b.z * v.y + m.c.z * v.z};
  }
  friend STANCE_INLINE Mat3 operator*(const Mat3& m, const Mat3& n) {
    return {m * n.a, m * n.b, m * n.c};
  }
  friend STANCE_INLINE Mat3 operator+(const Mat3& m, const Mat3& n) {
    return {m.a + n.a, m.b + n.b, m.c + n.c};
  }
  STANCE_INLINE Mat3& operator+=(const Mat3& m) {
    a += m.a, b += m.b, c += m.c;
    return *this;
  }
  friend bool operator==(const Mat3&, const Mat3&) = default;
};

template <class T>
STANCE_INLINE Mat3<T> transpose(const Mat3<T>& m) {
  return {{m.a.x, m.b.x, m.c.x}, {m.a.y, m.b.y, m.c.y}, {m.a.z, m.b.z, m.c.z}};
}

// mᵀ v without forming the transpose.
template <class T>
STANCE_INLINE Vec3<T> transpose_times(const Mat3<T>& m, const Vec3<T>& v) {
  return {dot(m.a, v), dot(m.b, v), dot(m.c, v)};
}

// e + mᵀ v, a fused multiply-add each, as in plus_cross.
template <class T>
STANCE_INLINE Vec3<T> plus_transpose_times(const Vec3<T>& e, const Mat3<T>& m, const Vec3<T>& v) {
  return {plus_dot(e.x, m.a, v), plus_dot(e.y, m.b, v), plus_dot(e.z, m.c, v)};
}

// A symmetric 3x3 matrix: six numbers.
template <class T>
struct Sym3 {
  T xx{}, xy{}, xz{}, yy{}, yz{}, zz{};

  Eigen::Matrix<T, 3, 3> eigen() const {
    Eigen::Matrix<T, 3, 3> m;
    m << xx, xy, xz, xy, yy, yz, xz, yz, zz;
    return m;
  }
  STANCE_INLINE Vec3<T> col_x() const { return {xx, xy, xz}; }
  STANCE_INLINE Vec3<T> col_y() const { return {xy, yy, yz}; }
  STANCE_INLINE Vec3<T> col_z() const { return {xz, yz, zz}; }

  friend STANCE_INLINE Vec3<T> operator*(const Sym3& m, const Vec3<T>& v) {
    return {m.xx * v.x + m.xy * v.y + m.xz * v.z, m.xy * v.x + m.yy * v.y + m.yz * v.z,
            m.xz * v.x + m.yz * v.y + m.zz * v.z};
  }
  friend STANCE_INLINE Sym3 operator+(const Sym3& m, const Sym3& n) {
    return {m.xx + n.xx, m.xy + n.xy, m.xz + n.xz, m.yy + n.yy, m.yz + n.yz, m.zz + n.zz};
  }
  STANCE_INLINE Sym3& operator+=(const Sym3& n) { return *this = *this + n; }
  friend bool operator==(const Sym3&, const Sym3&) = default;
};

template <class T>
Sym3<T> symmetric(const Eigen::Matrix<T, 3, 3>& m) {
  return {m(0, 0), m(0, 1), m(0, 2), m(1, 1), m(1, 2), m(2, 2)};
}

// R M Rᵀ for a rotation R: 45 multiplications.
template <class T>
STANCE_INLINE Sym3<T> rotate(const Mat3<T>& R, const Sym3<T>& M) {
  const Vec3<T> ya = R * M.col_x(), yb = R * M.col_y(), yc = R * M.col_z();  // Y = R M, result Y Rᵀ
  return {ya.x * R.a.x + yb.x * R.b.x + yc.x * R.c.x, ya.x * R.a.y + yb.x * R.b.y + yc.x * R.c.y,
          ya.x * R.a.z + yb.x * R.b.z + yc.x * R.c.z, ya.y * R.a.y + yb.y * R.b.y + yc.y * R.c.y,
          ya.y * R.a.z + yb.y * R.b.z + yc.y * R.c.z, ya.z * R.a.z + yb.z * R.b.z + yc.z * R.c.z};
}

// R M Rᵀ for a general M.
template <class T>
STANCE_INLINE Mat3<T> rotate(const Mat3<T>& R, const Mat3<T>& M) {
  const Mat3<T> Y = R * M;
  return {Y.a * R.a.x + Y.b * R.b.x + Y.c * R.c.x, Y.a * R.a.y + Y.b * R.b.y + Y.c * R.c.y,
          Y.a * R.a.z + Y.b * R.b.z + Y.c * R.c.z};
}

}  // namespace stance
