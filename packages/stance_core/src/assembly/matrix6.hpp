// 6x6 blocks as assembly needs them. Columns have the angular part first.
#pragma once

#include <array>

#include "stance_core/assembly/subchain.hpp"

namespace stance {

inline Column6 column6(const Motion<double>& m) {
  return {m.w.x, m.w.y, m.w.z, m.v.x, m.v.y, m.v.z};
}
inline Column6 column6(const Force<double>& f) {
  return {f.n.x, f.n.y, f.n.z, f.f.x, f.f.y, f.f.z};
}
inline Motion<double> motion(const Column6& c) { return {{c[0], c[1], c[2]}, {c[3], c[4], c[5]}}; }
inline Force<double> force(const Column6& c) { return {{c[0], c[1], c[2]}, {c[3], c[4], c[5]}}; }

inline Matrix6 identity6() {
  Matrix6 A;
  for (int i = 0; i < 6; ++i) A.m[i][i] = 1;
  return A;
}

inline Matrix6 transposed(const Matrix6& A) {
  Matrix6 B;
  for (int i = 0; i < 6; ++i) {
    for (int j = 0; j < 6; ++j) B.m[j][i] = A.m[i][j];
  }
  return B;
}

inline Matrix6 operator*(const Matrix6& A, const Matrix6& B) {
  Matrix6 C;
  for (int i = 0; i < 6; ++i) {
    for (int k = 0; k < 6; ++k) {
      for (int j = 0; j < 6; ++j) C.m[i][j] += A.m[i][k] * B.m[k][j];
    }
  }
  return C;
}

// A Bᵀ
inline Matrix6 times_transposed(const Matrix6& A, const Matrix6& B) { return A * transposed(B); }
// Aᵀ B
inline Matrix6 transposed_times(const Matrix6& A, const Matrix6& B) {
  Matrix6 C;
  for (int k = 0; k < 6; ++k) {
    for (int i = 0; i < 6; ++i) {
      for (int j = 0; j < 6; ++j) C.m[i][j] += A.m[k][i] * B.m[k][j];
    }
  }
  return C;
}

inline Matrix6 operator+(const Matrix6& A, const Matrix6& B) {
  Matrix6 C;
  for (int i = 0; i < 6; ++i) {
    for (int j = 0; j < 6; ++j) C.m[i][j] = A.m[i][j] + B.m[i][j];
  }
  return C;
}
inline Matrix6 operator-(const Matrix6& A, const Matrix6& B) {
  Matrix6 C;
  for (int i = 0; i < 6; ++i) {
    for (int j = 0; j < 6; ++j) C.m[i][j] = A.m[i][j] - B.m[i][j];
  }
  return C;
}

inline Column6 operator*(const Matrix6& A, const Column6& x) {
  Column6 y{};
  for (int i = 0; i < 6; ++i) {
    for (int j = 0; j < 6; ++j) y[i] += A.m[i][j] * x[j];
  }
  return y;
}
inline Column6 transposed_times(const Matrix6& A, const Column6& x) {
  Column6 y{};
  for (int j = 0; j < 6; ++j) {
    for (int i = 0; i < 6; ++i) y[i] += A.m[j][i] * x[j];
  }
  return y;
}

inline Column6 operator+(const Column6& a, const Column6& b) {
  return {a[0] + b[0], a[1] + b[1], a[2] + b[2], a[3] + b[3], a[4] + b[4], a[5] + b[5]};
}
inline Column6 operator-(const Column6& a, const Column6& b) {
  return {a[0] - b[0], a[1] - b[1], a[2] - b[2], a[3] - b[3], a[4] - b[4], a[5] - b[5]};
}
inline double dot(const Column6& a, const Column6& b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3] + a[4] * b[4] + a[5] * b[5];
}

// What rounding left unequal on the two sides of the diagonal.
inline void symmetrize(Matrix6& A) {
  for (int i = 0; i < 6; ++i) {
    for (int j = i + 1; j < 6; ++j) A.m[i][j] = A.m[j][i] = 0.5 * (A.m[i][j] + A.m[j][i]);
  }
}

// The matrix of to_child(X_PB, motion): RBDA 2.24.
inline Matrix6 motion_to_child(const Transform<double>& X_PB) {
  Matrix6 X;
  for (int j = 0; j < 6; ++j) {
    Column6 e{};
    e[j] = 1;
    const Column6 column = column6(to_child(X_PB, motion(e)));
    for (int i = 0; i < 6; ++i) X.m[i][j] = column[i];
  }
  return X;
}

inline Matrix6 matrix6(const ArticulatedInertia<double>& A) {
  const auto& [I, H, M] = A;
  return {{{I.xx, I.xy, I.xz, H.a.x, H.b.x, H.c.x},
           {I.xy, I.yy, I.yz, H.a.y, H.b.y, H.c.y},
           {I.xz, I.yz, I.zz, H.a.z, H.b.z, H.c.z},
           {H.a.x, H.a.y, H.a.z, M.xx, M.xy, M.xz},
           {H.b.x, H.b.y, H.b.z, M.xy, M.yy, M.yz},
           {H.c.x, H.c.y, H.c.z, M.xz, M.yz, M.zz}}};
}

inline ArticulatedInertia<double> articulated(const Matrix6& A) {
  const auto& m = A.m;
  return {{m[0][0], m[0][1], m[0][2], m[1][1], m[1][2], m[2][2]},
          {{m[0][3], m[1][3], m[2][3]}, {m[0][4], m[1][4], m[2][4]}, {m[0][5], m[1][5], m[2][5]}},
          {m[3][3], m[3][4], m[3][5], m[4][4], m[4][5], m[5][5]}};
}

// The inverse of the leading n rows and columns of a symmetric positive definite matrix, by L D Lᵀ. False where a pivot
// is below `least` times the diagonal entry it came from, or no number.
bool inverse_spd(int n, double least, const Matrix6& A, Matrix6& A_inverse) noexcept;

// The inverse of any matrix, with row pivoting. False where it has none.
bool inverse(const Matrix6& A, Matrix6& A_inverse) noexcept;

}  // namespace stance
