// Scratch of the dense stage: what solve.cpp and friction.cpp factorise.
#pragma once

#include "stance_core/constraint/delassus.hpp"
#include "stance_core/constraint/pivoted_qr.hpp"

namespace stance {

inline constexpr int kDenseRows = kMaxDofs > kMaxRows ? kMaxDofs : kMaxRows;

struct DenseStage {
  RowMatrix K;  // the active part of G; then its Cholesky factor
  PivotedQr<kDenseRows, kMaxRows> qr;
  std::array<double, kDenseRows> y;
};

}  // namespace stance
