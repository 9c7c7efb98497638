// K x = b for a symmetric positive semidefinite K that may be singular: the x of least norm, with the rank, or the news
// that there is none.
//
// K is the response of a set of rows to their own multipliers (a Delassus matrix). Rows that depend on each other, such as
// those of a planar four-bar closed by a pin, make it singular: forces are then not unique, accelerations are.
//   (1) K' = D K D, b' = D b with D = diag(1 / sqrt(scale)), scale the answer of a row's bodies in all directions alike, so
//       that metres and radians, and a row that nothing can move, are measured with one rule
//   (2) Cholesky with pivots: P K' Pᵀ = L Lᵀ + what is left, which is nothing once no pivot is above kDependent and the
//       rounding that K came with
//   (3) x1 from the independent rows, refined once; the others at zero. Any solution will do
//   (4) null vectors n = D Pᵀ [-L11⁻ᵀ L21ᵀ; 1], made orthonormal; x = x1 - n nᵀ x1: the least |x|, without D
//   (5) it is a solution if b - K x vanishes against the size of what b was summed from
#pragma once

#include <algorithm>
#include <array>
#include <cmath>

namespace stance {

// A row of (1) whose answer falls below this, with those before it held, depends on them. Rounding leaves some 1e-15.
inline constexpr double kDependent = 1e-12;
// Of (5): larger than what a closure that is open by 1e-9 brings in.
inline constexpr double kContradiction = 1e-8;

template <int N>
struct LeastNorm {
  int n = 0;
  std::array<std::array<double, N>, N> K;  // in: both triangles; stays
  std::array<double, N> b, scale;          // in
  std::array<double, N> size;              // in: what b was summed from
  std::array<double, N> noise;             // in: the rounding of the diagonal of K
  std::array<double, N> x;                 // out
  int rank = 0;                            // out
  bool consistent = true;                  // out

  std::array<std::array<double, N>, N> L,
      null;  // scratch: the factor in order of pivots; null vectors by rows
  std::array<double, N> d, y, least;
  std::array<int, N> order;
};

template <int N>
void solve_least_norm(LeastNorm<N>& s) noexcept {
  const int n = s.n;
  for (int i = 0; i < n; ++i) {
    // a row that nothing moves answers with rounding, which is no scale
    s.d[i] = s.scale[i] > s.noise[i] ? 1 / std::sqrt(s.scale[i]) : 1;
    s.least[i] = kDependent + s.noise[i] * s.d[i] * s.d[i];
    s.order[i] = i;
    s.x[i] = 0;
  }
  // (2) by rows of the unfinished part, in place
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) s.L[i][j] = s.d[i] * s.K[i][j] * s.d[j];
  }
  int r = 0;
  for (; r < n; ++r) {
    int best = -1;
    for (int i = r; i < n; ++i) {
      if (s.L[i][i] > s.least[s.order[i]] && (best < 0 || s.L[i][i] > s.L[best][best])) best = i;
    }
    if (best < 0) break;
    if (best != r) {
      std::swap(s.order[best], s.order[r]);
      std::swap(s.L[best], s.L[r]);
      for (int i = 0; i < n; ++i) std::swap(s.L[i][best], s.L[i][r]);
    }
    const double pivot = std::sqrt(s.L[r][r]);
    s.L[r][r] = pivot;
    for (int i = r + 1; i < n; ++i) s.L[i][r] /= pivot;
    for (int i = r + 1; i < n; ++i) {
      for (int j = r + 1; j <= i; ++j) {
        s.L[i][j] -= s.L[i][r] * s.L[j][r];
        s.L[j][i] = s.L[i][j];
      }
    }
  }
  s.rank = r;
  const auto at = [&](int k) { return s.order[k]; };
  // (3)
  const auto add_solution = [&] {
    for (int i = 0; i < n; ++i) {
      s.y[i] = s.b[i];
      for (int j = 0; j < n; ++j) s.y[i] -= s.K[i][j] * s.x[j];
    }
    std::array<double, N>& z = s.null[0];
    for (int i = 0; i < r; ++i) {
      z[i] = s.d[at(i)] * s.y[at(i)];
      for (int k = 0; k < i; ++k) z[i] -= s.L[i][k] * z[k];
      z[i] /= s.L[i][i];
    }
    for (int i = r - 1; i >= 0; --i) {
      for (int k = i + 1; k < r; ++k) z[i] -= s.L[k][i] * z[k];
      z[i] /= s.L[i][i];
    }
    for (int i = 0; i < r; ++i) s.x[at(i)] += s.d[at(i)] * z[i];
  };
  if (r > 0) add_solution(), add_solution();
  // (4)
  for (int k = r; k < n; ++k) {
    std::array<double, N>& z = s.y;
    for (int i = r - 1; i >= 0; --i) {
      z[i] = -s.L[k][i];
      for (int m = i + 1; m < r; ++m) z[i] -= s.L[m][i] * z[m];
      z[i] /= s.L[i][i];
    }
    std::array<double, N>& v = s.null[k - r];
    for (int i = 0; i < n; ++i) v[i] = 0;
    for (int i = 0; i < r; ++i) v[at(i)] = s.d[at(i)] * z[i];
    v[at(k)] = s.d[at(k)];
  }
  const auto project = [&](const std::array<double, N>& v, std::array<double, N>& from) {
    double p = 0;
    for (int i = 0; i < n; ++i) p += v[i] * from[i];
    for (int i = 0; i < n; ++i) from[i] -= p * v[i];
  };
  for (int k = 0; k < n - r; ++k) {
    std::array<double, N>& v = s.null[k];
    for (int twice = 0; twice < 2; ++twice) {
      for (int m = 0; m < k; ++m) project(s.null[m], v);
      double square = 0;
      for (int i = 0; i < n; ++i) square += v[i] * v[i];
      const double length = std::sqrt(square);
      for (int i = 0; i < n; ++i) v[i] /= length;
    }
  }
  for (int twice = 0; twice < 2; ++twice) {
    for (int k = 0; k < n - r; ++k) project(s.null[k], s.x);
  }
  // (5)
  double open = 0, size = 0;
  for (int i = 0; i < n; ++i) {
    double e = s.b[i];
    for (int j = 0; j < n; ++j) e -= s.K[i][j] * s.x[j];
    open = std::max(open, s.d[i] * std::abs(e));
    size = std::max(size, s.d[i] * s.size[i]);
  }
  s.consistent = r == n || open <= kContradiction * size;
}

}  // namespace stance
