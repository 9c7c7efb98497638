#include "text_table.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

namespace stance {
namespace {

std::size_t widest_line(const std::string& text) {
  std::istringstream in(text);
  std::size_t widest = 0;
  for (std::string line; std::getline(in, line);) widest = std::max(widest, letters(line));
  return widest;
}

TEST(TextTable, AlignsByLettersNotBytes) {
  TextTable table;
  table.add_column("joint", TextTable::Align::kLeft);
  table.add_column("limit", TextTable::Align::kRight);
  table.add_row(
      {"kn\xC3\xB6"
       "chel",
       "1"});
  table.add_row({"hip", "-12.5"});
  EXPECT_EQ(table.text(2),
            "  joint    limit\n  kn\xC3\xB6"
            "chel      1\n  hip      -12.5\n");
}

TEST(TextTable, CutsTheMiddleOfLongCellsToFitThePage) {
  TextTable table;
  for (const char* title : {"joint", "parent", "child"})
    table.add_column(title, TextTable::Align::kLeft);
  table.add_column("limit", TextTable::Align::kRight);
  table.add_row(
      {std::string(95, 'j'), "begin_" + std::string(83, 'p') + "_end", "short", "123.456"});
  const auto text = table.text(2);
  EXPECT_EQ(widest_line(text), kPageWidth);
  EXPECT_NE(text.find("begin_"), std::string::npos);
  EXPECT_NE(text.find("p_end"), std::string::npos);
  EXPECT_NE(text.find("short"), std::string::npos);
  EXPECT_NE(text.find("123.456"), std::string::npos);
}

TEST(Wrapped, BreaksAtBlanks) {
  std::string text;
  for (int i = 0; i < 60; ++i) text += "word ";
  const auto lines = wrapped(text, 4);
  EXPECT_LE(widest_line(lines), kPageWidth);
  EXPECT_EQ(lines.substr(0, 8), "    word");
  EXPECT_NE(lines.find("\n      word"), std::string::npos);
  EXPECT_EQ(wrapped("two words", 2), "  two words\n");
  EXPECT_EQ(wrapped("", 2), "  \n");
}

}  // namespace
}  // namespace stance
