#include "stance_gait/cma_es.hpp"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <numeric>

namespace stance {
namespace {

// Mirrored at the borders of the unit interval.
double reflected(double x) {
  x = std::fmod(std::abs(x), 2.0);
  return x > 1 ? 2 - x : x;
}

}  // namespace

CmaEs::CmaEs(const Eigen::VectorXd& start, double sigma, std::uint64_t seed)
    : n_(static_cast<int>(start.size())),
      lambda_(4 + static_cast<int>(3 * std::log(n_))),
      mu_(lambda_ / 2),
      sigma_(sigma),
      mean_(start),
      p_sigma_(Eigen::VectorXd::Zero(n_)),
      p_c_(Eigen::VectorXd::Zero(n_)),
      weights_(mu_),
      D_(Eigen::VectorXd::Ones(n_)),
      C_(Eigen::MatrixXd::Identity(n_, n_)),
      B_(Eigen::MatrixXd::Identity(n_, n_)),
      random_(seed) {
  for (int i = 0; i < mu_; ++i) weights_[i] = std::log((lambda_ + 1) / 2.0) - std::log(i + 1.0);
  weights_ /= weights_.sum();            // (49), (50)
  mu_eff_ = 1 / weights_.squaredNorm();  // (8)
  const double n = n_;
  c_sigma_ = (mu_eff_ + 2) / (n + mu_eff_ + 5);  // (55)
  d_sigma_ = 1 + 2 * std::max(0.0, std::sqrt((mu_eff_ - 1) / (n + 1)) - 1) + c_sigma_;
  c_c_ = (4 + mu_eff_ / n) / (n + 4 + 2 * mu_eff_ / n);  // (56)
  c_1_ = 2 / ((n + 1.3) * (n + 1.3) + mu_eff_);          // (57)
  c_mu_ = std::min(1 - c_1_,
                   2 * (mu_eff_ - 2 + 1 / mu_eff_) / ((n + 2) * (n + 2) + mu_eff_));  // (58)
  chi_ = std::sqrt(n) * (1 - 1 / (4 * n) + 1 / (21 * n * n));
}

// Box and Muller, as std::normal_distribution differs between libraries.
double CmaEs::normal() {
  const auto uniform = [&] { return (static_cast<double>(random_() >> 11) + 0.5) * 0x1p-53; };
  const double u = uniform(), v = uniform();
  return std::sqrt(-2 * std::log(u)) * std::cos(2 * M_PI * v);
}

const std::vector<Eigen::VectorXd>& CmaEs::ask() {
  steps_.clear(), points_.clear();
  for (int k = 0; k < lambda_; ++k) {
    Eigen::VectorXd z(n_);
    for (double& x : z) x = normal();
    const Eigen::VectorXd step = B_ * D_.cwiseProduct(z);  // (39)
    points_.push_back((mean_ + sigma_ * step).unaryExpr([](double x) { return reflected(x); }));
    steps_.push_back((points_.back() - mean_) / sigma_);  // what was walked, after the mirror
  }
  return points_;
}

void CmaEs::tell(const std::vector<double>& values) {
  std::vector<std::size_t> order(values.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return values[a] < values[b]; });
  ++generation_;
  Eigen::VectorXd y = Eigen::VectorXd::Zero(n_);
  for (int i = 0; i < mu_; ++i)
    y += weights_[i] * steps_[order[static_cast<std::size_t>(i)]];  // (41)
  mean_ += sigma_ * y;                                              // (42)
  const Eigen::VectorXd whitened = B_ * D_.cwiseInverse().cwiseProduct(B_.transpose() * y);
  p_sigma_ = (1 - c_sigma_) * p_sigma_ +
             std::sqrt(c_sigma_ * (2 - c_sigma_) * mu_eff_) * whitened;  // (43)
  const double length = p_sigma_.norm();
  const bool stalled = length / std::sqrt(1 - std::pow(1 - c_sigma_, 2 * generation_)) >=
                       (1.4 + 2.0 / (n_ + 1)) * chi_;
  sigma_ *= std::exp(std::min(1.0, c_sigma_ / d_sigma_ * (length / chi_ - 1)));  // (44)
  p_c_ *= 1 - c_c_;
  if (!stalled) p_c_ += std::sqrt(c_c_ * (2 - c_c_) * mu_eff_) * y;  // (45)
  C_ *= 1 - c_1_ - c_mu_ + (stalled ? c_1_ * c_c_ * (2 - c_c_) : 0);
  C_ += c_1_ * p_c_ * p_c_.transpose();  // (47)
  for (int i = 0; i < mu_; ++i) {
    const Eigen::VectorXd& s = steps_[order[static_cast<std::size_t>(i)]];
    C_ += c_mu_ * weights_[i] * s * s.transpose();
  }
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> eigen(C_);
  B_ = eigen.eigenvectors();
  D_ = eigen.eigenvalues().cwiseMax(1e-20).cwiseSqrt();
}

}  // namespace stance
