#include "stance_gait/multipliers.hpp"

#include <Eigen/Eigenvalues>
#include <algorithm>

namespace stance {

Result<Eigen::MatrixXd> step_jacobian(const StepMap& map, const Eigen::VectorXd& x, int steps,
                                      double h) {
  const Eigen::Index n = x.size();
  Eigen::MatrixXd J(n, n);
  for (Eigen::Index i = 0; i < n; ++i) {
    const double d = h * (1 + std::abs(x[i]));
    const auto at = [&](double k) -> Result<Eigen::VectorXd> {
      Eigen::VectorXd moved = x;
      moved[i] += k * d;
      Result<GaitStep> step = map.walk(moved, steps);
      if (!step) return step.error();
      return step->x;
    };
    const Result<Eigen::VectorXd> f1 = at(1), b1 = at(-1), f2 = at(2), b2 = at(-2);
    for (const Result<Eigen::VectorXd>* f : {&f1, &b1, &f2, &b2}) {
      if (!*f) return f->error();
    }
    J.col(i) = (8 * (*f1 - *b1) - (*f2 - *b2)) / (12 * d);
  }
  return J;
}

Eigen::VectorXcd multipliers(const Eigen::MatrixXd& jacobian) {
  Eigen::VectorXcd values = jacobian.eigenvalues();
  std::sort(values.begin(), values.end(),
            [](const auto& a, const auto& b) { return std::abs(a) > std::abs(b); });
  return values;
}

static bool is_neutral(const std::complex<double>& m) {
  return std::abs(m - 1.0) < kNeutralMultiplier;
}

int neutral_count(const Eigen::VectorXcd& multipliers) {
  return static_cast<int>(std::count_if(multipliers.begin(), multipliers.end(), is_neutral));
}

std::complex<double> leading_multiplier(const Eigen::VectorXcd& multipliers) {
  const auto leading = std::find_if_not(multipliers.begin(), multipliers.end(), is_neutral);
  return leading == multipliers.end() ? 0 : *leading;
}

}  // namespace stance
