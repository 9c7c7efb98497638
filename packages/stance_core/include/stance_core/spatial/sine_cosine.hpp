// Sine and cosine of one angle together, without a branch on the way: joint angles are where a dynamics algorithm
// spends its first tenth. One text for a double and for a pack of lanes.
//
// (1) k = round(x 2/pi), r = x - k pi/2 in three parts of pi/2 whose products with k are exact for |k| < 2^20
//     (Cody and Waite). (2) polynomials in r² on |r| <= pi/4, those of fdlibm's kernels. (3) k mod 4 picks and signs.
// Largest error seen over ten million angles: 1 unit in the last place of 1 (see test_sine_cosine.cpp).
// Beyond the range of (1), 1.6e6 rad, the standard library answers, lane by lane.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>

#include "stance_core/spatial/lanes.hpp"

namespace stance {

template <class T>
struct SineCosine {
  T sine, cosine;
};

// A double, or the vector inside a pack, as it is: plain numbers to the compiler, with their bits as integers.
STANCE_INLINE double raw(double x) { return x; }
STANCE_INLINE std::uint64_t raw_bits(double x) { return std::bit_cast<std::uint64_t>(x); }
template <int W>
STANCE_INLINE typename Lanes<W>::Vector raw(const Lanes<W>& x) {
  return x.lanes;
}
template <int W>
STANCE_INLINE typename LaneVector<W>::Bits raw_bits(const Lanes<W>& x) {
  return reinterpret_cast<typename LaneVector<W>::Bits>(x.lanes);
}
// x with its sign turned where bit 1 of k is set
STANCE_INLINE double turn_sign(double x, std::uint64_t k) {
  return std::bit_cast<double>(raw_bits(x) ^ ((k & 2) << 62));
}
template <int W>
STANCE_INLINE Lanes<W> turn_sign(const Lanes<W>& x, const typename LaneVector<W>::Bits& k) {
  return reinterpret_cast<typename Lanes<W>::Vector>(raw_bits(x) ^ ((k & 2) << 62));
}

STANCE_INLINE SineCosine<double> sine_cosine_of_large(double x) {
  return {std::sin(x), std::cos(x)};
}
template <int W>
STANCE_INLINE SineCosine<Lanes<W>> sine_cosine_of_large(const Lanes<W>& x) {
  SineCosine<Lanes<W>> out;
  for (int i = 0; i < W; ++i) {
    out.sine.set(i, std::sin(x[i]));
    out.cosine.set(i, std::cos(x[i]));
  }
  return out;
}

template <class T>
STANCE_INLINE SineCosine<T> sine_cosine(const T& x) noexcept {
  if (!all_at_least(T(1.6e6) - magnitude(x), 0)) [[unlikely]]
    return sine_cosine_of_large(x);
  constexpr double kRound =
      6755399441055744.0;  // 1.5 * 2^52: adding it leaves round(x) in the low bits
  const T shifted = x * T(0.63661977236758134308) + T(kRound);
  const auto quadrant = raw_bits(shifted);
  const T k = shifted - T(kRound);
  const T r = ((x - k * T(1.57079632673412561417e+00)) - k * T(6.07710050630396597660e-11)) -
              k * T(2.02226624879595063154e-21);
  const T z = r * r, zz = z * z;
  // even and odd halves of each polynomial, so that they run side by side
  const T s = r + r * z *
                      ((T(-1.66666666666666324348e-01) + z * T(8.33333333332248946124e-03)) +
                       zz * ((T(-1.98412698298579493134e-04) + z * T(2.75573137070700676789e-06)) +
                             zz * (T(-2.50507602534068634195e-08) +
                                   z * T(1.58969099521155010221e-10))));
  const T c = (T(1) - T(0.5) * z) +
              zz * ((T(4.16666666666666019037e-02) + z * T(-1.38888888888741095749e-03)) +
                    zz * ((T(2.48015872894767294178e-05) + z * T(-2.75573143513906633035e-07)) +
                          zz * (T(2.08757232129817482790e-09) +
                                z * T(-1.13596475577881948265e-11))));
  const auto swap = (quadrant & 1) != 0;
  const T sine = swap ? raw(c) : raw(s), cosine = swap ? raw(s) : raw(c);
  // the sign bits: of sine in quadrants 2 and 3, of cosine in 1 and 2
  return {turn_sign(sine, quadrant), turn_sign(cosine, quadrant + 1)};
}

}  // namespace stance
