#include "channel.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <random>
#include <set>

#include "stance_report/replay.hpp"

namespace stance::report {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

std::vector<double> made(int count, const std::function<double(int)>& f) {
  std::vector<double> values;
  for (int i = 0; i < count; ++i) values.push_back(f(i));
  return values;
}

void expect_back(const std::vector<double>& values, const Channel& channel, double error) {
  const auto read = unpack(channel, values.size());
  ASSERT_EQ(read.size(), values.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (std::isfinite(values[i])) {
      ASSERT_NEAR(read[i], values[i], error + 1e-15 * std::abs(values[i])) << i;  // and rounding
    } else {
      ASSERT_TRUE(std::isnan(read[i])) << i;
    }
  }
}

TEST(Channel, ComesBackToHalfAStepInEveryOrder) {
  std::mt19937 random(3);
  std::uniform_real_distribution<double> even(-1, 1);
  std::set<int> orders;
  const double step = 1e-5;
  for (const auto& f : std::initializer_list<std::function<double(int)>>{
           [&](int) { return 50 * even(random); },
           [&](int i) { return 0.3 * i + 1e-3 * even(random); },
           [](int i) { return 2 * std::sin(0.02 * i); }, [](int i) { return 4e6 * std::sin(i); },
           [&](int i) { return i % 7 == 0 ? kNone : even(random); }}) {
    const auto values = made(700, f);
    const Channel channel = pack(values, step);
    orders.insert(channel.order);
    expect_back(values, channel, 0.5 * step * (1 + 1e-6));
  }
  EXPECT_EQ(orders, (std::set<int>{0, 1, 2}));
}

TEST(Channel, HasAStepOfItsRangeWhereNoneIsGiven) {
  const auto values = made(500, [](int i) { return 300 * std::cos(0.1 * i); });
  const Channel channel = pack(values, 0);
  EXPECT_NEAR(channel.step, 600 / kReplaySeriesSteps, 1e-3 * channel.step);
  expect_back(values, channel, channel.step / 2);
}

// A foot in the air has no force, and not a millionth of a newton.
TEST(Channel, KeepsZeros) {
  for (const double step : {0.0, 1e-5}) {
    const auto values = made(500, [](int i) { return i % 3 == 0 ? 0 : -7.123 + 0.0317 * i; });
    const auto read = unpack(pack(values, step), values.size());
    for (std::size_t i = 0; i < values.size(); i += 3) ASSERT_LT(std::abs(read[i]), 1e-14) << i;
  }
}

TEST(Channel, IsOneNumberWhereNothingChanges) {
  const auto channel = pack(std::vector<double>(1000, 0.25), 1e-5);
  EXPECT_TRUE(channel.constant);
  EXPECT_EQ(channel.least, 0.25);
  EXPECT_TRUE(pack(made(10, [](int i) { return 1 + 1e-12 * i; }), 1e-5).constant);
  JsonWriter json;
  write(channel, json);
  EXPECT_EQ(json.text(), "0.25");
  const auto none = pack(std::vector<double>(3, kNone), 0);
  EXPECT_TRUE(none.constant);
  JsonWriter null;
  write(none, null);
  EXPECT_EQ(null.text(), "null");
}

TEST(Channel, TakesOneNumberAmongNone) {
  const std::vector<double> values = {kNone, 3, kNone};
  expect_back(values, pack(values, 0), 0);
}

// What a page of many samples lives by: a smooth channel takes two bytes a number, a straight one one.
TEST(Channel, IsShort) {
  const auto swing = made(6000, [](int i) { return 0.5 * std::sin(2 * M_PI * 2 * 0.01 * i); });
  EXPECT_LT(pack(swing, kReplayAngleStep).bytes.size(), 2.1 * 6000);
  const auto time = made(6000, [](int i) { return 0.01 * i; });
  EXPECT_LT(pack(time, kReplayTimeStep).bytes.size(), 1.01 * 6000);
}

// Flies off: the step grows, so that no number is beyond what a double counts.
TEST(Channel, SurvivesAnyRange) {
  for (const double far : {1e9, 1e100, 1e300}) {
    const auto values = made(50, [&](int i) { return far * std::sin(i); });
    const Channel channel = pack(values, 1e-5);
    expect_back(values, channel, channel.step);
    EXPECT_LT(channel.step, far * 1e-9 + 1e-5);
  }
}

TEST(Base64, IsThatOfRfc4648) {
  const std::pair<const char*, const char*> vectors[] = {{"", ""},
                                                         {"f", "Zg=="},
                                                         {"fo", "Zm8="},
                                                         {"foo", "Zm9v"},
                                                         {"foob", "Zm9vYg=="},
                                                         {"fooba", "Zm9vYmE="},
                                                         {"foobar", "Zm9vYmFy"}};
  for (const auto& [bytes, text] : vectors) EXPECT_EQ(base64(bytes), text);
  EXPECT_EQ(base64("\xff\xfe\xfb"), "//77");
}

}  // namespace
}  // namespace stance::report
