// The inertia in rows against the one in scalars.
#include "stance_core/spatial/inertia_rows.hpp"

#include <gtest/gtest.h>

#include "support/random_robot.hpp"
#include "support/spatial_matrices.hpp"

namespace stance {
namespace {

using namespace test;

constexpr double kRounding = 1e-13;  // congruences of 6x6 matrices with entries up to about 5

TEST(InertiaRows, AreTheSameNumbers) {
  Random random(49);
  for (int trial = 0; trial < 50; ++trial) {
    const ArticulatedInertia<double> A = random_articulated(random), B = random_articulated(random);
    EXPECT_EQ(matrix(from_rows(rows(A))), matrix(A));
    InertiaRows sum = rows(A);
    sum += rows(B);
    EXPECT_EQ(matrix(from_rows(sum)), matrix(A) + matrix(B));
    const RigidInertia<double> b{A.M.xx, random_vector(random), B.I};
    add(b, sum = rows(A));
    EXPECT_EQ(matrix(from_rows(sum)), matrix(A) + matrix(articulated(b)));
  }
}

TEST(InertiaRows, MoveToTheParentAsScalarsDo) {
  Random random(50);
  for (int trial = 0; trial < 50; ++trial) {
    ArticulatedInertia<double> A = random_articulated(random);
    const Transform<double> X = random_transform(random);
    EXPECT_LT(distance(matrix(from_rows(to_parent<false>(X, rows(A)))), matrix(to_parent(X, A))),
              kRounding);
    // free about z its last rows are zero, and not read
    const Force<double> U = A * Motion<double>{{0, 0, 1}, {}};
    subtract_outer(A, U * (1 / U.n.z), U);
    InertiaRows hinged = rows(A);
    hinged.I.z = hinged.H.z = Lanes<4>(1e3);
    EXPECT_LT(distance(matrix(from_rows(to_parent<true>(X, hinged))), matrix(to_parent(X, A))),
              kRounding);
  }
}

}  // namespace
}  // namespace stance
