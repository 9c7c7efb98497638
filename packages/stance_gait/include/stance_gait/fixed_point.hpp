// Limit cycles: fixed points x = F(x) of the step map, stable or not, by Newton's method.
//
// A coordinate that nothing pulls on, such as the turn of a balanced hip, has multipliers of one: gaits come in
// families, and the one nearest to the guess is found.
#pragma once

#include <optional>

#include "stance_gait/step_map.hpp"

namespace stance {

struct NewtonSettings {
  double tolerance = 1e-11;  // of the largest |F(x) - x|_i / (1 + |x_i|)
  int max_iterations = 30;
  int max_halvings = 8;  // of a Newton step that does not bring the residual down
  int steps = 1;         // steps per period: 2 finds a gait that limps
};

struct FixedPoint {
  Eigen::VectorXd x;
  GaitStep step;  // from x to x
  double residual = 0;
  int iterations = 0;
  Eigen::MatrixXd jacobian;      // of the map at x
  Eigen::VectorXcd multipliers;  // over the whole period, largest first
  int neutral = 0;               // of them belong to a family of gaits, see multipliers.hpp
};

// Largest |a - b|_i / (1 + |b_i|).
double difference(const Eigen::VectorXd& a, const Eigen::VectorXd& b);

// The steps after which the gait repeats for the first time: a divisor of `steps`, after which it does.
inline constexpr double kRepeats = 1e-8;
Result<int> least_period(const StepMap& map, const Eigen::VectorXd& x, int steps);

// Jacobian and multipliers of a gait that has been found.
std::optional<Error> judge(const StepMap& map, int steps, FixedPoint& point);

// From `guess`, or from the walker's own start. An error says how far it came.
Result<FixedPoint> find_fixed_point(const StepMap& map, const Eigen::VectorXd& guess,
                                    const NewtonSettings& settings = {});
Result<FixedPoint> find_fixed_point(const StepMap& map, const NewtonSettings& settings = {});

}  // namespace stance
