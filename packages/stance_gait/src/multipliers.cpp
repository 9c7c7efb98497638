#include "stance_gait/multipliers.hpp"

#include <Eigen/Eigenvalues>
#include <Eigen/SVD>
#include <algorithm>
#include <vector>

namespace stance {

static Result<Eigen::MatrixXd> one_step(const StepMap& map, const Eigen::VectorXd& x, double h,
                                        bool quick) {
  const Eigen::Index n = x.size();
  Eigen::MatrixXd J(n, n);
  for (Eigen::Index i = 0; i < n; ++i) {
    const double d = (quick ? 0.1 * h : h) * (1 + std::abs(x[i]));
    const auto at = [&](double k) -> Result<Eigen::VectorXd> {
      Eigen::VectorXd moved = x;
      moved[i] += k * d;
      Result<GaitStep> step = map.walk(moved);
      if (!step) return step.error();
      return step->x;
    };
    const Result<Eigen::VectorXd> f1 = at(1), b1 = at(-1);
    if (!f1) return f1.error();
    if (!b1) return b1.error();
    if (quick) {
      J.col(i) = (*f1 - *b1) / (2 * d);
      continue;
    }
    const Result<Eigen::VectorXd> f2 = at(2), b2 = at(-2);
    if (!f2) return f2.error();
    if (!b2) return b2.error();
    J.col(i) = (8 * (*f1 - *b1) - (*f2 - *b2)) / (12 * d);
  }
  return J;
}

Result<Eigen::MatrixXd> step_jacobian(const StepMap& map, const Eigen::VectorXd& x, int steps,
                                      double h, bool quick) {
  Eigen::MatrixXd J = Eigen::MatrixXd::Identity(x.size(), x.size());
  Eigen::VectorXd at = x;
  for (int k = 0; k < steps; ++k) {
    const Result<Eigen::MatrixXd> one = one_step(map, at, h, quick);
    if (!one) return one.error();
    J = *one * J;
    if (k + 1 == steps) break;
    const Result<GaitStep> step = map.walk(at);
    if (!step) return step.error();
    at = step->x;
  }
  return J;
}

Eigen::VectorXcd multipliers(const Eigen::MatrixXd& jacobian) {
  Eigen::VectorXcd values = jacobian.eigenvalues();
  std::sort(values.begin(), values.end(),
            [](const auto& a, const auto& b) { return std::abs(a) > std::abs(b); });
  return values;
}

int neutral_count(const Eigen::MatrixXd& jacobian, const Eigen::VectorXcd& multipliers) {
  const Eigen::MatrixXd one_minus_J = Eigen::MatrixXd::Identity(jacobian.rows(), jacobian.cols()) -
                                      jacobian;
  const Eigen::VectorXd s = one_minus_J.jacobiSvd().singularValues();
  if (s.size() == 0 || s[s.size() - 1] > kNeutralDirection * s[0]) return 0;
  return static_cast<int>(std::count_if(
      multipliers.begin(), multipliers.end(),
      [](const std::complex<double>& m) { return std::abs(m - 1.0) < kNeutralMultiplier; }));
}

Eigen::VectorXcd telling_multipliers(const Eigen::VectorXcd& multipliers, int neutral) {
  std::vector<std::complex<double>> rest(multipliers.begin(), multipliers.end());
  for (; neutral > 0 && !rest.empty(); --neutral) {
    rest.erase(std::min_element(rest.begin(), rest.end(), [](const auto& a, const auto& b) {
      return std::abs(a - 1.0) < std::abs(b - 1.0);
    }));
  }
  Eigen::VectorXcd out(static_cast<Eigen::Index>(rest.size()));
  std::copy(rest.begin(), rest.end(), out.begin());
  return out;
}

std::complex<double> leading_multiplier(const Eigen::VectorXcd& multipliers, int neutral) {
  const Eigen::VectorXcd rest = telling_multipliers(multipliers, neutral);
  return rest.size() > 0 ? rest[0] : 0;
}

}  // namespace stance
