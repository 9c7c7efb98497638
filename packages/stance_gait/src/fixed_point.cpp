#include "stance_gait/fixed_point.hpp"

#include <Eigen/QR>
#include <sstream>

#include "stance_gait/multipliers.hpp"

namespace stance {
namespace {

// Relative size below which 1 - F' counts as zero along a direction: above the error of the differences (1e-9), below
// the 1e-2 or so of a multiplier near one.
constexpr double kNeutral = kNeutralDirection;

double scaled(const Eigen::VectorXd& difference, const Eigen::VectorXd& x) {
  return (difference.array().abs() / (1 + x.array().abs())).maxCoeff();
}

Error not_found(double residual, int iterations, const std::string& why) {
  std::ostringstream text;
  text << "no gait found after " << iterations
       << " Newton iterations, the state after the step differs by " << residual
       << " from that before: " << why;
  return {ErrorCode::kValue, "fixed point", text.str()};
}

}  // namespace

double difference(const Eigen::VectorXd& a, const Eigen::VectorXd& b) { return scaled(a - b, b); }

Result<int> least_period(const StepMap& map, const Eigen::VectorXd& x, int steps) {
  Eigen::VectorXd at = x;
  for (int d = 1; d < steps; ++d) {
    const Result<GaitStep> step = map.walk(at);
    if (!step) return step.error();
    at = step->x;
    if (steps % d == 0 && difference(at, x) < kRepeats) return d;
  }
  return steps;
}

std::optional<Error> judge(const StepMap& map, int steps, FixedPoint& point) {
  const Result<Eigen::MatrixXd> J = step_jacobian(map, point.x, steps);
  if (!J) return J.error();
  point.jacobian = *J;
  point.multipliers = multipliers(*J);
  point.neutral = neutral_count(*J, point.multipliers);
  return {};
}

// With r = F(x) - x, Newton's step solves (1 - F') dx = r. F' is kept as long as it brings the residual down tenfold.
Result<FixedPoint> find_fixed_point(const StepMap& map, const Eigen::VectorXd& guess,
                                    const NewtonSettings& settings) {
  constexpr double kGood = 0.1;
  FixedPoint point;
  point.x = guess;
  Result<GaitStep> first = map.walk(guess, settings.steps);
  if (!first) return first.error();
  point.step = *first;
  point.residual = scaled(point.step.x - point.x, point.x);
  // the shortest solution: along directions that the map leaves alone, none
  Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> one_minus_J;
  one_minus_J.setThreshold(kNeutral);
  for (bool fresh = false; point.residual > settings.tolerance; ++point.iterations) {
    if (point.iterations == settings.max_iterations)
      return not_found(point.residual, point.iterations, "start nearer to the gait");
    const bool was_fresh = !fresh;
    if (!fresh) {
      const Result<Eigen::MatrixXd> J = step_jacobian(map, point.x, settings.steps, kDifferenceStep,
                                                      true);
      if (!J) return J.error();
      one_minus_J.compute(Eigen::MatrixXd::Identity(J->rows(), J->cols()) - *J);
      fresh = true;
    }
    const Eigen::VectorXd dx = one_minus_J.solve(point.step.x - point.x);
    // damping: the longest of dx, dx/2, dx/4, … that brings the residual down
    const double before = point.residual;
    bool better = false;
    double part = 1;
    for (int k = 0; k <= settings.max_halvings && !better; ++k, part /= 2) {
      const Eigen::VectorXd x = point.x + part * dx;
      Result<GaitStep> step = map.walk(x, settings.steps);
      if (!step) continue;
      const double residual = scaled(step->x - x, x);
      if (!(residual < point.residual)) continue;
      point.x = x, point.step = *step, point.residual = residual;
      better = true;
    }
    if (!better && was_fresh) {
      return not_found(
          point.residual, point.iterations,
          "no part of Newton's step brings it down; start nearer to the gait, or relax the "
          "tolerance if it is as small as the integrator's error");
    }
    fresh = better && point.residual < kGood * before;
  }
  if (auto error = judge(map, settings.steps, point)) return *std::move(error);
  // the Jacobian is there: one step more, to what rounding allows
  one_minus_J.compute(Eigen::MatrixXd::Identity(point.x.size(), point.x.size()) - point.jacobian);
  const Eigen::VectorXd x = point.x + one_minus_J.solve(point.step.x - point.x);
  if (const Result<GaitStep> step = map.walk(x, settings.steps)) {
    const double residual = scaled(step->x - x, x);
    if (residual <= point.residual) point.x = x, point.step = *step, point.residual = residual;
  }
  return point;
}

Result<FixedPoint> find_fixed_point(const StepMap& map, const NewtonSettings& settings) {
  return find_fixed_point(map, map.coordinates(map.walker().start), settings);
}

}  // namespace stance
