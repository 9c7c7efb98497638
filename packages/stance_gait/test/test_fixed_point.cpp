// Limit cycles and their multipliers against closed forms and an independent solution.
#include "stance_gait/fixed_point.hpp"

#include <gtest/gtest.h>

#include "gait_walkers.hpp"
#include "plain_compass.hpp"
#include "stance_gait/multipliers.hpp"

namespace stance {
namespace {

using namespace test;

// Near the gait of Table 1.
const Eigen::Vector3d kGuess(0.27, 1.09, 0.38);

FixedPoint gait_of(const Walker& walker, const NewtonSettings& settings = {}) {
  const Result<StepMap> map = StepMap::make(walker);
  EXPECT_TRUE(map) << map.error().text();
  const Result<FixedPoint> point = find_fixed_point(*map, settings);
  EXPECT_TRUE(point) << point.error().text();
  return point ? *point : FixedPoint{};
}

// x of the map from half the angle and the two rates.
Eigen::Vector4d expected_x(const PlainCompass& plain, const Eigen::Vector3d& x) {
  return {plain.slope - x[0], 2 * x[0], x[1], x[2] - x[1]};
}

// Follows the gait from slope to slope: each is the guess of the next.
void compare(double slope, Eigen::Vector3d& guess) {
  PlainCompass plain;
  plain.slope = slope;
  const Eigen::Vector3d x = plain.fixed_point(guess);
  ASSERT_LT((plain.map(x) - x).cwiseAbs().maxCoeff(), 1e-12);
  const auto model = compass();
  const FixedPoint point = gait_of(compass_walker(*model, slope, guess[0], guess[1], guess[2]));
  ASSERT_EQ(point.x.size(), 4);
  EXPECT_LT((point.x - expected_x(plain, x)).cwiseAbs().maxCoeff(), 1e-10) << slope;
  const PlainCompass::Result step = plain.step(plain.spread(x));
  EXPECT_NEAR(point.step.period, step.period, 1e-10);
  EXPECT_NEAR(point.step.length, step.length, 1e-10);
  EXPECT_NEAR(point.step.energy_lost, step.energy_lost, 1e-9);
  // the three of the reduced map, and a zero for the surface
  const Eigen::VectorXcd expected = multipliers(plain.jacobian(x));
  for (int k = 0; k < 3; ++k)
    EXPECT_NEAR(std::abs(point.multipliers[k]), std::abs(expected[k]), 1e-8) << slope;
  EXPECT_NEAR(std::abs(point.multipliers[3]), 0, 1e-8);
  EXPECT_NEAR(point.multipliers[0].real(), expected[0].real(), 1e-8);
  guess = x;
}

TEST(FixedPoint, CompassOfTable1MatchesAnIndependentSolution) {
  Eigen::Vector3d guess = kGuess;
  compare(0.0524, guess);
}

// ../shared/reference/README.md, to its printed digits.
TEST(FixedPoint, CompassOfTable1HasItsPublishedNumbers) {
  const auto model = compass();
  const FixedPoint point = gait_of(compass_walker(*model, 0.0524, kGuess[0], kGuess[1], kGuess[2]));
  EXPECT_LT(point.residual, 1e-10);
  EXPECT_NEAR(point.step.period, 0.7344, 5e-5);
  EXPECT_NEAR(point.step.length, 0.5356, 5e-5);
  EXPECT_NEAR(point.step.energy_lost, 1.1007, 5e-5);
  EXPECT_NEAR(std::abs(point.multipliers[0]), 0.580, 5e-4);
}

TEST(FixedPoint, CompassOnSlopesOfOneToFourDegrees) {
  Eigen::Vector3d guess = kGuess;
  for (const double degrees : {3.0, 2.5, 2.0, 1.5, 1.0}) compare(degrees * M_PI / 180, guess);
  guess = kGuess;
  for (const double degrees : {3.0, 3.5, 4.0}) compare(degrees * M_PI / 180, guess);
}

// RK4 at 1 ms finds the same gait to its own error.
TEST(FixedPoint, RungeKuttaFindsTheSameGait) {
  const auto model = compass();
  Walker walker = compass_walker(*model, 0.0524, kGuess[0], kGuess[1], kGuess[2]);
  const FixedPoint sharp = gait_of(walker);
  walker.settings.integrator = {};
  walker.settings.step = 1e-3;
  const FixedPoint plain = gait_of(walker);
  EXPECT_LT((sharp.x - plain.x).cwiseAbs().maxCoeff(), 1e-9);
}

// The first period doubling, a real multiplier that passes -1, lies between 4.3 and 4.5 degrees. Goswami reports 4.37.
TEST(FixedPoint, CompassDoublesItsPeriodBetween43And45) {
  const auto model = compass();
  Walker walker = compass_walker(*model, 0.0524, kGuess[0], kGuess[1], kGuess[2]);
  const auto smallest = [&](double degrees) {
    walker.settings.ground = sloped_ground(degrees * M_PI / 180);
    const FixedPoint point = gait_of(walker);
    walker.start = StepMap::make(walker)->state(point.x);
    double real = 0;
    for (const std::complex<double>& value : point.multipliers) real = std::min(real, value.real());
    return real;
  };
  (void)smallest(3.6), (void)smallest(4.1);
  double low = 4.3, high = 4.5, f_low = smallest(low) + 1, f_high = smallest(high) + 1;
  EXPECT_GT(f_low, 0);   // still stable
  EXPECT_LT(f_high, 0);  // no longer
  for (int k = 0; k < 8; ++k) {
    const double middle = 0.5 * (low + high), f = smallest(middle) + 1;
    (f > 0 ? low : high) = middle;
  }
  // the independent solution crosses at the same slope
  const Eigen::VectorXd x = StepMap::make(walker)->coordinates(walker.start);
  const auto plain_smallest = [&](double degrees) {
    PlainCompass plain;
    plain.slope = degrees * M_PI / 180;
    const Eigen::Vector3d guess(0.5 * x[1], x[2], x[2] + x[3]);
    return plain.jacobian(plain.fixed_point(guess)).eigenvalues().real().minCoeff();
  };
  EXPECT_GT(plain_smallest(low - 1e-3), -1);
  EXPECT_LT(plain_smallest(high + 1e-3), -1);
}

// Beyond it the gait limps: a fixed point of two steps that is none of one.
TEST(FixedPoint, CompassLimpsBeyondThePeriodDoubling) {
  const auto model = compass();
  Walker walker = compass_walker(*model, 0.0524, kGuess[0], kGuess[1], kGuess[2]);
  for (const double degrees : {3.6, 4.1, 4.5}) {
    walker.settings.ground = sloped_ground(degrees * M_PI / 180);
    walker.start = StepMap::make(walker)->state(gait_of(walker).x);
  }
  const Result<StepMap> map = StepMap::make(walker);
  // the unstable gait of one step, left to itself with a small disturbance, falls into the one of two
  Eigen::VectorXd x = map->coordinates(walker.start);
  x[2] *= 1.001;
  for (int k = 0; k < 200; ++k) {
    const Result<GaitStep> step = map->walk(x, 2);
    ASSERT_TRUE(step) << step.error().text();
    x = step->x;
  }
  NewtonSettings two;
  two.steps = 2;
  const Result<FixedPoint> limp = find_fixed_point(*map, x, two);
  ASSERT_TRUE(limp) << limp.error().text();
  EXPECT_LT(std::abs(limp->multipliers[0]), 1);
  EXPECT_GT((map->walk(limp->x)->x - limp->x).cwiseAbs().maxCoeff(), 1e-3);
}

// Garcia, Chatterjee, Ruina and Coleman (1998), slope 0.009, legs without mass: here 1e-12 of the hip's, which
// shifts the fixed point by 2e-13.
TEST(FixedPoint, SimplestWalkerHasGarciasFixedPoint) {
  const auto model = compass(1e4, 1e-8, 1, 1);
  Walker walker = compass_walker(*model, 0.009, 0.2, 0.2, 0.18);
  walker.settings.step = 1e-2;  // time in sqrt(l/g)
  const FixedPoint point = gait_of(walker, {.tolerance = 1e-13});
  const double angle = 0.200310900544287, rate = 0.199832473004977;
  EXPECT_NEAR(point.x[0], 0.009 - angle, 1e-12);
  EXPECT_NEAR(point.x[1], 2 * angle, 1e-12);
  EXPECT_NEAR(point.x[2], rate, 1e-12);
  EXPECT_NEAR(point.x[3], -(1 - std::cos(2 * angle)) * rate, 1e-12);
  EXPECT_LT(std::abs(point.multipliers[0]), 1);  // the long-period gait is stable there
}

// Closed form: omega² = cos²(2 alpha) (omega² + 2 g/l (cos(gamma - alpha) - cos(gamma + alpha))), multiplier
// cos²(2 alpha).
TEST(FixedPoint, RimlessWheelHasItsClosedForm) {
  const int spokes = 12;
  const double alpha = M_PI / spokes, slope = 0.1, c2 = std::pow(std::cos(2 * alpha), 2);
  const auto model = rimless_wheel(spokes);
  const FixedPoint point = gait_of(wheel_walker(*model, spokes, slope, 2.5));
  EXPECT_NEAR(point.x[0], slope - alpha, 1e-11);
  EXPECT_NEAR(
      point.x[1],
      std::sqrt(c2 / (1 - c2) * 2 * 9.81 * (std::cos(slope - alpha) - std::cos(slope + alpha))),
      1e-10);
  EXPECT_NEAR(std::abs(point.multipliers[0]), c2, 1e-8);
  EXPECT_NEAR(std::abs(point.multipliers[1]), 0, 1e-8);
  EXPECT_NEAR(point.step.length, 2 * std::sin(alpha), 1e-11);
}

// urdf/kneed_biped.urdf says how it walks: 0.593 s a step, disturbances shrink to about two thirds. The hip is balanced
// and turns freely: its angle and rate have multipliers of one, and the gait is one of a family.
TEST(FixedPoint, KneedWalkerWalksAsItsFileSays) {
  const auto model = kneed_biped();
  const Walker walker = kneed_walker(*model);
  const FixedPoint point = gait_of(walker);
  ASSERT_EQ(point.x.size(),
            6);  // ankle, two hips; each knee is at its stop, one locked and one just let go
  EXPECT_NEAR(point.step.period, 0.593, 5e-4);
  const Eigen::VectorXd said = StepMap::make(walker)->coordinates(walker.start);
  EXPECT_LT((point.x - said).cwiseAbs().maxCoeff(), 1e-3);
  // a double root is known to the square root of the differences' error
  EXPECT_NEAR(std::abs(point.multipliers[0] - 1.0), 0, 1e-4);
  EXPECT_NEAR(std::abs(point.multipliers[1] - 1.0), 0, 1e-4);
  EXPECT_NEAR(std::abs(point.multipliers[2]), 2.0 / 3, 0.03);
  EXPECT_EQ(point.neutral, 2);
  EXPECT_EQ(leading_multiplier(point.multipliers, point.neutral), point.multipliers[2]);
}

// ---- what cannot be found is said

TEST(FixedPoint, SaysHowFarItCame) {
  const auto model = compass();
  const Result<StepMap> map = StepMap::make(
      compass_walker(*model, 0.0524, kGuess[0], kGuess[1], kGuess[2]));
  NewtonSettings settings;
  settings.max_iterations = 1;
  const Result<FixedPoint> point = find_fixed_point(*map, settings);
  ASSERT_FALSE(point);
  EXPECT_NE(point.error().text().find("no gait found after 1 Newton iterations"),
            std::string::npos);
  settings = {};
  settings.tolerance = 1e-18;  // below rounding
  const Result<FixedPoint> impossible = find_fixed_point(*map, settings);
  ASSERT_FALSE(impossible);
  EXPECT_NE(impossible.error().text().find("relax the tolerance"), std::string::npos);
}

TEST(FixedPoint, SaysThatTheWalkerFell) {
  const auto model = compass();
  const Result<StepMap> map = StepMap::make(compass_walker(*model, 0.0524, 0.3, 0.1, 0));
  const Result<FixedPoint> point = find_fixed_point(*map);
  ASSERT_FALSE(point);
  EXPECT_NE(point.error().text().find("fell"), std::string::npos) << point.error().text();
}

}  // namespace
}  // namespace stance
