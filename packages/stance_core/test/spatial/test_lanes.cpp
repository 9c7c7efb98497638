// Spatial quantities in lanes: each lane is one of scalars.
#include "stance_core/spatial/lanes.hpp"

#include <gtest/gtest.h>

#include "stance_core/spatial/inertia.hpp"
#include "support/random_robot.hpp"

namespace stance {
namespace {

using namespace test;

constexpr int kWidth = 4;

template <template <class> class C>
C<double> random_row(Random& random) {
  C<double> x;
  double* row = reinterpret_cast<double*>(&x);
  for (int i = 0; i < kScalars<C>; ++i) row[i] = uniform(random);
  return x;
}

template <template <class> class C>
double scalar(const C<double>& x, int i) {
  return reinterpret_cast<const double*>(&x)[i];
}

// Numbers of scalars that are and are not a multiple of four: 27, 6, 12, 10.
template <template <class> class C>
void check_row(Random& random) {
  std::array<C<double>, kWidth> rows;
  C<Lanes<kWidth>> packs;
  for (int lane = 0; lane < kWidth; ++lane) {
    rows[lane] = random_row<C>(random);
    set_lane(lane, rows[lane], packs);
  }
  const std::array<int, kWidth> index{2, 0, 3, 2};
  const auto gathered = gather<kWidth>(rows.data(), index.data());
  Lanes<kWidth> weight(1.0);
  weight.set(1, 0);
  const C<double> sum = sum_lanes(packs, Lanes<kWidth>(1.0)), some = sum_lanes(packs, weight);
  for (int i = 0; i < kScalars<C>; ++i) {
    for (int lane = 0; lane < kWidth; ++lane) {
      EXPECT_EQ(scalar(get_lane(lane, packs), i), scalar(rows[lane], i));
      EXPECT_EQ(scalar(get_lane(lane, gathered), i), scalar(rows[index[lane]], i));
    }
    const double x[] = {scalar(rows[0], i), scalar(rows[1], i), scalar(rows[2], i),
                        scalar(rows[3], i)};
    EXPECT_EQ(scalar(sum, i), (x[0] + x[1]) + (x[2] + x[3]));  // in this order
    EXPECT_EQ(scalar(some, i), x[0] + (x[2] + x[3]));
  }
}

TEST(Lanes, AreRowsOfScalars) {
  Random random(48);
  for (int trial = 0; trial < 20; ++trial) {
    check_row<ArticulatedInertia>(random);
    check_row<Force>(random);
    check_row<Transform>(random);
    check_row<RigidInertia>(random);
  }
}

}  // namespace
}  // namespace stance
