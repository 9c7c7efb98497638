#include "assembly/matrix6.hpp"

#include <cmath>
#include <utility>

namespace stance {

bool inverse_spd(int n, double least, const Matrix6& A, Matrix6& A_inverse) noexcept {
  double L[6][6]{}, D[6]{};
  for (int j = 0; j < n; ++j) {
    double d = A.m[j][j];
    for (int k = 0; k < j; ++k) d -= L[j][k] * L[j][k] * D[k];
    if (!(d > least * A.m[j][j])) return false;
    D[j] = d;
    L[j][j] = 1;
    for (int i = j + 1; i < n; ++i) {
      double x = A.m[i][j];
      for (int k = 0; k < j; ++k) x -= L[i][k] * L[j][k] * D[k];
      L[i][j] = x / d;
    }
  }
  // the columns of L⁻¹, then A⁻¹ = L⁻ᵀ D⁻¹ L⁻¹
  double K[6][6]{};
  for (int c = 0; c < n; ++c) {
    K[c][c] = 1;
    for (int i = c + 1; i < n; ++i) {
      for (int k = c; k < i; ++k) K[i][c] -= L[i][k] * K[k][c];
    }
  }
  A_inverse = {};
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j <= i; ++j) {
      double x = 0;
      for (int k = i; k < n; ++k) x += K[k][i] * K[k][j] / D[k];
      A_inverse.m[i][j] = A_inverse.m[j][i] = x;
    }
  }
  return true;
}

bool inverse(const Matrix6& A, Matrix6& A_inverse) noexcept {
  double a[6][12]{};
  for (int i = 0; i < 6; ++i) {
    for (int j = 0; j < 6; ++j) a[i][j] = A.m[i][j];
    a[i][6 + i] = 1;
  }
  for (int j = 0; j < 6; ++j) {
    int best = j;
    for (int i = j + 1; i < 6; ++i) {
      if (std::abs(a[i][j]) > std::abs(a[best][j])) best = i;
    }
    if (!(std::abs(a[best][j]) > 0) || !std::isfinite(a[best][j])) return false;
    if (best != j) std::swap(a[j], a[best]);
    const double k = 1 / a[j][j];
    for (int c = j; c < 12; ++c) a[j][c] *= k;
    for (int i = 0; i < 6; ++i) {
      if (i == j) continue;
      const double l = a[i][j];
      if (l == 0) continue;
      for (int c = j; c < 12; ++c) a[i][c] -= l * a[j][c];
    }
  }
  for (int i = 0; i < 6; ++i) {
    for (int j = 0; j < 6; ++j) A_inverse.m[i][j] = a[i][6 + j];
  }
  return true;
}

}  // namespace stance
