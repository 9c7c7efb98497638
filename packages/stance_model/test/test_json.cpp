#include "stance_model/json.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>

namespace stance {
namespace {

TEST(Json, WritesNestedValues) {
  JsonWriter json;
  json.begin_object().key("a").begin_array().integer(1).number(0.1).null().end_array();
  json.key("b")
      .begin_object()
      .end_object()
      .key("c")
      .string("x")
      .key("d")
      .boolean(true)
      .end_object();
  EXPECT_EQ(json.text(),
            "{\n  \"a\": [\n    1,\n    0.1,\n    null\n  ],\n  \"b\": {},\n  \"c\": \"x\",\n  "
            "\"d\": true\n}");
}

TEST(Json, NumbersReadBackExactly) {
  for (const double x : {1.0 / 3, 30.475397462000007, -1e-300, 5e-324, 1e22, 0.0}) {
    JsonWriter json;
    EXPECT_EQ(std::strtod(json.number(x).text().c_str(), nullptr), x);
  }
  JsonWriter json;
  json.begin_array().number(INFINITY).number(NAN).end_array();
  EXPECT_EQ(json.text(), "[\n  null,\n  null\n]");
}

TEST(Json, StringsAreEscaped) {
  EXPECT_EQ(json_string("a\"b\\c\n\t\x01"), "\"a\\\"b\\\\c\\u000a\\u0009\\u0001\"");
  EXPECT_EQ(json_string("Fu\xC3\x9F \xE2\x82\xAC \xF0\x9F\xA6\xBF"),
            "\"Fu\xC3\x9F \xE2\x82\xAC \xF0\x9F\xA6\xBF\"");
}

// RFC 3629: a stray byte, a cut letter, an overlong slash, half of a surrogate pair, beyond U+10FFFF.
TEST(Json, BytesThatAreNotUtf8AreReplaced) {
  EXPECT_EQ(json_string("a\xFFz"), "\"a\\ufffdz\"");
  EXPECT_EQ(json_string("a\xC3"), "\"a\\ufffd\"");
  EXPECT_EQ(json_string("\xC0\xAF"), "\"\\ufffd\\ufffd\"");
  EXPECT_EQ(json_string("\xED\xA0\x80"), "\"\\ufffd\\ufffd\\ufffd\"");
  EXPECT_EQ(json_string("\xF4\x90\x80\x80"), "\"\\ufffd\\ufffd\\ufffd\\ufffd\"");
}

}  // namespace
}  // namespace stance
