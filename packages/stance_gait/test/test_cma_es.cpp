// Minima that are known, by ranks alone, the same each time.
#include "stance_gait/cma_es.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>

namespace stance {
namespace {

Eigen::VectorXd minimise(const std::function<double(const Eigen::VectorXd&)>& f, int n,
                         int generations, std::uint64_t seed) {
  CmaEs search(Eigen::VectorXd::Constant(n, 0.5), 0.3, seed);
  Eigen::VectorXd best;
  double least = std::numeric_limits<double>::infinity();
  for (int k = 0; k < generations; ++k) {
    std::vector<double> values;
    const auto points = search.ask();
    for (const auto& x : points) {
      EXPECT_GE(x.minCoeff(), 0);
      EXPECT_LE(x.maxCoeff(), 1);
      values.push_back(f(x));
      if (values.back() < least) least = values.back(), best = x;
    }
    search.tell(values);
  }
  return best;
}

// A bent valley (Rosenbrock's), a hundred times steeper across than along.
TEST(CmaEs, FollowsABentValley) {
  const auto rosenbrock = [](const Eigen::VectorXd& z) {
    const Eigen::VectorXd x = z * 3 - Eigen::VectorXd::Constant(z.size(), 1.0);
    double f = 0;
    for (Eigen::Index i = 0; i + 1 < x.size(); ++i)
      f += 100 * std::pow(x[i + 1] - x[i] * x[i], 2) + std::pow(1 - x[i], 2);
    return f;
  };
  for (const std::uint64_t seed : {1u, 2u, 3u}) {
    const Eigen::VectorXd best = minimise(rosenbrock, 4, 400, seed);
    EXPECT_LT((best - Eigen::VectorXd::Constant(4, 2.0 / 3)).norm(), 1e-4) << seed;
  }
}

// Where half of the box has no value, and the minimum lies at the border of the box.
TEST(CmaEs, ComesToABorderAndLeavesWhatHasNoValue) {
  const auto f = [](const Eigen::VectorXd& x) {
    if (x[0] + x[1] < 0.6) return std::numeric_limits<double>::infinity();
    return (x - Eigen::Vector3d(0.2, 0.4, 1.2)).squaredNorm();
  };
  const Eigen::VectorXd best = minimise(f, 3, 150, 5);
  EXPECT_NEAR(best[0], 0.2, 1e-3);
  EXPECT_NEAR(best[1], 0.4, 1e-3);
  EXPECT_NEAR(best[2], 1, 1e-3);
  EXPECT_EQ(best, minimise(f, 3, 150, 5));
}

}  // namespace
}  // namespace stance
