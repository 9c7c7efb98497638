// The dense stage: which forces make a set of rows hold, G lambda + c = 0, also where rows depend on each other.
//
// Rows that depend on each other are told apart in two: if the conditions agree, accelerations are unique and the forces
// are those of least norm, which is what equal small springs at every row would give (the restoring forces of Hoffmann and
// Hopcroft, 4.4); if they contradict each other no motion exists, and the answer says so. Ranks are found from
// A = D^(-1/2) Y with G = AᵀA, not from G, so that no digits are lost to a square:
//   (1) A P = Q [T; 0]     (2) P Tᵀ z = -c, solvable or not     (3) T Pᵀ lambda = z, least norm
#pragma once

#include <span>

#include "stance_core/base/status.hpp"
#include "stance_core/constraint/dense_stage.hpp"

namespace stance {

enum class RowsAnswer : unsigned char {
  kUnique,       // the rows are independent
  kRedundant,    // they are not, but agree: forces of least norm
  kInconsistent  // no motion satisfies them
};

constexpr const char* to_string(RowsAnswer answer) noexcept {
  constexpr const char* kNames[] = {"unique", "redundant", "inconsistent"};
  return kNames[static_cast<int>(answer)];
}

// A row counts as dependent when what is new in it is below this part of the largest row, and rows contradict each other
// when they miss by more than this part of the largest c. Rounding leaves 1e-13 of either.
inline constexpr double kRowTolerance = 1e-9;

// Forces of the rows in `active` (indices into d); all others are zero. `rank` is of the active rows.
RowsAnswer solve_rows(const Tree& tree, const Workspace& w, const Delassus& d,
                      std::span<const int> active, DenseStage& stage, RowVector& lambda,
                      int& rank) noexcept;

}  // namespace stance
