// The bracket of an event: its width, its side, and the count of evaluations in the worst case.
#include "stance_core/hybrid/event_locator.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

namespace stance {
namespace {

struct Search {
  Located located;
  int evaluations = 0;
};

Search locate(const std::function<double(double)>& g, double h, double tolerance, int limit = 100) {
  Search run;
  const auto counted = [&](double s, double& value) {
    ++run.evaluations;
    value = g(s);
    return true;
  };
  run.located = locate_root(counted, g(0), h, g(h), tolerance, limit);
  return run;
}

// The end at which the guard is no longer positive, at most `tolerance` after the root.
void expect_located(const Search& run, const std::function<double(double)>& g, double root,
                    double tolerance) {
  EXPECT_TRUE(run.located.ok);
  EXPECT_LE(g(run.located.time), 0);
  EXPECT_GE(run.located.time, root * (1 - 1e-15));
  EXPECT_LE(run.located.time, root + tolerance * (1 + 1e-3));  // and rounding of the root itself
}

TEST(EventLocator, SmoothGuardTakesAFewEvaluations) {
  const double h = 1e-3, tolerance = 1e-12;
  for (const double root : {1e-9, 1e-5, 3e-4, 9.99e-4}) {
    const auto g = [&](double s) { return (root - s) * (3 + 40 * s - 1000 * s * s); };
    const Search run = locate(g, h, tolerance);
    expect_located(run, g, root, tolerance);
    EXPECT_LE(run.evaluations, 12);
  }
}

TEST(EventLocator, WorstCasesStayBounded) {
  const double h = 1e-3, tolerance = 1e-12;
  for (const double root : {1e-11, 1e-7, 2.5e-4, 7.77e-4, 1e-3 - 1e-10}) {
    const std::function<double(double)> guards[] = {
        [&](double s) { return std::tanh(1e12 * (root - s)); },              // steep
        [&](double s) { return s < root ? 1.0 : -1.0; },                     // a jump
        [&](double s) { return s < root ? 1.0 : -1e-300; },                  // lopsided
        [&](double s) { return s < root ? 1e-300 : -1.0; },                  // the other way
        [&](double s) { return std::pow((root - s) / h, 9); },               // flat
        [&](double s) { return std::cbrt(root - s); },                       // infinitely steep
        [&](double s) { return s < root ? std::exp(-1e3 * s) : -1e9 * s; },  // two scales
    };
    for (const auto& g : guards) {
      const Search run = locate(g, h, tolerance);
      expect_located(run, g, root, tolerance);
      EXPECT_LE(run.evaluations, 90);  // three times log2(h / tolerance)
    }
  }
}

// The guard touches zero at the end of the step and nowhere before.
TEST(EventLocator, DoubleRootAtTheEnd) {
  const double h = 1e-3;
  const auto g = [&](double s) { return (h - s) * (h - s); };
  const Search run = locate(g, h, 1e-12);
  EXPECT_TRUE(run.located.ok);
  EXPECT_LE(run.located.time, h);
  EXPECT_GE(run.located.time, h - 2e-12);
  EXPECT_LE(run.evaluations, 90);
}

TEST(EventLocator, ZeroExactlyAtTheEnd) {
  const auto g = [](double s) { return 1e-3 - s; };
  const Search run = locate(g, 1e-3, 1e-12);
  expect_located(run, g, 1e-3, 0);
}

// Of several crossings one is found, with the sign change that was promised.
TEST(EventLocator, ThreeCrossings) {
  const auto g = [](double s) { return (2e-4 - s) * (5e-4 - s) * (8e-4 - s); };
  const Search run = locate(g, 1e-3, 1e-12);
  EXPECT_TRUE(run.located.ok);
  EXPECT_LE(g(run.located.time), 0);
  EXPECT_GT(g(run.located.time - 2e-12), 0);
}

TEST(EventLocator, StopsAtItsLimitOnTheSafeSide) {
  const auto g = [](double s) { return s < 3e-4 ? 1.0 : -1.0; };
  const Search run = locate(g, 1e-3, 1e-15, 5);
  EXPECT_EQ(run.evaluations, 5);
  EXPECT_LE(g(run.located.time), 0);
}

TEST(EventLocator, GivesUpWhenTheGuardDoes) {
  const auto g = [](double, double&) { return false; };
  EXPECT_FALSE(locate_root(g, 1, 1e-3, -1, 1e-12).ok);
}

}  // namespace
}  // namespace stance
