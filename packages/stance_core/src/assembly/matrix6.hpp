// 6x6 blocks as assembly needs them. Columns have the angular part first. All inline: compiled for each processor.
#pragma once

#include <array>
#include <cmath>

#include "stance_core/assembly/subchain.hpp"

namespace stance {

STANCE_INLINE Column6 column6(const Motion<double>& m) {
  return {m.w.x, m.w.y, m.w.z, m.v.x, m.v.y, m.v.z};
}
STANCE_INLINE Column6 column6(const Force<double>& f) {
  return {f.n.x, f.n.y, f.n.z, f.f.x, f.f.y, f.f.z};
}
STANCE_INLINE Motion<double> motion(const Column6& c) {
  return {{c[0], c[1], c[2]}, {c[3], c[4], c[5]}};
}
STANCE_INLINE Force<double> force(const Column6& c) {
  return {{c[0], c[1], c[2]}, {c[3], c[4], c[5]}};
}

STANCE_INLINE Matrix6 identity6() {
  Matrix6 A;
  for (int i = 0; i < 6; ++i) A.m[i][i] = 1;
  return A;
}

STANCE_INLINE Matrix6 transposed(const Matrix6& A) {
  Matrix6 B;
  for (int i = 0; i < 6; ++i) {
    for (int j = 0; j < 6; ++j) B.m[j][i] = A.m[i][j];
  }
  return B;
}

STANCE_INLINE Matrix6 operator*(const Matrix6& A, const Matrix6& B) {
  Matrix6 C;
  for (int i = 0; i < 6; ++i) {
    Matrix6::Row row = B.row[0] * A.m[i][0];
    for (int k = 1; k < 6; ++k) row += B.row[k] * A.m[i][k];
    C.row[i] = row;
  }
  return C;
}

// A Bᵀ
STANCE_INLINE Matrix6 times_transposed(const Matrix6& A, const Matrix6& B) {
  return A * transposed(B);
}
// Aᵀ B
STANCE_INLINE Matrix6 transposed_times(const Matrix6& A, const Matrix6& B) {
  Matrix6 C;
  for (int i = 0; i < 6; ++i) {
    Matrix6::Row row = B.row[0] * A.m[0][i];
    for (int k = 1; k < 6; ++k) row += B.row[k] * A.m[k][i];
    C.row[i] = row;
  }
  return C;
}

STANCE_INLINE Matrix6 operator+(const Matrix6& A, const Matrix6& B) {
  Matrix6 C;
  for (int i = 0; i < 6; ++i) C.row[i] = A.row[i] + B.row[i];
  return C;
}
STANCE_INLINE Matrix6 operator-(const Matrix6& A, const Matrix6& B) {
  Matrix6 C;
  for (int i = 0; i < 6; ++i) C.row[i] = A.row[i] - B.row[i];
  return C;
}

STANCE_INLINE Column6 operator*(const Matrix6& A, const Column6& x) {
  Column6 y{};
  for (int i = 0; i < 6; ++i) {
    for (int j = 0; j < 6; ++j) y[i] += A.m[i][j] * x[j];
  }
  return y;
}
STANCE_INLINE Column6 transposed_times(const Matrix6& A, const Column6& x) {
  Column6 y{};
  for (int j = 0; j < 6; ++j) {
    for (int i = 0; i < 6; ++i) y[i] += A.m[j][i] * x[j];
  }
  return y;
}

STANCE_INLINE Column6 operator+(const Column6& a, const Column6& b) {
  return {a[0] + b[0], a[1] + b[1], a[2] + b[2], a[3] + b[3], a[4] + b[4], a[5] + b[5]};
}
STANCE_INLINE Column6 operator-(const Column6& a, const Column6& b) {
  return {a[0] - b[0], a[1] - b[1], a[2] - b[2], a[3] - b[3], a[4] - b[4], a[5] - b[5]};
}
STANCE_INLINE double dot(const Column6& a, const Column6& b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3] + a[4] * b[4] + a[5] * b[5];
}

// What rounding left unequal on the two sides of the diagonal.
STANCE_INLINE void symmetrize(Matrix6& A) {
  for (int i = 0; i < 6; ++i) {
    for (int j = i + 1; j < 6; ++j) A.m[i][j] = A.m[j][i] = 0.5 * (A.m[i][j] + A.m[j][i]);
  }
}

// The matrix of to_child(X_PB, motion): RBDA 2.24.
STANCE_INLINE Matrix6 motion_to_child(const Transform<double>& X_PB) {
  Matrix6 X;
  for (int j = 0; j < 6; ++j) {
    Column6 e{};
    e[j] = 1;
    const Column6 column = column6(to_child(X_PB, motion(e)));
    for (int i = 0; i < 6; ++i) X.m[i][j] = column[i];
  }
  return X;
}

STANCE_INLINE Matrix6 matrix6(const ArticulatedInertia<double>& A) {
  const auto& [I, H, M] = A;
  Matrix6 B;
  B.row[0] = Matrix6::Row{I.xx, I.xy, I.xz, H.a.x, H.b.x, H.c.x};
  B.row[1] = Matrix6::Row{I.xy, I.yy, I.yz, H.a.y, H.b.y, H.c.y};
  B.row[2] = Matrix6::Row{I.xz, I.yz, I.zz, H.a.z, H.b.z, H.c.z};
  B.row[3] = Matrix6::Row{H.a.x, H.a.y, H.a.z, M.xx, M.xy, M.xz};
  B.row[4] = Matrix6::Row{H.b.x, H.b.y, H.b.z, M.xy, M.yy, M.yz};
  B.row[5] = Matrix6::Row{H.c.x, H.c.y, H.c.z, M.xz, M.yz, M.zz};
  return B;
}

STANCE_INLINE ArticulatedInertia<double> articulated(const Matrix6& A) {
  const auto& m = A.m;
  return {{m[0][0], m[0][1], m[0][2], m[1][1], m[1][2], m[2][2]},
          {{m[0][3], m[1][3], m[2][3]}, {m[0][4], m[1][4], m[2][4]}, {m[0][5], m[1][5], m[2][5]}},
          {m[3][3], m[3][4], m[3][5], m[4][4], m[4][5], m[5][5]}};
}

// The inverse of the leading n rows and columns of a symmetric positive definite matrix, by L D Lᵀ. False where a pivot
// is below `least` times the diagonal entry it came from, or no number.
template <class CompiledFor>
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

// The inverse of any matrix, with row pivoting. False where it has none.
template <class CompiledFor>
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
    for (int c = 0; best != j && c < 12; ++c) {
      const double x = a[j][c];
      a[j][c] = a[best][c], a[best][c] = x;
    }
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
