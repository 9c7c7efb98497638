#include "stance_report/branch_plot.hpp"

#include <gtest/gtest.h>

namespace stance {
namespace {

std::size_t count(const std::string& text, const std::string& what) {
  std::size_t n = 0;
  for (std::size_t at = text.find(what); at != text.npos; at = text.find(what, at + 1)) ++n;
  return n;
}

// One branch that loses its stability, and one of two steps: a line for each step, by stability, and a ring for each step of
// an event.
TEST(BranchPlot, TellsStableFromUnstableAndMarksEvents) {
  const std::vector<BranchLine> branches = {
      {1,
       {{0.05, 0.5, "", {0.4}},
        {0.06, 0.9, "", {0.42}},
        {0.065, 1, "period_doubling", {0.43}},
        {0.07, 1.2, "", {0.44}},
        {0.08, 1.4, "", {0.46}}}},
      {2, {{0.066, 0.9, "", {0.42, 0.44}}, {0.07, 0.5, "", {0.40, 0.47}}}}};
  const std::string svg = draw_branches("a walker", "ground.slope [rad]", branches);
  EXPECT_EQ(svg, draw_branches("a walker", "ground.slope [rad]", branches));
  EXPECT_NE(svg.find("ground.slope [rad]"), svg.npos);
  // stable: of the first branch one line in each panel, of the second one for its multiplier and two for its steps
  EXPECT_EQ(count(svg, "<polyline"), 2u * 2 + 1 + 2);
  EXPECT_EQ(count(svg, "<circle"), 1u + count(draw_branches("a walker", "p", {}), "<circle"));
}

TEST(BranchPlot, DrawsNothing) {
  EXPECT_NE(draw_branches("nothing", "p", {}).find("</svg>"), std::string::npos);
}

}  // namespace
}  // namespace stance
