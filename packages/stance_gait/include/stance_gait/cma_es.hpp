// Covariance matrix adaptation: a minimum in a box, by ranks alone.
//
// Hansen's evolution strategy ("The CMA evolution strategy: a tutorial", arXiv 1604.00772; numbers of equations below). It is
// written here, and not taken from a library, for three reasons: it needs nothing but the order of the values, so that points
// without a gait, or that break a condition, rank behind the others and need no number; it is the same to the last bit for a
// seed on every machine, so that a search that was cut off is taken up from its log; and it is a page long.
#pragma once

#include <Eigen/Core>
#include <random>
#include <vector>

namespace stance {

class CmaEs {
 public:
  // In the unit box of as many dimensions as `start`, with steps of about `sigma` at first.
  CmaEs(const Eigen::VectorXd& start, double sigma, std::uint64_t seed);

  int population() const noexcept { return lambda_; }
  double sigma() const noexcept { return sigma_; }

  // The points of a generation.
  const std::vector<Eigen::VectorXd>& ask();
  // Their values; infinite where there is none.
  void tell(const std::vector<double>& values);

 private:
  double normal();

  int n_, lambda_, mu_;
  double sigma_, mu_eff_, c_sigma_, d_sigma_, c_c_, c_1_, c_mu_, chi_;
  Eigen::VectorXd mean_, p_sigma_, p_c_, weights_, D_;
  Eigen::MatrixXd C_, B_;
  std::vector<Eigen::VectorXd> steps_, points_;
  int generation_ = 0;
  std::mt19937_64 random_;
};

}  // namespace stance
