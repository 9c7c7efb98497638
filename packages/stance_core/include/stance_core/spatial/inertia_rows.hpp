// The articulated inertia of one body, a row of a block in a register: lanes for the bodies that are walked one after
// the other, where lanes cannot be limbs. Half the instructions of the same in scalars.
//
// Three lanes of four are used; what the last one holds has no meaning.
#pragma once

#include <cstring>

#include "stance_core/spatial/inertia.hpp"
#include "stance_core/spatial/lanes.hpp"

namespace stance {

// A 3x3 matrix; x is its first row.
using Rows = Vec3<Lanes<4>>;

// [I H; Hᵀ M], RBDA 7.1.
struct InertiaRows {
  Rows I, H, M;

  STANCE_INLINE InertiaRows& operator+=(const InertiaRows& B) {
    I += B.I, H += B.H, M += B.M;
    return *this;
  }
};

// Not a zero in the last lane: g++ makes that with an instruction that valgrind does not know.
STANCE_INLINE Lanes<4> row(double x, double y, double z) { return Lanes<4>::Vector{x, y, z, z}; }
STANCE_INLINE Vec3<double> entries(const Lanes<4>& row) { return {row[0], row[1], row[2]}; }

STANCE_INLINE Rows transpose(const Rows& m) {
  using Pack = Lanes<4>::Vector;
  const Pack x = m.x.lanes, y = m.y.lanes, z = m.z.lanes;
  const Pack even = {x[0], y[0], x[2], y[2]}, odd = {x[1], y[1], x[3], y[3]};
  const Pack turned = {z[1], z[0], z[3], z[2]};
  return {Pack{even[0], even[1], z[0], z[1]}, Pack{odd[0], odd[1], turned[0], turned[1]},
          Pack{even[2], even[3], z[2], z[3]}};
}

STANCE_INLINE InertiaRows rows(const ArticulatedInertia<double>& A) {
  const auto& [I, H, M] = A;
  return {
      {row(I.xx, I.xy, I.xz), row(I.xy, I.yy, I.yz), row(I.xz, I.yz, I.zz)},
      transpose(Rows{row(H.a.x, H.a.y, H.a.z), row(H.b.x, H.b.y, H.b.z), row(H.c.x, H.c.y, H.c.z)}),
      {row(M.xx, M.xy, M.xz), row(M.xy, M.yy, M.yz), row(M.xz, M.yz, M.zz)}};
}

// Four numbers that follow each other. Where they have just been written one by one, this waits for them.
STANCE_INLINE Lanes<4> load(const double& first) {
  Lanes<4> four;
  std::memcpy(&four, &first, sizeof four);
  return four;
}

// A += [I h×; -h× m 1], of a rigid body.
STANCE_INLINE void add(const RigidInertia<double>& b, InertiaRows& A) {
  using Pack = Lanes<4>::Vector;
  const Pack h = load(b.m).lanes;                             // m, h
  const Pack y = load(b.I.xy).lanes, z = load(b.I.xz).lanes;  // xy, xz, yy, yz; xz, yy, yz, zz
  A.I += Rows{load(b.I.xx), Pack{y[0], y[2], y[3], y[3]}, Pack{z[0], z[2], z[3], z[3]}};
  A.H.x.lanes += Pack{h[0], h[3], h[2], h[0]} * Pack{0, -1, 1, 0};
  A.H.y.lanes += Pack{h[3], h[0], h[1], h[0]} * Pack{1, 0, -1, 0};
  A.H.z.lanes += Pack{h[2], h[1], h[0], h[0]} * Pack{-1, 1, 0, 0};
  const Pack m = Lanes<4>(b.m).lanes;
  A.M.x.lanes += m * Pack{1, 0, 0, 0};
  A.M.y.lanes += m * Pack{0, 1, 0, 0};
  A.M.z.lanes += m * Pack{0, 0, 1, 0};
}

STANCE_INLINE ArticulatedInertia<double> from_rows(const InertiaRows& A) {
  const auto symmetric = [](const Rows& m) __attribute__((always_inline)) {
    return Sym3<double>{m.x[0], m.x[1], m.x[2], m.y[1], m.y[2], m.z[2]};
  };
  return {symmetric(A.I),
          {{A.H.x[0], A.H.y[0], A.H.z[0]},
           {A.H.x[1], A.H.y[1], A.H.z[1]},
           {A.H.x[2], A.H.y[2], A.H.z[2]}},
          symmetric(A.M)};
}

// R m, where the last row of m may be known to be zero.
template <bool kLastIsZero = false>
STANCE_INLINE Rows product(const Mat3<double>& R, const Rows& m) {
  const auto& [a, b, c] = R;
  if constexpr (kLastIsZero) {
    return {m.x * a.x + m.y * b.x, m.x * a.y + m.y * b.y, m.x * a.z + m.y * b.z};
  }
  return {m.x * a.x + m.y * b.x + m.z * c.x, m.x * a.y + m.y * b.y + m.z * c.y,
          m.x * a.z + m.y * b.z + m.z * c.z};
}
// p× m
STANCE_INLINE Rows cross(const Vec3<double>& p, const Rows& m) {
  return {m.z * p.y - m.y * p.z, m.x * p.z - m.z * p.x, m.y * p.x - m.x * p.y};
}

// The inertia known in frame B, in frame P. kHinged: it turns freely about z, so the last rows of I and H are zero,
// whatever is in them.
template <bool kHinged>
STANCE_INLINE InertiaRows to_parent(const Transform<double>& X_PB, const InertiaRows& A) {
  const Mat3<double>& R = X_PB.R;
  const Vec3<double>& p = X_PB.p;
  const Rows I = product<kHinged>(R, transpose(product<kHinged>(R, A.I)));  // R (R I)ᵀ = R I Rᵀ
  const Rows Ht = product(R, transpose(product<kHinged>(R, A.H)));          // (R H Rᵀ)ᵀ
  const Rows M = product(R, transpose(product(R, A.M)));
  // shift of inertia.hpp: H' = H + p× M,  I' = I + Q + Qᵀ + p× (p× M)ᵀ with Q = p× Hᵀ
  const Rows W = cross(p, M), Q = cross(p, Ht);
  return {I + Q + transpose(Q) + cross(p, transpose(W)), transpose(Ht) + W, M};
}

}  // namespace stance
