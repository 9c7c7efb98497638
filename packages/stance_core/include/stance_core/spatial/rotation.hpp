// Unit quaternions and rotation matrices.
#pragma once

#include <cmath>

#include "stance_core/spatial/vec3.hpp"

namespace stance {

// x y z w, rotating child coordinates into parent coordinates.
struct Quaternion {
  double x = 0, y = 0, z = 0, w = 1;

  friend Quaternion operator*(const Quaternion& a, const Quaternion& b) noexcept {
    return {a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
            a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
            a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w,
            a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z};
  }
};

inline double norm(const Quaternion& q) noexcept {
  return std::sqrt(q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w);
}

inline Quaternion normalized(const Quaternion& q) noexcept {
  const double s = 1 / norm(q);
  return {q.x * s, q.y * s, q.z * s, q.w * s};
}

STANCE_INLINE Mat3<double> rotation(const Quaternion& q) {
  const double xx = q.x * q.x, yy = q.y * q.y, zz = q.z * q.z, xy = q.x * q.y, xz = q.x * q.z,
               yz = q.y * q.z, wx = q.w * q.x, wy = q.w * q.y, wz = q.w * q.z;
  return {{1 - 2 * (yy + zz), 2 * (xy + wz), 2 * (xz - wy)},
          {2 * (xy - wz), 1 - 2 * (xx + zz), 2 * (yz + wx)},
          {2 * (xz + wy), 2 * (yz - wx), 1 - 2 * (xx + yy)}};
}

// Shepperd's method: divides by the largest of the four components, so it is accurate for every rotation.
inline Quaternion quaternion(const Mat3<double>& R) noexcept {
  const double t = R.a.x + R.b.y + R.c.z;
  Quaternion q;
  if (t >= R.a.x && t >= R.b.y && t >= R.c.z) {
    q = {R.b.z - R.c.y, R.c.x - R.a.z, R.a.y - R.b.x, 1 + t};
  } else if (R.a.x >= R.b.y && R.a.x >= R.c.z) {
    q = {1 + 2 * R.a.x - t, R.a.y + R.b.x, R.c.x + R.a.z, R.b.z - R.c.y};
  } else if (R.b.y >= R.c.z) {
    q = {R.a.y + R.b.x, 1 + 2 * R.b.y - t, R.b.z + R.c.y, R.c.x - R.a.z};
  } else {
    q = {R.c.x + R.a.z, R.b.z + R.c.y, 1 + 2 * R.c.z - t, R.a.y - R.b.x};
  }
  return normalized(q);
}

// exp of a rotation vector: the rotation by |r| about r.
inline Quaternion exponential(const Vec3<double>& r) noexcept {
  const double angle2 = dot(r, r);
  const double angle = std::sqrt(angle2);
  // sin(a/2)/a; its Taylor series is exact to rounding below the switch
  const double s = angle < 1e-4 ? 0.5 - angle2 / 48 : std::sin(0.5 * angle) / angle;
  return {r.x * s, r.y * s, r.z * s, std::cos(0.5 * angle)};
}

// The rotation that takes z onto the unit vector `axis`: what makes a joint turn or slide about its own z.
// Exact permutations for the axes of the frame, which is what robot files mostly have.
inline Mat3<double> z_onto(const Vec3<double>& axis) noexcept {
  const double ax = std::abs(axis.x), ay = std::abs(axis.y), az = std::abs(axis.z);
  // x of the new frame: the coordinate axis farthest from `axis`, made orthogonal to it
  const Vec3<double> seed = ax <= ay && ax <= az ? Vec3<double>{1, 0, 0}
                            : ay <= az           ? Vec3<double>{0, 1, 0}
                                                 : Vec3<double>{0, 0, 1};
  Vec3<double> x = seed - axis * dot(seed, axis);
  x = x * (1 / norm(x));
  return {x, cross(axis, x), axis};
}

}  // namespace stance
