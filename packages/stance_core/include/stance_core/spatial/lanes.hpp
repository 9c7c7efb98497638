// A pack of doubles that are worked on together: the scalar of the algorithms when several limbs (or several
// simulations) run in the lanes of one SIMD register.
//
// It is the compiler's own vector type with the few operations the algorithms use. A processor without registers of
// this width does the same in halves. Nothing here is ever called across a file compiled for another processor:
// every function is forced inline.
#pragma once

#include <bit>
#include <cstdint>

#include "stance_core/spatial/vec3.hpp"

namespace stance {

// The compiler's vectors of W doubles, and of as many integers. (g++ takes no W here that is a template's.)
template <int W>
struct LaneVector;
template <>
struct LaneVector<4> {
  using Doubles __attribute__((vector_size(32))) = double;
  using Integers __attribute__((vector_size(32))) = std::int64_t;
  using Bits __attribute__((vector_size(32))) = std::uint64_t;
};
template <>
struct LaneVector<8> {
  using Doubles __attribute__((vector_size(64))) = double;
  using Integers __attribute__((vector_size(64))) = std::int64_t;
  using Bits __attribute__((vector_size(64))) = std::uint64_t;
};

// Aligned by hand: where the processor has no such registers, g++'s alignof, and with it std::make_shared and
// std::vector, knows of 16 bytes alone, while kernels compiled for another processor count on all.
template <int W>
struct alignas(W * sizeof(double)) Lanes {
  using Vector = typename LaneVector<W>::Doubles;

  Vector lanes;

  Lanes() = default;
  STANCE_INLINE Lanes(const Vector& v) : lanes(v) {}      // NOLINT(google-explicit-constructor)
  STANCE_INLINE Lanes(double x) : lanes(x - Vector{}) {}  // NOLINT(google-explicit-constructor)

  STANCE_INLINE double operator[](int lane) const { return lanes[lane]; }
  STANCE_INLINE void set(int lane, double x) { lanes[lane] = x; }

  STANCE_INLINE Lanes& operator+=(const Lanes& b) {
    lanes += b.lanes;
    return *this;
  }
  STANCE_INLINE Lanes& operator-=(const Lanes& b) {
    lanes -= b.lanes;
    return *this;
  }
  friend STANCE_INLINE Lanes operator+(const Lanes& a, const Lanes& b) { return a.lanes + b.lanes; }
  friend STANCE_INLINE Lanes operator-(const Lanes& a, const Lanes& b) { return a.lanes - b.lanes; }
  friend STANCE_INLINE Lanes operator-(const Lanes& a) { return -a.lanes; }
  friend STANCE_INLINE Lanes operator*(const Lanes& a, const Lanes& b) { return a.lanes * b.lanes; }
  friend STANCE_INLINE Lanes operator/(const Lanes& a, const Lanes& b) { return a.lanes / b.lanes; }
};

// Whether it holds in every lane; false for lanes that are not numbers.
template <int W>
STANCE_INLINE bool all_at_least(const Lanes<W>& a, double bound) {
  const typename LaneVector<W>::Integers holds = a.lanes >= Lanes<W>(bound).lanes;
  std::int64_t all = -1;
  for (int i = 0; i < W; ++i) all &= holds[i];
  return all != 0;
}
STANCE_INLINE bool all_at_least(double a, double bound) { return a >= bound; }

template <int W>
STANCE_INLINE Lanes<W> magnitude(const Lanes<W>& a) {
  return a.lanes < 0 ? -a.lanes : a.lanes;
}
STANCE_INLINE double magnitude(double a) { return std::abs(a); }

// The lanes from scattered places.
template <int W, class Index>
STANCE_INLINE Lanes<W> gather(const double* from, const Index* index) {
  Lanes<W> out;
  if constexpr (W == 4) {
    out.lanes = typename Lanes<W>::Vector{from[index[0]], from[index[1]], from[index[2]],
                                          from[index[3]]};
  } else {
    for (int i = 0; i < W; ++i) out.lanes[i] = from[index[i]];
  }
  return out;
}

// ---- spatial quantities: a C<Lanes<W>> is, lane by lane, a C<double>. All of them are plain rows of scalars.

template <template <class> class C>
inline constexpr int kScalars = static_cast<int>(sizeof(C<double>) / sizeof(double));

template <template <class> class C, int W>
STANCE_INLINE void set_lane(int lane, const C<double>& from, C<Lanes<W>>& to) {
  const double* x = reinterpret_cast<const double*>(&from);
  Lanes<W>* y = reinterpret_cast<Lanes<W>*>(&to);
  for (int i = 0; i < kScalars<C>; ++i) y[i].lanes[lane] = x[i];
}

template <template <class> class C, int W>
STANCE_INLINE C<double> get_lane(int lane, const C<Lanes<W>>& from) {
  C<double> to;
  const Lanes<W>* x = reinterpret_cast<const Lanes<W>*>(&from);
  double* y = reinterpret_cast<double*>(&to);
  for (int i = 0; i < kScalars<C>; ++i) y[i] = x[i].lanes[lane];
  return to;
}

// from[index[lane]] in each lane
template <int W, template <class> class C, class Index>
STANCE_INLINE C<Lanes<W>> gather(const C<double>* from, const Index* index) {
  C<Lanes<W>> to;
  Lanes<W>* y = reinterpret_cast<Lanes<W>*>(&to);
  const double* x[W];
  for (int lane = 0; lane < W; ++lane)
    x[lane] = reinterpret_cast<const double*>(&from[index[lane]]);
  for (int i = 0; i < kScalars<C>; ++i) {
    if constexpr (W == 4) {
      y[i].lanes = typename Lanes<W>::Vector{x[0][i], x[1][i], x[2][i], x[3][i]};
    } else {
      for (int lane = 0; lane < W; ++lane) y[i].lanes[lane] = x[lane][i];
    }
  }
  return to;
}

// The sums of the lanes of four packs.
STANCE_INLINE Lanes<4> sum_lanes(const Lanes<4>& p, const Lanes<4>& q, const Lanes<4>& r,
                                 const Lanes<4>& s) {
  using Pack = Lanes<4>::Vector;
  const Pack a = p.lanes, b = q.lanes, c = r.lanes, d = s.lanes;
  const Pack ab = Pack{a[0], b[0], a[2], b[2]} + Pack{a[1], b[1], a[3], b[3]};
  const Pack cd = Pack{c[0], d[0], c[2], d[2]} + Pack{c[1], d[1], c[3], d[3]};
  return Pack{ab[0], ab[1], cd[0], cd[1]} + Pack{ab[2], ab[3], cd[2], cd[3]};
}

// Sum of the lanes, each times its weight.
template <template <class> class C>
STANCE_INLINE C<double> sum_lanes(const C<Lanes<4>>& from, const Lanes<4>& weight) {
  constexpr int kCount = kScalars<C>;
  const Lanes<4>* x = reinterpret_cast<const Lanes<4>*>(&from);
  C<double> to;
  double* y = reinterpret_cast<double*>(&to);
  const auto term = [&](int i) __attribute__((always_inline)) {
    return i < kCount ? x[i] * weight : Lanes<4>(0);
  };
  for (int i = 0; i < kCount; i += 4) {
    const Lanes<4> sums = sum_lanes(term(i), term(i + 1), term(i + 2), term(i + 3));
    for (int k = 0; k < 4 && i + k < kCount; ++k) y[i + k] = sums[k];
  }
  return to;
}

}  // namespace stance
