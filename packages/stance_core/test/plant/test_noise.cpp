// Statistics of the generator: bounds are five standard errors of the estimate.
#include "stance_core/plant/noise.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

namespace stance {
namespace {

constexpr int kCount = 200000;

TEST(Noise, IsWhatItsKeySays) {
  const NoiseKey key{7, 3, 11};
  EXPECT_EQ(normal(key, 0), normal(key, 0));
  const double others[] = {normal({8, 3, 11}, 0), normal({7, 4, 11}, 0), normal({7, 3, 12}, 0),
                           normal(key, 1)};
  for (const double other : others) EXPECT_NE(normal(key, 0), other);
  const Vec3<double> v = normal_vector(key);
  EXPECT_EQ(v.x, normal(key, 0));
  EXPECT_EQ(v.z, normal(key, 2));
}

TEST(Noise, UniformFillsTheOpenInterval) {
  double sum = 0, square = 0;
  int bins[16] = {};
  for (std::uint64_t k = 0; k < kCount; ++k) {
    const double u = uniform({1, 0, k}, 0);
    ASSERT_GT(u, 0);
    ASSERT_LT(u, 1);
    sum += u, square += u * u;
    ++bins[static_cast<int>(16 * u)];
  }
  EXPECT_NEAR(sum / kCount, 0.5, 5 * std::sqrt(1.0 / 12 / kCount));
  EXPECT_NEAR(square / kCount, 1.0 / 3, 5 * std::sqrt(4.0 / 45 / kCount));
  const double expected = kCount / 16.0;
  for (const int bin : bins) EXPECT_NEAR(bin, expected, 5 * std::sqrt(expected));
}

TEST(Noise, NormalHasTheMomentsOfANormal) {
  for (const std::uint64_t seed : {0u, 1u, 123456789u}) {
    double sum[4] = {};
    for (std::uint64_t k = 0; k < kCount; ++k) {
      const double x = normal({seed, 5, k}, 0);
      double power = 1;
      for (double& s : sum) s += power *= x;
    }
    // variances of x, x², x³, x⁴ are 1, 2, 15, 96
    EXPECT_NEAR(sum[0] / kCount, 0, 5 * std::sqrt(1.0 / kCount));
    EXPECT_NEAR(sum[1] / kCount, 1, 5 * std::sqrt(2.0 / kCount));
    EXPECT_NEAR(sum[2] / kCount, 0, 5 * std::sqrt(15.0 / kCount));
    EXPECT_NEAR(sum[3] / kCount, 3, 5 * std::sqrt(96.0 / kCount));
  }
}

// Neighbours in count, channel, part and seed have nothing to do with each other.
TEST(Noise, NeighboursAreIndependent) {
  double next = 0, beside = 0, part = 0, seed = 0, squares = 0;
  for (std::uint64_t k = 0; k < kCount; ++k) {
    const double x = normal({1, 5, k}, 0);
    next += x * normal({1, 5, k + 1}, 0);
    beside += x * normal({1, 6, k}, 0);
    part += x * normal({1, 5, k}, 1);
    seed += x * normal({2, 5, k}, 0);
    const double y = normal({1, 5, k + 1}, 0);
    squares += (x * x - 1) * (y * y - 1);
  }
  const double bound = 5 * std::sqrt(1.0 / kCount);
  EXPECT_NEAR(next / kCount, 0, bound);
  EXPECT_NEAR(beside / kCount, 0, bound);
  EXPECT_NEAR(part / kCount, 0, bound);
  EXPECT_NEAR(seed / kCount, 0, bound);
  EXPECT_NEAR(squares / kCount, 0, 2 * bound);
}

}  // namespace
}  // namespace stance
