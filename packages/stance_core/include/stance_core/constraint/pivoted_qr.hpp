// Householder QR with column pivoting of a small matrix, and what it is for here: the least-norm solution of a system whose
// equations depend on each other. Golub and Van Loan, "Matrix Computations", 5.4.1 (Businger and Golub) and 5.5.
//
//   (1) A P = Q [T; 0], T upper trapezoidal of `rank` rows
//   (2) T Pᵀ x = (Qᵀ b)_1..rank has its least-norm solution in the range of P Tᵀ: with the QR of that,
//       P Tᵀ = Z S, x = Z S⁻ᵀ (Qᵀ b)_1..rank.
// No heap, as in cholesky.hpp.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>

namespace stance {

template <int kRows, int kColumns>
struct PivotedQr {
  int m = 0, n = 0, rank = 0;
  std::array<std::array<double, kColumns>, kRows> A;  // R above, Householder vectors below
  std::array<double, kColumns> tau;
  std::array<int, kColumns> column;  // P: the k-th column of A P is this one of A
  // the QR of P Tᵀ, made by complete()
  std::array<std::array<double, kColumns>, kColumns> B;
  std::array<double, kColumns> beta;

  // Of the leading m x n of A. Columns whose rest is below `tolerance` of the largest column's length are dependent.
  void factorize(int rows, int columns, double tolerance) noexcept {
    m = rows, n = columns;
    std::array<double, kColumns> length2;
    double largest = 0;
    for (int j = 0; j < n; ++j) {
      column[j] = j;
      length2[j] = 0;
      for (int i = 0; i < m; ++i) length2[j] += A[i][j] * A[i][j];
      largest = std::max(largest, length2[j]);
    }
    const double least = tolerance * std::sqrt(largest);
    rank = 0;
    for (int k = 0; k < std::min(m, n); ++k) {
      int p = k;
      double best = -1;
      for (int j = k; j < n; ++j) {  // anew: downdating would lose the small ones
        double sum = 0;
        for (int i = k; i < m; ++i) sum += A[i][j] * A[i][j];
        if (sum > best) best = sum, p = j;
      }
      if (!(std::sqrt(best) > least)) break;
      if (p != k) {
        for (int i = 0; i < m; ++i) std::swap(A[i][k], A[i][p]);
        std::swap(column[k], column[p]);
      }
      reflect(k, m, n, A, tau[k]);
      ++rank;
    }
  }

  // y <- Qᵀ y, of m numbers.
  template <class Vector>
  void apply_Qt(Vector& y) const noexcept {
    for (int k = 0; k < rank; ++k) reflect_vector(k, m, A, tau[k], y);
  }

  // The QR of P Tᵀ, for least-norm solutions.
  void complete() noexcept {
    for (int j = 0; j < n; ++j) {
      for (int k = 0; k < rank; ++k) B[column[j]][k] = j >= k ? A[k][j] : 0;
    }
    for (int k = 0; k < rank; ++k) reflect(k, n, rank, B, beta[k]);
  }

  // After complete(): x = Z S⁻ᵀ y, y of `rank` numbers. x may be y.
  template <class Vector>
  void least_norm(const Vector& y, Vector& x) const noexcept {
    for (int k = 0; k < rank; ++k) {
      double sum = y[k];
      for (int i = 0; i < k; ++i) sum -= B[i][k] * x[i];
      x[k] = sum / B[k][k];
    }
    for (int k = rank; k < n; ++k) x[k] = 0;
    apply_Z(x);
  }

  // After complete(): y = S⁻¹ Zᵀ x in the first `rank` numbers: the least-squares solution of P Tᵀ y = x.
  template <class Vector>
  void least_squares(Vector& x) const noexcept {
    for (int k = 0; k < rank; ++k) reflect_vector(k, n, B, beta[k], x);
    for (int k = rank - 1; k >= 0; --k) {
      for (int i = k + 1; i < rank; ++i) x[k] -= B[k][i] * x[i];
      x[k] /= B[k][k];
    }
  }

 private:
  template <class Vector>
  void apply_Z(Vector& x) const noexcept {
    for (int k = rank - 1; k >= 0; --k) reflect_vector(k, n, B, beta[k], x);
  }

  // Householder: the vector v = (1, below the diagonal of column k) with H = 1 - beta v vᵀ that makes it a multiple of e_k.
  template <class Matrix>
  static void reflect(int k, int rows, int columns, Matrix& M, double& factor) noexcept {
    double below = 0;
    for (int i = k + 1; i < rows; ++i) below += M[i][k] * M[i][k];
    const double alpha = M[k][k];
    const double length = std::sqrt(alpha * alpha + below);
    if (below == 0) {
      factor = 0;
      return;
    }
    const double v0 = alpha <= 0 ? alpha - length : -below / (alpha + length);
    factor = 2 * v0 * v0 / (below + v0 * v0);
    for (int i = k + 1; i < rows; ++i) M[i][k] /= v0;
    M[k][k] = length;
    for (int j = k + 1; j < columns; ++j) {
      double sum = M[k][j];
      for (int i = k + 1; i < rows; ++i) sum += M[i][k] * M[i][j];
      sum *= factor;
      M[k][j] -= sum;
      for (int i = k + 1; i < rows; ++i) M[i][j] -= sum * M[i][k];
    }
  }

  template <class Matrix, class Vector>
  static void reflect_vector(int k, int rows, const Matrix& M, double factor, Vector& y) noexcept {
    double sum = y[k];
    for (int i = k + 1; i < rows; ++i) sum += M[i][k] * y[i];
    sum *= factor;
    y[k] -= sum;
    for (int i = k + 1; i < rows; ++i) y[i] -= sum * M[i][k];
  }
};

}  // namespace stance
