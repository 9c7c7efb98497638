// The Cholesky factorisation of a small matrix, in place. Eigen's does the same, but keeps a way to the heap for matrices
// that outgrow its stack; code that runs in a step has none (test/test_real_time.py reads it off the library).
#pragma once

#include <array>
#include <cmath>

namespace stance {

template <int N>
struct SmallSystem {
  std::array<std::array<double, N>, N> K;  // symmetric; its lower triangle becomes L of K = L Lᵀ
  std::array<double, N> b;                 // becomes x of K x = b
};

// The leading n rows and columns. False where K is not positive definite; b is then undefined.
template <int N>
bool cholesky_solve(int n, SmallSystem<N>& s) noexcept {
  for (int j = 0; j < n; ++j) {
    double d = s.K[j][j];
    for (int k = 0; k < j; ++k) d -= s.K[j][k] * s.K[j][k];
    if (!(d > 0)) return false;
    s.K[j][j] = std::sqrt(d);
    for (int i = j + 1; i < n; ++i) {
      double x = s.K[i][j];
      for (int k = 0; k < j; ++k) x -= s.K[i][k] * s.K[j][k];
      s.K[i][j] = x / s.K[j][j];
    }
  }
  for (int i = 0; i < n; ++i) {  // L y = b
    for (int k = 0; k < i; ++k) s.b[i] -= s.K[i][k] * s.b[k];
    s.b[i] /= s.K[i][i];
  }
  for (int i = n - 1; i >= 0; --i) {  // Lᵀ x = y
    for (int k = i + 1; k < n; ++k) s.b[i] -= s.K[k][i] * s.b[k];
    s.b[i] /= s.K[i][i];
  }
  return true;
}

}  // namespace stance
