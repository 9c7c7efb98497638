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
    return {plus_cross(b.I * v.w, b.h, v.v), plus_cross(v.v * b.m, v.w, b.h)};
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

// The inertia known in frame P, in frame B: about B's origin first, then turned. With h' = h - m p,
//   I' = Rᵀ (I + m (|p|² 1 - p pᵀ) - 2 (h·p) 1 + h pᵀ + p hᵀ) R = Rᵀ (I - (h + h')·p 1 + (h pᵀ + p h'ᵀ)) R
template <class T>
STANCE_INLINE RigidInertia<T> to_child(const Transform<T>& X_PB, const RigidInertia<T>& b) {
  const Vec3<T>& h = b.h;
  const Vec3<T>& p = X_PB.p;
  const Vec3<T> g = h - p * b.m, s = h + g;
  const T xx = s.x * p.x, yy = s.y * p.y, zz = s.z * p.z;
  const Sym3<T> I{
      b.I.xx - (yy + zz), b.I.xy + h.x * p.y + p.x * g.y, b.I.xz + h.x * p.z + p.x * g.z,
      b.I.yy - (xx + zz), b.I.yz + h.y * p.z + p.y * g.z, b.I.zz - (xx + yy)};
  return {b.m, transpose_times(X_PB.R, g), rotate(transpose(X_PB.R), I)};
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

// A - L Uᵀ with L = U D⁻¹: what is left of A when the motion that U belongs to is free. RBDA 7.25.
template <class T>
STANCE_INLINE void subtract_outer(ArticulatedInertia<T>& A, const Force<T>& L, const Force<T>& U) {
  const auto& [n, f] = L;
  A.I = {A.I.xx - n.x * U.n.x, A.I.xy - n.x * U.n.y, A.I.xz - n.x * U.n.z,
         A.I.yy - n.y * U.n.y, A.I.yz - n.y * U.n.z, A.I.zz - n.z * U.n.z};
  A.H = {A.H.a - n * U.f.x, A.H.b - n * U.f.y, A.H.c - n * U.f.z};
  A.M = {A.M.xx - f.x * U.f.x, A.M.xy - f.x * U.f.y, A.M.xz - f.x * U.f.z,
         A.M.yy - f.y * U.f.y, A.M.yz - f.y * U.f.z, A.M.zz - f.z * U.f.z};
}

// [I H; Hᵀ M] whose z row is zero: what is left of an articulated body that turns freely about z. Of I there are then
// the entries xx, xy, yy, and of H the rows x and y.
template <class T>
struct HingedInertia {
  T xx, xy, yy;
  Vec3<T> hx, hy;
  Sym3<T> M;
};

// e + A c for a c without z, as the velocity product of a hinge is.
template <class T>
STANCE_INLINE Force<T> plus_times(const Force<T>& e, const HingedInertia<T>& A,
                                  const Motion<T>& c) {
  const T &wx = c.w.x, &wy = c.w.y, &vx = c.v.x, &vy = c.v.y;
  return {{e.n.x + (A.xx * wx + A.xy * wy + A.hx.x * vx + A.hx.y * vy),
           e.n.y + (A.xy * wx + A.yy * wy + A.hy.x * vx + A.hy.y * vy), e.n.z},
          e.f + (A.hx * wx + A.hy * wy + A.M.col_x() * vx + A.M.col_y() * vy)};
}

// A - L Uᵀ for U the z column of A and L = U / U.n.z.
template <class T>
STANCE_INLINE HingedInertia<T> without_z(const ArticulatedInertia<T>& A, const Force<T>& L,
                                         const Force<T>& U) {
  const auto& [n, f] = L;
  return {A.I.xx - n.x * U.n.x,
          A.I.xy - n.x * U.n.y,
          A.I.yy - n.y * U.n.y,
          Vec3<T>{A.H.a.x, A.H.b.x, A.H.c.x} - U.f * n.x,
          Vec3<T>{A.H.a.y, A.H.b.y, A.H.c.y} - U.f * n.y,
          {A.M.xx - f.x * U.f.x, A.M.xy - f.x * U.f.y, A.M.xz - f.x * U.f.z, A.M.yy - f.y * U.f.y,
           A.M.yz - f.y * U.f.z, A.M.zz - f.z * U.f.z}};
}

// From frame B, whose axes it already has, to P, the blocks rotated into P:
//   f = Hᵀ w + M (v - p × w)                 so  H' = H + p× M
//   n = I w + H (v - p × w) + p × f          so  I' = I - H p× + p× H'ᵀ
template <class T>
STANCE_INLINE ArticulatedInertia<T> shift(const Vec3<T>& p, const ArticulatedInertia<T>& A) {
  const auto& [I, H, M] = A;
  const Mat3<T> G = {plus_cross(H.a, p, M.col_x()), plus_cross(H.b, p, M.col_y()),
                     plus_cross(H.c, p, M.col_z())};  // H'
  // (p× Gᵀ) has columns p × row(G), and -(H p×) has rows p × row(H)
  return {{I.xx + p.y * (G.c.x + H.c.x) - p.z * (G.b.x + H.b.x),
           I.xy + p.y * G.c.y - p.z * G.b.y + p.z * H.a.x - p.x * H.c.x,
           I.xz + p.y * G.c.z - p.z * G.b.z + p.x * H.b.x - p.y * H.a.x,
           I.yy + p.z * (G.a.y + H.a.y) - p.x * (G.c.y + H.c.y),
           I.yz + p.z * G.a.z - p.x * G.c.z + p.x * H.b.y - p.y * H.a.y,
           I.zz + p.x * (G.b.z + H.b.z) - p.y * (G.a.z + H.a.z)},
          G,
          M};
}

// The inertia known in frame B, in frame P.
template <class T>
STANCE_INLINE ArticulatedInertia<T> to_parent(const Transform<T>& X_PB,
                                              const ArticulatedInertia<T>& A) {
  const Mat3<T>& R = X_PB.R;
  return shift(X_PB.p, {rotate(R, A.I), rotate(R, A.H), rotate(R, A.M)});
}

template <class T>
STANCE_INLINE ArticulatedInertia<T> to_parent(const Transform<T>& X_PB, const HingedInertia<T>& A) {
  const auto& [a, b, c] = X_PB.R;
  const Vec3<T> ya = a * A.xx + b * A.xy, yb = a * A.xy + b * A.yy;  // R I, then (R I) Rᵀ
  const Vec3<T> hx = X_PB.R * A.hx, hy = X_PB.R * A.hy;              // H = a hxᵀ + b hyᵀ
  return shift(X_PB.p, {{ya.x * a.x + yb.x * b.x, ya.x * a.y + yb.x * b.y, ya.x * a.z + yb.x * b.z,
                         ya.y * a.y + yb.y * b.y, ya.y * a.z + yb.y * b.z, ya.z * a.z + yb.z * b.z},
                        {a * hx.x + b * hy.x, a * hx.y + b * hy.y, a * hx.z + b * hy.z},
                        rotate(X_PB.R, A.M)});
}

}  // namespace stance
