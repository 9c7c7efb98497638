#include "svg.hpp"

#include <gtest/gtest.h>

namespace stance::report {
namespace {

TEST(Svg, IsTheSameTextForTheSameCalls) {
  const auto draw = [] {
    Svg svg(100, 50, "a & b");
    svg.line({0, 0}, {1. / 3, -0.001}, {"#000000", 1.5, 0.5, "5 4"});
    svg.text({3, 4}, "<left> \"knee\"", {.size = 12, .anchor = Anchor::kEnd, .turn = -90});
    return svg.finish();
  };
  EXPECT_EQ(draw(), draw());
  EXPECT_EQ(draw(), R"svg(<?xml version="1.0" encoding="UTF-8"?>
<svg xmlns="http://www.w3.org/2000/svg" width="100" height="50" viewBox="0 0 100 50" font-family="sans-serif">
<title>a &amp; b</title>
<rect width="100" height="50" fill="#ffffff"/>
<line x1="0" y1="0" x2="0.33" y2="0" stroke="#000000" stroke-width="1.5" stroke-opacity="0.5" stroke-dasharray="5 4"/>
<text x="3" y="4" font-size="12" fill="#222222" text-anchor="end" transform="rotate(-90 3 4)">&lt;left&gt; &quot;knee&quot;</text>
</svg>
)svg");
}

TEST(Svg, IsValidXmlWhateverTheTitleIsWrittenIn) {
  Svg svg(10, 10, "L\xE4ufer \xFF\x01");                           // Latin-1
  svg.text({0, 0}, "Lo\xCC\x88we \xED\xA0\x80 \xEF\xBF\xBE", {});  // UTF-8, a surrogate, U+FFFE
  const std::string text = svg.finish();
  EXPECT_NE(text.find("<title>L\uFFFDufer \uFFFD </title>"), std::string::npos) << text;
  EXPECT_NE(text.find(">Lo\xCC\x88we \uFFFD\uFFFD\uFFFD \uFFFD</text>"), std::string::npos) << text;
}

TEST(Svg, CountsLettersAndNotBytes) {
  EXPECT_EQ(text_width("\u03b8\u03b8", 10), text_width("ab", 10));
}

}  // namespace
}  // namespace stance::report
