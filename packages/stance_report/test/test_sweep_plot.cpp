#include "stance_report/sweep_plot.hpp"

#include <gtest/gtest.h>

namespace stance {
namespace {

std::size_t count(const std::string& text, const std::string& what) {
  std::size_t n = 0;
  for (std::size_t at = text.find(what); at != text.npos; at = text.find(what, at + 1)) ++n;
  return n;
}

TEST(SweepPlot, HasADotForEachGaitAndTellsTheStableOnes) {
  const std::vector<SweepSample> samples = {
      {0.05, 0.5, 0.4, 0.7}, {0.06, 0.9, 0.45, 0.72}, {0.07, 1.2, 0.5, 0.74}};
  const std::string svg = draw_sweep("a walker", samples);
  EXPECT_EQ(svg, draw_sweep("a walker", samples));
  EXPECT_NE(svg.find("a walker"), svg.npos);
  // three panels, and one of each in the legend
  EXPECT_EQ(count(svg, "fill=\"#1f5fa8\""), 2u * 3 + 1);
  EXPECT_EQ(count(svg, "fill=\"#d1602b\""), 1u * 3 + 1);
}

TEST(SweepPlot, DrawsAnEmptySweep) {
  EXPECT_NE(draw_sweep("nothing", {}).find("</svg>"), std::string::npos);
}

}  // namespace
}  // namespace stance
