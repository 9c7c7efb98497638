// Aligned columns of text that fit the width of a page.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace stance {

inline constexpr std::size_t kPageWidth = 100;

class TextTable {
 public:
  enum class Align { kLeft, kRight };

  void add_column(std::string title, Align align);
  // One cell for each column.
  void add_row(std::vector<std::string> cells);

  // All lines, indented. Where they would be wider than the page, the longest cells of the widest left-aligned
  // columns lose their middle ("left_hi..ch_joint").
  std::string text(std::size_t indent) const;

 private:
  struct Column {
    Align align;
    std::vector<std::string> cells;  // the title first
  };
  std::vector<Column> columns_;
};

// Letters, not bytes, of a UTF-8 text.
std::size_t letters(std::string_view text);

// Text broken at blanks into lines that fit the page; lines after the first are indented further by two.
std::string wrapped(std::string_view text, std::size_t indent);

}  // namespace stance
