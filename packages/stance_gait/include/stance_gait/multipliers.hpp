// Stability of a gait: the derivative of the step map and its eigenvalues, the multipliers. The gait is stable when all
// are smaller than one in modulus; a disturbance shrinks by the largest a step.
#pragma once

#include <complex>

#include "stance_gait/step_map.hpp"

namespace stance {

// By central differences of fourth order,
//   f' = (8 (f(h) - f(-h)) - (f(2h) - f(-2h))) / 12h,   truncation h⁴ f⁽⁵⁾ / 30, noise 1.5 e / h
// with e the noise of one step. For the compass f⁽⁵⁾ reaches 1e6 to 1e7: the multiplier 0.58 is off by 2e-8 at h = 5e-4
// and by 1e-10 at h = 1e-4, where noise takes over. That needs e below 1e-13: events to 1e-14 s, and RK4 at 1 ms or
// Dormand-Prince at 1e-13. The step in coordinate i is h (1 + |x_i|).
inline constexpr double kDifferenceStep = 1e-4;

// Over several steps it is the product of the steps' own. `quick` are differences of second order at h / 10, with half the
// walks: right to some 1e-7, which is all that Newton's method needs of them.
Result<Eigen::MatrixXd> step_jacobian(const StepMap& map, const Eigen::VectorXd& x, int steps = 1,
                                      double h = kDifferenceStep, bool quick = false);

// Largest modulus first.
Eigen::VectorXcd multipliers(const Eigen::MatrixXd& jacobian);

// A coordinate that nothing pulls on, such as the turn of a balanced hip, has multipliers of one, a double root that
// differences find to some 1e-4. The gait is one of a family, and what becomes of other disturbances is said by the
// largest of the rest; zero if there is none.
// A fold has a multiplier of one as well, for an instant along the branch: there 1 - F' is not singular to rounding, as it is
// along a family.
inline constexpr double kNeutralMultiplier = 1e-3;  // distance from one
inline constexpr double kNeutralDirection =
    1e-7;  // singular value of 1 - F', in parts of the largest
int neutral_count(const Eigen::MatrixXd& jacobian, const Eigen::VectorXcd& multipliers);
// The largest beside the first `neutral` that are nearest to one.
std::complex<double> leading_multiplier(const Eigen::VectorXcd& multipliers, int neutral);
// All but those, largest first.
Eigen::VectorXcd telling_multipliers(const Eigen::VectorXcd& multipliers, int neutral);

}  // namespace stance
