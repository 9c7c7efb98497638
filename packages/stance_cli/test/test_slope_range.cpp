#include "slope_range.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "progress.hpp"

namespace stance {
namespace {

TEST(SlopeRange, HasBothEndsAndTheirUnits) {
  const auto slopes = parse_slope_range("0.02:0.06rad:5");
  ASSERT_TRUE(slopes) << slopes.error().text();
  ASSERT_EQ(slopes->size(), 5u);
  for (std::size_t k = 0; k < 5; ++k)
    EXPECT_NEAR((*slopes)[k], 0.02 + 0.01 * static_cast<double>(k), 1e-16);
  EXPECT_EQ(*parse_slope_range("3deg:4deg:1"), std::vector<double>{3 * (M_PI / 180)});
  EXPECT_EQ(parse_slope_range("4 deg:-1deg:2")->back(), -1 * (M_PI / 180));
}

TEST(SlopeRange, SaysWhatIsWrong) {
  const std::pair<const char*, const char*> cases[] = {
      {"0.1:0.2", "must be A:B:N"},
      {"", "must be A:B:N"},
      {"x:0.2:3", "has 'x', which is not a number; write it like 0.5 rad"},
      {"0.1:0.2grad:3", "has the unit 'grad', and 'grad' is none that we know"},
      {"0.1::3", "has '', which is not a number"},
      {"0.1:2m:3", "takes an angle, and '2m' is a length"},
      {"nan:0.2:3", "has 'nan', which is not finite"},
      {"1:5:3", "has a slope of a right angle or more"},
      {"0.1:0.2:0", "must end in a count"},
      {"0.1:0.2:3.5", "must end in a count"},
      {"0.1:0.2:9999999", "must end in a count"},
  };
  for (const auto& [text, message] : cases) {
    const auto slopes = parse_slope_range(text);
    ASSERT_FALSE(slopes) << text;
    EXPECT_NE(slopes.error().text().find(message), std::string::npos) << slopes.error().text();
  }
}

TEST(Progress, CountsParts) {
  EXPECT_EQ(progress_line(std::size_t{12}, std::size_t{40}, "slopes"),
            "[=========>                    ]  30 %  12 of 40 slopes");
}

}  // namespace
}  // namespace stance
