#include "stance_core/constraint/solve.hpp"

#include <algorithm>
#include <cmath>

namespace stance {
namespace {

// A pivot of Cholesky's below this part of its diagonal may be rounding alone: the other way finds out.
constexpr double kPivotTolerance = 1e-7;
// Where no row moves at all, c is the rounding of gravity and velocities: no contradiction (m/s², or m/s in an impact).
constexpr double kRounding = 1e-12;

// K = L Lᵀ in place, and the solution of K x = b. False where a pivot is in doubt.
bool cholesky(int n, RowMatrix& K, RowVector& x) noexcept {
  // a row that nothing moves has a diagonal of rounding
  double largest = 0;
  for (int j = 0; j < n; ++j) largest = std::max(largest, K[j][j]);
  const double least = kRowTolerance * largest;
  for (int j = 0; j < n; ++j) {
    double d = K[j][j];
    for (int k = 0; k < j; ++k) d -= K[j][k] * K[j][k];
    if (!(d > kPivotTolerance * K[j][j] && d > least)) return false;
    const double l = std::sqrt(d);
    K[j][j] = l;
    for (int i = j + 1; i < n; ++i) {
      double s = K[i][j];
      for (int k = 0; k < j; ++k) s -= K[i][k] * K[j][k];
      K[i][j] = s / l;
    }
  }
  for (int i = 0; i < n; ++i) {
    for (int k = 0; k < i; ++k) x[i] -= K[i][k] * x[k];
    x[i] /= K[i][i];
  }
  for (int i = n - 1; i >= 0; --i) {
    for (int k = i + 1; k < n; ++k) x[i] -= K[k][i] * x[k];
    x[i] /= K[i][i];
  }
  return true;
}

}  // namespace

RowsAnswer solve_rows(const Tree& tree, const Workspace& w, const Delassus& d,
                      std::span<const int> active, DenseStage& stage, RowVector& lambda,
                      int& rank) noexcept {
  const int n = static_cast<int>(active.size());
  for (int k = 0; k < d.count; ++k) lambda[k] = 0;
  rank = n;
  if (n == 0) return RowsAnswer::kUnique;
  RowVector x;
  for (int i = 0; i < n; ++i) {
    const int r = active[static_cast<std::size_t>(i)];
    for (int j = 0; j <= i; ++j) stage.K[i][j] = d.G[r][active[static_cast<std::size_t>(j)]];
    x[i] = -d.c[r];
  }
  if (cholesky(n, stage.K, x)) {
    for (int i = 0; i < n; ++i) lambda[active[static_cast<std::size_t>(i)]] = x[i];
    return RowsAnswer::kUnique;
  }

  auto& qr = stage.qr;
  for (int i = 0; i < tree.dof_count; ++i) {
    const double root = std::sqrt(w.D_inverse[i]);
    for (int k = 0; k < n; ++k) qr.A[i][k] = root * d.Y[active[static_cast<std::size_t>(k)]][i];
  }
  qr.factorize(tree.dof_count, n, kRowTolerance);  // (1)
  rank = qr.rank;
  qr.complete();
  double scale = 0;
  for (int i = 0; i < n; ++i) {
    stage.y[i] = -d.c[active[static_cast<std::size_t>(i)]];
    scale = std::max(scale, std::abs(stage.y[i]));
  }
  qr.least_squares(stage.y);  // (2): z in the first `rank` numbers
  RowsAnswer answer = rank == n ? RowsAnswer::kUnique : RowsAnswer::kRedundant;
  for (int j = 0; j < n; ++j) {  // P Tᵀ z + c
    double sum = d.c[active[static_cast<std::size_t>(qr.column[j])]];
    for (int k = 0; k <= std::min(j, rank - 1); ++k) sum += qr.A[k][j] * stage.y[k];
    if (!(std::abs(sum) <= kRowTolerance * scale + kRounding)) answer = RowsAnswer::kInconsistent;
  }
  qr.least_norm(stage.y, stage.y);  // (3)
  for (int i = 0; i < n; ++i) lambda[active[static_cast<std::size_t>(i)]] = stage.y[i];
  return answer;
}

}  // namespace stance
