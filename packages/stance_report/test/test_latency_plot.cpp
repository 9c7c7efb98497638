#include "stance_report/latency_plot.hpp"

#include <gtest/gtest.h>

namespace stance {
namespace {

TEST(LatencyPlot, TimesHaveThreeDigits) {
  EXPECT_EQ(time_text(0), "0 ns");
  EXPECT_EQ(time_text(999), "999 ns");
  EXPECT_EQ(time_text(999.6), "1 \u00b5s");
  EXPECT_EQ(time_text(1234), "1.23 \u00b5s");
  EXPECT_EQ(time_text(12345), "12.3 \u00b5s");
  EXPECT_EQ(time_text(123456), "123 \u00b5s");
  EXPECT_EQ(time_text(1e6), "1 ms");
  EXPECT_EQ(time_text(9.996e6), "10 ms");
  EXPECT_EQ(time_text(2.5e9), "2.50 s");
  EXPECT_EQ(time_text(1e12), "1000 s");
}

TEST(LatencyPlot, ShowsEverySeriesAndThePeriod) {
  TimeHistogram wake, step;
  for (int k = 0; k < 1000; ++k) wake.add(50000 + 100 * k), step.add(2000 + k);
  step.add(3000000);
  const LatencySeries series[] = {{"wake-up", &wake}, {"step", &step}};
  const std::string svg = draw_latency_plot("Times & <cycles>", "small print", series, 1000000);
  EXPECT_EQ(svg, draw_latency_plot("Times & <cycles>", "small print", series, 1000000));
  for (const char* text : {"Times &amp; &lt;cycles&gt;", "small print", "wake-up: median",
                           "step: median", "period 1 ms", "longest 3 ms", "99.9 %"}) {
    EXPECT_NE(svg.find(text), std::string::npos) << text;
  }
  EXPECT_EQ(svg.find("nan"), std::string::npos);
  EXPECT_EQ(svg.find("inf"), std::string::npos);
}

TEST(LatencyPlot, OfNothingIsEmptyAndWhole) {
  const TimeHistogram nothing;
  const LatencySeries series[] = {{"wake-up", &nothing}};
  const std::string svg = draw_latency_plot("Nothing", "", series, 1000000);
  EXPECT_NE(svg.find("</svg>"), std::string::npos);
  EXPECT_EQ(svg.find("nan"), std::string::npos);
}

}  // namespace
}  // namespace stance
