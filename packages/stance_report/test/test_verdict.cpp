#include "stance_report/verdict.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>

namespace stance {
namespace {

// n steps whose period and length are those of the paper's compass, times 1 + deviation(i).
std::vector<Step> walk(int n, const std::function<double(int)>& deviation) {
  std::vector<Step> steps;
  for (int i = 0; i < n; ++i) {
    const double s = 1 + deviation(i);
    Step step;
    step.number = i + 1;
    step.period = i == 0 ? std::numeric_limits<double>::quiet_NaN() : 0.734379 * s;
    step.length = 0.535581 * s;
    step.energy_lost = 1.1007;
    steps.push_back(step);
  }
  return steps;
}

bool begins(const Verdict& verdict, const std::string& text) {
  return verdict.words.rfind(text, 0) == 0;
}

TEST(Verdict, CallsEqualStepsSteady) {
  const Verdict v = assess(walk(30, [](int i) { return 1e-9 * (i % 3); }));
  EXPECT_TRUE(v.steady);
  EXPECT_EQ(v.steps, 30);
  EXPECT_NEAR(v.period, 0.734379, 1e-8);
  EXPECT_NEAR(v.length, 0.535581, 1e-8);
  EXPECT_NEAR(v.energy_lost, 1.1007, 1e-12);
  EXPECT_EQ(
      v.words,
      "steady: the last 10 steps agree to 2e-9 in period (0.734379 s) and length (0.535581 m)");
}

TEST(Verdict, CallsAConvergingGaitNotSteadyYetUntilItHasConverged) {
  const auto settling = [](int i) { return 0.2 * std::pow(0.58, i); };
  const Verdict soon = assess(walk(7, settling));
  EXPECT_FALSE(soon.steady);
  EXPECT_TRUE(begins(soon, "not steady yet: ")) << soon.words;
  EXPECT_TRUE(assess(walk(40, settling)).steady);
}

TEST(Verdict, SeesThatDifferencesGrow) {
  // all within one part in a thousand, but every step is twice as far off as the one before
  const Verdict v = assess(
      walk(20, [](int i) { return 4e-4 * std::pow(2., i - 19) * (i % 2 ? 1 : -1); }));
  EXPECT_FALSE(v.steady);
  EXPECT_TRUE(begins(v, "not steady: its steps differ more and more")) << v.words;
}

TEST(Verdict, CallsAGaitOfPeriodTwoALimp) {
  const Verdict v = assess(walk(30, [](int i) { return i % 2 ? 0.02 : -0.02; }));
  EXPECT_FALSE(v.steady);
  EXPECT_TRUE(begins(v, "limps: alternates between ")) << v.words;
  EXPECT_NE(v.words.find("0.719691 s"), std::string::npos) << v.words;
  EXPECT_NE(v.words.find("0.749067 s"), std::string::npos) << v.words;
  EXPECT_NEAR(v.period, 0.734379, 1e-8);
}

// Beyond the second period doubling it is a gait as well, of as many steps as there are in a round and not fewer.
TEST(Verdict, FindsGaitsOfManySteps) {
  for (const int n : {3, 4, 5, 8, 16}) {
    const Verdict v = assess(walk(60, [n](int i) { return 0.03 * std::sin(1.0 + i % n); }));
    EXPECT_FALSE(v.steady);
    const std::string words = "repeats after " + std::to_string(n) + " steps";
    EXPECT_TRUE(begins(v, words.c_str())) << v.words;
  }
  // two rounds are no proof
  EXPECT_FALSE(
      begins(assess(walk(11, [](int i) { return 0.03 * std::sin(1.0 + i % 5); })), "repeats"));
}

TEST(Verdict, CallsAnIrregularGaitNotSteady) {
  EXPECT_FALSE(assess(walk(30, [](int i) { return 0.05 * std::sin(i * i); })).steady);
}

TEST(Verdict, SaysWhenThereAreTooFewSteps) {
  const auto none = [](int) { return 0.; };
  EXPECT_EQ(assess({}).words, "no steps: no foot touched down");
  EXPECT_TRUE(std::isnan(assess({}).period));
  EXPECT_EQ(assess(walk(2, none)).words, "too few steps to tell (2)");
  EXPECT_NEAR(assess(walk(2, none)).period, 0.734379, 1e-12);
  EXPECT_TRUE(std::isnan(assess(walk(1, none)).period));
  EXPECT_FALSE(assess(walk(4, none)).steady);  // three periods
  EXPECT_TRUE(assess(walk(5, none)).steady);
}

TEST(Verdict, TakesSteppingOnTheSpotForSteady) {
  auto steps = walk(20, [](int) { return 0.; });
  for (std::size_t i = 0; i < steps.size(); ++i) steps[i].length = 1e-17 * static_cast<double>(i);
  EXPECT_TRUE(assess(steps).steady);
}

}  // namespace
}  // namespace stance
