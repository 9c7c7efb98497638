// Rigid-body and articulated-body inertias (RBDA sections 2.13 and 7.1).
#pragma once

#include "stance_core/spatial/transform.hpp"

namespace stance {

// Rigid body: mass, first moment h = m c and rotational inertia about the frame's origin.
template <class T>
struct RigidInertia {
  T m{};
  Vec3<T> h;
  Sym3<T> I;

  // Momentum of a body that moves with v, RBDA 2.63.
  friend STANCE_INLINE Force<T> operator*(const RigidInertia& b, const Motion<T>& v) {
    return {b.I * v.w + cross(b.h, v.v), v.v * b.m - cross(b.h, v.w)};
  }
  friend STANCE_INLINE RigidInertia operator+(const RigidInertia& a, const RigidInertia& b) {
    return {a.m + b.m, a.h + b.h, a.I + b.I};
  }
  STANCE_INLINE RigidInertia& operator+=(const RigidInertia& b) { return *this = *this + b; }
  friend bool operator==(const RigidInertia&, const RigidInertia&) = default;
};

// m (|a|² 1 - a aᵀ): what the mass adds to the inertia at a distance a from its centre.
template <class T>
STANCE_INLINE Sym3<T> point_inertia(const T& m, const Vec3<T>& a) {
  const T mx = m * a.x, my = m * a.y, mz = m * a.z;
  const T xx = mx * a.x, yy = my * a.y, zz = mz * a.z;
  return {yy + zz, -mx * a.y, -mx * a.z, xx + zz, -my * a.z, xx + yy};
}

// From mass, centre of mass and inertia about that centre, all in one frame. RBDA 2.62.
template <class T>
RigidInertia<T> rigid_inertia(const T& m, const Vec3<T>& c, const Sym3<T>& I_c) {
  return {m, c * m, I_c + point_inertia(m, c)};
}

// The inertia known in frame B, in frame P. With y = R h the steps are RBDA 2.66 without a division by m:
//   h' = y + m p,  I' = R I Rᵀ - (y pᵀ + p yᵀ) + 2 (y·p) 1 + m (|p|² 1 - p pᵀ)
template <class T>
STANCE_INLINE RigidInertia<T> to_parent(const Transform<T>& X_PB, const RigidInertia<T>& b) {
  const Vec3<T> y = X_PB.R * b.h;
  const Vec3<T>& p = X_PB.p;
  Sym3<T> I = rotate(X_PB.R, b.I) + point_inertia(b.m, p);
  const T xx = y.x * p.x, yy = y.y * p.y, zz = y.z * p.z;
  I.xx += (yy + zz) + (yy + zz);
  I.yy += (xx + zz) + (xx + zz);
  I.zz += (xx + yy) + (xx + yy);
  I.xy = I.xy - (y.x * p.y + p.x * y.y);
  I.xz = I.xz - (y.x * p.z + p.x * y.z);
  I.yz = I.yz - (y.y * p.z + p.y * y.z);
  return {b.m, y + p * b.m, I};
}

// Articulated body: the symmetric 6x6 matrix [I H; Hᵀ M]. RBDA 7.1.
template <class T>
struct ArticulatedInertia {
  Sym3<T> I;
  Mat3<T> H;
  Sym3<T> M;

  friend STANCE_INLINE Force<T> operator*(const ArticulatedInertia& A, const Motion<T>& v) {
    return {A.I * v.w + A.H * v.v, transpose_times(A.H, v.w) + A.M * v.v};
  }
  STANCE_INLINE ArticulatedInertia& operator+=(const ArticulatedInertia& B) {
    I += B.I, H += B.H, M += B.M;
    return *this;
  }
};

// A rigid body as an articulated one: H = h×, M = m 1.
template <class T>
STANCE_INLINE ArticulatedInertia<T> articulated(const RigidInertia<T>& b) {
  const T o(0);
  return {
      b.I, {{o, b.h.z, -b.h.y}, {-b.h.z, o, b.h.x}, {b.h.y, -b.h.x, o}}, {b.m, o, o, b.m, o, b.m}};
}

// A - U k Uᵀ: what is left of A when the motion that U belongs to is free. RBDA 7.25 with k = 1/D.
template <class T>
STANCE_INLINE void subtract_outer(ArticulatedInertia<T>& A, const Force<T>& U, const T& k) {
  const Vec3<T> n = U.n * k, f = U.f * k;
  A.I = {A.I.xx - n.x * U.n.x, A.I.xy - n.x * U.n.y, A.I.xz - n.x * U.n.z,
         A.I.yy - n.y * U.n.y, A.I.yz - n.y * U.n.z, A.I.zz - n.z * U.n.z};
  A.H = {A.H.a - n * U.f.x, A.H.b - n * U.f.y, A.H.c - n * U.f.z};
  A.M = {A.M.xx - f.x * U.f.x, A.M.xy - f.x * U.f.y, A.M.xz - f.x * U.f.z,
         A.M.yy - f.y * U.f.y, A.M.yz - f.y * U.f.z, A.M.zz - f.z * U.f.z};
}

// The inertia known in frame B, in frame P. With all blocks rotated into P first:
//   f = Hᵀ w + M (v - p × w)                 so  H' = H + p× M
//   n = I w + H (v - p × w) + p × f          so  I' = I - H p× + p× H'ᵀ
template <class T>
STANCE_INLINE ArticulatedInertia<T> to_parent(const Transform<T>& X_PB,
                                              const ArticulatedInertia<T>& A) {
  const Vec3<T>& p = X_PB.p;
  Sym3<T> I = rotate(X_PB.R, A.I);
  const Mat3<T> H = rotate(X_PB.R, A.H);
  const Sym3<T> M = rotate(X_PB.R, A.M);
  const Mat3<T> G = {H.a + cross(p, M.col_x()), H.b + cross(p, M.col_y()),
                     H.c + cross(p, M.col_z())};  // H'
  // rows of H and G; (p× Gᵀ) has columns p × row(G), and -(H p×) is the transpose of p× Hᵀ
  const Vec3<T> hx{H.a.x, H.b.x, H.c.x}, hy{H.a.y, H.b.y, H.c.y}, hz{H.a.z, H.b.z, H.c.z};
  const Vec3<T> gx{G.a.x, G.b.x, G.c.x}, gy{G.a.y, G.b.y, G.c.y}, gz{G.a.z, G.b.z, G.c.z};
  const Vec3<T> hpx = cross(p, hx), hpy = cross(p, hy), hpz = cross(p, hz);
  const Vec3<T> gpx = cross(p, gx), gpy = cross(p, gy), gpz = cross(p, gz);
  I.xx += gpx.x + hpx.x;
  I.xy += gpy.x + hpx.y;
  I.xz += gpz.x + hpx.z;
  I.yy += gpy.y + hpy.y;
  I.yz += gpz.y + hpy.z;
  I.zz += gpz.z + hpz.z;
  return {I, G, M};
}

}  // namespace stance
