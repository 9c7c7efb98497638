#include "stance_gait/find_gait.hpp"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>

#include "stance_gait/multipliers.hpp"

namespace stance {
namespace {

constexpr double kClearlyApart = 100;  // times what is called alike

std::string count(int n, const char* what) {
  return std::to_string(n) + " " + what + (n == 1 ? "" : "s");
}

std::string brief(const FixedPoint& gait, int steps) {
  const double size = std::abs(leading_multiplier(gait.multipliers, gait.neutral));
  char text[160];
  std::snprintf(text, sizeof text, "%.6g s and %.6g m in %s, %s (largest multiplier %.4g)",
                gait.step.period, gait.step.length, count(steps, "step").c_str(),
                size < 1 ? "stable" : "not stable", size);
  return text;
}

// What is found from a guess, if it is a gait of that many steps and not fewer.
Result<FixedPoint> proper(const StepMap& map, const Eigen::VectorXd& guess,
                          const NewtonSettings& newton) {
  Result<FixedPoint> gait = find_fixed_point(map, guess, newton);
  if (!gait) return gait;
  const Result<int> least = least_period(map, gait->x, newton.steps);
  if (!least) return least.error();
  if (*least == newton.steps) return gait;
  return Error{ErrorCode::kValue, "fixed point",
               "it repeats after " + count(*least, "step") + " already, not only after " +
                   std::to_string(newton.steps)};
}

// Along the directions in which the gait of half the steps limps: eigenvectors of negative multipliers.
std::vector<Eigen::VectorXd> limping(const FixedPoint& half) {
  std::vector<Eigen::VectorXd> guesses;
  const Eigen::EigenSolver<Eigen::MatrixXd> eigen(half.jacobian);
  for (Eigen::Index k = 0; k < half.x.size(); ++k) {
    const std::complex<double> m = eigen.eigenvalues()[k];
    if (m.imag() != 0 || m.real() > -0.8) continue;
    const Eigen::VectorXd v = eigen.eigenvectors().col(k).real().normalized();
    for (const double part : {0.003, 0.01, 0.03, 0.1}) guesses.push_back(half.x + part * v);
  }
  return guesses;
}

// The k-th number of Halton's sequence in a base: guesses that fill a box evenly, the same each time.
double halton(int k, int base) {
  double f = 1, r = 0;
  for (int i = k; i > 0; i /= base) f /= base, r += f * (i % base);
  return r;
}

}  // namespace

Settled settle(const StepMap& map, const Eigen::VectorXd& x, const SettleSettings& settings) {
  Settled s;
  std::vector<Eigen::VectorXd> history{x};
  s.x = x;
  int maybe = 0;
  while (s.steps < settings.max_steps) {
    const Result<GaitStep> step = map.walk(s.x);
    if (!step) {
      s.end = step.error();
      return s;
    }
    ++s.steps;
    s.x = step->x;
    const int past = static_cast<int>(history.size());
    const auto apart = [&](int n) {
      return difference(s.x, history[static_cast<std::size_t>(past - n)]);
    };
    for (int n = 1; n <= settings.max_period && n <= past; ++n) {
      if (apart(n) > settings.alike) continue;
      // every other step of a walk that settles from both sides is alike before all are: those of a gait stay apart
      double closest = std::numeric_limits<double>::infinity();
      for (int d = 1; d < n; ++d)
        if (n % d == 0) closest = std::min(closest, apart(d));
      maybe = n;
      if (closest < kClearlyApart * settings.alike) break;
      s.period = n;
      s.mean = s.x;
      for (int d = 1; d < n; ++d) s.mean += history[static_cast<std::size_t>(past - d)];
      s.mean /= n;
      return s;
    }
    history.push_back(s.x);
  }
  const std::size_t last = std::min<std::size_t>(history.size(),
                                                 2 * static_cast<std::size_t>(settings.max_period));
  s.mean = Eigen::VectorXd::Zero(x.size());
  for (std::size_t k = history.size() - last; k < history.size(); ++k)
    s.mean += history[k] / static_cast<double>(last);
  s.period = maybe;
  return s;
}

Result<FoundGait> find_gait(const StepMap& map, const GaitSearch& search) {
  const int steps = search.newton.steps;
  const Eigen::VectorXd start = map.coordinates(map.walker().start);
  FoundGait found;
  found.settled = settle(map, start, search.settle);
  const Settled& settled = found.settled;

  std::optional<FixedPoint> at_end;
  int end_steps = settled.period;
  if (settled.period > 0) {
    NewtonSettings newton = search.newton;
    newton.steps = settled.period;
    if (const auto gait = find_fixed_point(map, settled.x, newton)) {
      at_end = *gait;
      if (const auto least = least_period(map, gait->x, settled.period);
          least && *least < end_steps) {
        end_steps = newton.steps = *least;
        if (const auto shorter = find_fixed_point(map, gait->x, newton)) at_end = *shorter;
      }
    }
  }
  const Result<FixedPoint> near = proper(map, start, search.newton);

  if (at_end && end_steps == steps) {
    found.gait = *at_end;
    found.origin = GaitOrigin::kSettled;
    if (near && difference(near->x, at_end->x) > 1e-6) {
      found.remarks.push_back("Newton's method from the scenario's own state finds another gait: " +
                              brief(*near, steps) +
                              "; this is the one to which the walk from there settles");
    } else if (near) {
      found.origin = GaitOrigin::kScenario;
    }
    return found;
  }

  const std::string walk = at_end ? "the walk from the scenario's state settles to another gait: " +
                                        brief(*at_end, end_steps)
                           : settled.end
                               ? "the walk from the scenario's state ends after " +
                                     count(settled.steps, "step") + ": " + settled.end->message
                               : "the walk from the scenario's state has not settled after " +
                                     count(settled.steps, "step");
  // what the walk limps or wanders about is a gait of fewer steps that is not stable: rather that than any other
  if (!settled.end && settled.mean.size() > 0) {
    if (const auto middle = proper(map, settled.mean, search.newton)) {
      found.gait = *middle;
      found.origin = GaitOrigin::kSettled;
      found.remarks.push_back(walk);
      if (near && difference(near->x, middle->x) > 1e-6)
        found.remarks.push_back(
            "Newton's method from the scenario's own state finds another gait: " +
            brief(*near, steps));
      return found;
    }
  }
  if (near) {
    found.gait = *near;
    found.remarks.push_back(walk);
    return found;
  }
  // from the gait of half the steps, in the directions in which it limps
  std::vector<Eigen::VectorXd> guesses;
  if (steps % 2 == 0) {
    NewtonSettings half = search.newton;
    half.steps = steps / 2;
    const Eigen::VectorXd& from = at_end && end_steps * 2 == steps ? at_end->x : start;
    if (const auto gait = find_fixed_point(map, from, half)) guesses = limping(*gait);
  }
  const std::size_t limps = guesses.size();
  if (settled.steps > 0) guesses.push_back(settled.x);
  constexpr int kPrimes[] = {2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53};
  for (int k = 1; k <= search.guesses; ++k) {
    Eigen::VectorXd x = start;
    for (Eigen::Index i = 0; i < x.size(); ++i) {
      const double spread = 0.5 * (0.2 + std::abs(start[i]));
      x[i] += spread * (2 * halton(k, kPrimes[i % 16]) - 1);
    }
    guesses.push_back(x);
  }
  NewtonSettings brisk = search.newton;
  brisk.max_iterations = std::min(brisk.max_iterations, 12);
  for (std::size_t k = 0; k < guesses.size(); ++k) {
    const auto gait = proper(map, guesses[k], brisk);
    if (!gait) continue;
    found.gait = *gait;
    found.origin = k < limps ? GaitOrigin::kDoubled : GaitOrigin::kGuess;
    found.remarks.push_back(walk);
    return found;
  }
  return Error{ErrorCode::kValue, "gait",
               "none of " + count(steps, "step") + " found near the scenario's state, nor from " +
                   std::to_string(guesses.size()) +
                   " states around it. From it: " + near.error().text() + "; " + walk};
}

}  // namespace stance
