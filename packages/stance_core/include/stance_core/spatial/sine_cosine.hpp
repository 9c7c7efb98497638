// Sine and cosine of one angle together, without a branch on the way: joint angles are where a dynamics algorithm
// spends its first tenth, and the same steps fit a pack of lanes.
//
// (1) k = round(x 2/pi), r = x - k pi/2 in three parts of pi/2 whose products with k are exact for |k| < 2^20
//     (Cody and Waite). (2) polynomials in r² on |r| <= pi/4, those of fdlibm's kernels. (3) k mod 4 picks and signs.
// Largest error seen over ten million angles: 1 unit in the last place of 1 (see test_sine_cosine.cpp).
// Beyond the range of (1), 1.6e6 rad, the standard library answers.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>

#include "stance_core/spatial/vec3.hpp"

namespace stance {

template <class T>
struct SineCosine {
  T sine, cosine;
};

STANCE_INLINE SineCosine<double> sine_cosine(double x) noexcept {
  if (!(std::abs(x) < 1.6e6)) [[unlikely]]
    return {std::sin(x), std::cos(x)};
  constexpr double kRound =
      6755399441055744.0;  // 1.5 * 2^52: adding it leaves round(x) in the low bits
  const double shifted = x * 0.63661977236758134308 + kRound;
  const auto quadrant = std::bit_cast<std::uint64_t>(shifted);
  const double k = shifted - kRound;
  const double r = ((x - k * 1.57079632673412561417e+00) - k * 6.07710050630396597660e-11) -
                   k * 2.02226624879595063154e-21;
  const double z = r * r, zz = z * z;
  // even and odd halves of each polynomial, so that they run side by side
  const double s = r +
                   r * z *
                       ((-1.66666666666666324348e-01 + z * 8.33333333332248946124e-03) +
                        zz * ((-1.98412698298579493134e-04 + z * 2.75573137070700676789e-06) +
                              zz * (-2.50507602534068634195e-08 + z * 1.58969099521155010221e-10)));
  const double c = (1 - 0.5 * z) +
                   zz *
                       ((4.16666666666666019037e-02 + z * -1.38888888888741095749e-03) +
                        zz * ((2.48015872894767294178e-05 + z * -2.75573143513906633035e-07) +
                              zz * (2.08757232129817482790e-09 + z * -1.13596475577881948265e-11)));
  const bool swap = quadrant & 1;
  const double sine = swap ? c : s, cosine = swap ? s : c;
  // the sign bits: of sine in quadrants 2 and 3, of cosine in 1 and 2
  const std::uint64_t sine_sign = (quadrant & 2) << 62, cosine_sign = ((quadrant + 1) & 2) << 62;
  return {std::bit_cast<double>(std::bit_cast<std::uint64_t>(sine) ^ sine_sign),
          std::bit_cast<double>(std::bit_cast<std::uint64_t>(cosine) ^ cosine_sign)};
}

}  // namespace stance
