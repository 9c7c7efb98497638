// dynamics/cholesky: against Eigen's, and what is not positive definite is refused.
#include <gtest/gtest.h>

#include <Eigen/Cholesky>

#include "dynamics/cholesky.hpp"
#include "support/random_case.hpp"

namespace stance {
namespace {

using namespace test;

TEST(Cholesky, SolvesAsEigenDoes) {
  Random random(311);
  constexpr int kSize = 8;
  for (int n = 1; n <= kSize; ++n) {
    Eigen::MatrixXd A(n, n);
    Eigen::VectorXd b(n);
    for (int i = 0; i < n; ++i) {
      b(i) = uniform(random, -1, 1);
      for (int j = 0; j < n; ++j) A(i, j) = uniform(random, -1, 1);
    }
    const Eigen::MatrixXd K = A * A.transpose() + 0.1 * Eigen::MatrixXd::Identity(n, n);
    SmallSystem<kSize> s;
    for (int i = 0; i < n; ++i) {
      s.b[i] = b(i);
      for (int j = 0; j < n; ++j) s.K[i][j] = K(i, j);
    }
    ASSERT_TRUE(cholesky_solve(n, s));
    const Eigen::VectorXd x = K.llt().solve(b);
    // conditions of up to a few hundred: eps times that
    for (int i = 0; i < n; ++i) EXPECT_NEAR(s.b[i], x(i), 1e-12 * x.norm());
  }
}

TEST(Cholesky, RefusesWhatIsNotPositiveDefinite) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const double corner : {3.9, -1.0, nan}) {  // 4 is the least that will do
    SmallSystem<2> s{{{{2, std::sqrt(8.0)}, {std::sqrt(8.0), corner}}}, {1, 1}};
    EXPECT_EQ(cholesky_solve(2, s), false) << corner;
  }
  SmallSystem<2> zero{};
  EXPECT_FALSE(cholesky_solve(1, zero));
}

}  // namespace
}  // namespace stance
