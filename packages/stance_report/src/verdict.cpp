// Compares the last steps with each other, and with those of the same foot.
//
// With w the last steps (half of the walk, four to ten), and the spread of numbers their (max - min) / |mean|:
//   steady       spread(w) <= kAlike in period and length, and the second half of w is no worse than the first
//   limps        spread(w) is larger, but every other step agrees to kAlike
//   repeats      every third, fourth, ... of the last steps agrees to kAlike, over three rounds; the smallest such number counts
//   otherwise    not steady: it settles, or it moves away, by the change from step to step
#include "stance_report/verdict.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

namespace stance {
namespace {

constexpr double kAlike = 1e-3;  // relative: what steps may differ by and be called alike
constexpr double kNoise = 1e-6;  // relative: differences below this are not said to grow
constexpr double kNoLength =
    1e-3;  // m: a robot that steps on the spot has no length to compare with
constexpr int kFewest = 4;
constexpr std::size_t kLongestPeriod = 16;  // that is looked for

using Steps = std::span<const Step>;
using Field = double Step::*;

double mean(Steps steps, Field field, int stride = 1) {
  double sum = 0;
  int count = 0;
  for (std::size_t i = 0; i < steps.size(); i += static_cast<std::size_t>(stride)) {
    const double x = steps[i].*field;
    if (std::isfinite(x)) sum += x, ++count;
  }
  return count > 0 ? sum / count : std::numeric_limits<double>::quiet_NaN();
}

// (max - min) / |mean| of every stride-th step.
double spread(Steps steps, Field field, int stride = 1) {
  double least = std::numeric_limits<double>::infinity(), most = -least;
  for (std::size_t i = 0; i < steps.size(); i += static_cast<std::size_t>(stride)) {
    least = std::min(least, steps[i].*field);
    most = std::max(most, steps[i].*field);
  }
  const double floor = field == &Step::length ? kNoLength : 0;
  return (most - least) / std::max(std::abs(mean(steps, field, stride)), floor);
}

double spread(Steps steps, int stride = 1) {
  return std::max(spread(steps, &Step::period, stride), spread(steps, &Step::length, stride));
}

// One digit and a short exponent: 3e-9.
std::string about(double x) {
  std::string text = fmt::format("{:.0e}", std::max(x, 1e-16));
  const std::size_t e = text.find('e');
  return text.substr(0, e + 2) + std::to_string(std::stoi(text.substr(e + 2)));
}

std::string limp(Steps steps, double apart) {
  const Steps other = steps.subspan(1);
  return fmt::format(
      "limps: alternates between {:.6g} s, {:.6g} m and {:.6g} s, {:.6g} m; every other of the "
      "last {} steps agrees to "
      "{} (a gait of period two)",
      mean(steps, &Step::period, 2), mean(steps, &Step::length, 2), mean(other, &Step::period, 2),
      mean(other, &Step::length, 2), steps.size(), about(apart));
}

// A round of n steps, by its shortest and longest.
std::string cycle(Steps rounds, std::size_t n, double apart) {
  const Steps last = rounds.last(n);
  const auto by_length = [](const Step& a, const Step& b) { return a.length < b.length; };
  const auto [shortest, longest] = std::minmax_element(last.begin(), last.end(), by_length);
  return fmt::format(
      "repeats after {} steps, from {:.6g} m to {:.6g} m long; the last {} rounds agree to {} (a "
      "gait of period {})",
      n, shortest->length, longest->length, rounds.size() / n, about(apart), n);
}

}  // namespace

Verdict assess(const std::vector<Step>& all) {
  Verdict verdict;
  verdict.steps = static_cast<int>(all.size());

  // the first touchdown has no period: it is not compared
  Steps timed(all);
  while (!timed.empty() && !(std::isfinite(timed[0].period) && std::isfinite(timed[0].length))) {
    timed = timed.subspan(1);
  }
  const std::size_t window = std::min(timed.size(),
                                      std::clamp<std::size_t>(timed.size() / 2, kFewest, 10));
  const Steps last = timed.last(window);
  verdict.period = mean(last, &Step::period);
  verdict.length = mean(last, &Step::length);
  verdict.energy_lost = mean(last.empty() ? Steps(all) : last, &Step::energy_lost);

  if (all.empty()) {
    verdict.words = "no steps: no foot touched down";
    return verdict;
  }
  if (window < kFewest) {
    verdict.words = fmt::format("too few steps to tell ({})", all.size());
    return verdict;
  }

  const double apart = spread(last);
  const double before = spread(last.first(window / 2)), after = spread(last.last(window / 2));
  const bool grows = apart > kNoise && after > 2 * before;
  if (apart <= kAlike && !grows) {
    verdict.steady = true;
    verdict.words = fmt::format(
        "steady: the last {} steps agree to {} in period ({:.6g} s) and length ({:.6g} m)", window,
        about(apart), verdict.period, verdict.length);
    return verdict;
  }
  // a parity of two steps has a spread of its own from four steps on; of one step it would be zero
  const double alternate = std::max(spread(last, 2), spread(last.subspan(1), 2));
  if (apart > kAlike && alternate <= kAlike && alternate < apart / 5) {
    verdict.words = limp(last, alternate);
    return verdict;
  }
  for (std::size_t n = 3; n <= kLongestPeriod && 3 * n <= timed.size(); ++n) {
    const Steps rounds = timed.last(3 * n);
    double within = 0;
    for (std::size_t k = 0; k < n; ++k)
      within = std::max(within, spread(rounds.subspan(k), static_cast<int>(n)));
    const double whole = spread(rounds);
    if (whole <= kAlike || within > kAlike || within >= whole / 5) continue;
    verdict.words = cycle(rounds, n, within);
    return verdict;
  }
  verdict.words = fmt::format(
      "{}: over the last {} steps the period changes by {:.2g} % (now {:.6g} s) and the length by "
      "{:.2g} % (now {:.6g} m)",
      grows ? "not steady: its steps differ more and more" : "not steady yet", window,
      100 * spread(last, &Step::period), last.back().period, 100 * spread(last, &Step::length),
      last.back().length);
  return verdict;
}

}  // namespace stance
