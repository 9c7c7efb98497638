#include "text_table.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace stance {
namespace {

constexpr std::size_t kGap = 2;        // blanks between columns
constexpr std::size_t kNarrowest = 9;  // a cut column keeps this much

bool begins_letter(char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }

// The first `count` letters of a text, and what follows them.
std::pair<std::string_view, std::string_view> split_letters(std::string_view text,
                                                            std::size_t count) {
  std::size_t i = 0;
  for (; i < text.size(); ++i) {
    if (begins_letter(text[i]) && count-- == 0) break;
  }
  return {text.substr(0, i), text.substr(i)};
}

std::string shortened(const std::string& text, std::size_t width) {
  const std::size_t length = letters(text);
  if (length <= width) return text;
  const std::size_t tail = (width - 2) / 2, head = width - 2 - tail;
  return std::string(split_letters(text, head).first) + ".." +
         std::string(split_letters(text, length - tail).second);
}

}  // namespace

std::size_t letters(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), begins_letter));
}

void TextTable::add_column(std::string title, Align align) {
  columns_.push_back({align, {std::move(title)}});
}

void TextTable::add_row(std::vector<std::string> cells) {
  for (std::size_t i = 0; i < columns_.size(); ++i)
    columns_[i].cells.push_back(std::move(cells.at(i)));
}

std::string TextTable::text(std::size_t indent) const {
  std::vector<std::size_t> widths;
  for (const auto& column : columns_) {
    std::size_t width = 0;
    for (const auto& cell : column.cells) width = std::max(width, letters(cell));
    widths.push_back(width);
  }

  // narrow the widest text column until the line fits
  const std::size_t room = kPageWidth - indent -
                           kGap * (columns_.empty() ? 0 : columns_.size() - 1);
  while (std::accumulate(widths.begin(), widths.end(), std::size_t{0}) > room) {
    std::size_t* widest = nullptr;
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      if (columns_[i].align == Align::kLeft && (!widest || widths[i] > *widest))
        widest = &widths[i];
    }
    if (!widest || *widest <= kNarrowest) break;
    --*widest;
  }

  std::string text;
  const std::size_t rows = columns_.empty() ? 0 : columns_.front().cells.size();
  for (std::size_t row = 0; row < rows; ++row) {
    std::string line(indent, ' ');
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      const auto cell = shortened(columns_[i].cells[row], widths[i]);
      const std::string padding(widths[i] - std::min(widths[i], letters(cell)), ' ');
      if (i > 0) line.append(kGap, ' ');
      line += columns_[i].align == Align::kLeft ? cell + padding : padding + cell;
    }
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + '\n';
  }
  return text;
}

std::string wrapped(std::string_view text, std::size_t indent) {
  std::string lines, line(indent, ' ');
  bool empty = true;
  while (!text.empty()) {
    const auto end = std::min(text.find(' '), text.size());
    const auto word = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (word.empty()) continue;
    if (!empty && letters(line) + 1 + letters(word) > kPageWidth) {
      lines += line + '\n';
      line.assign(indent + 2, ' ');
      empty = true;
    }
    if (!empty) line += ' ';
    line += word;
    empty = false;
  }
  return lines + line + '\n';
}

}  // namespace stance
