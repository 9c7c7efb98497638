#include "csv.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <utility>

namespace stance {
namespace {

// Longer than any table of a robot that fits; it keeps a device or a binary file from filling the memory.
constexpr std::size_t kMaxLine = std::size_t{1} << 20;

constexpr std::string_view kBlanks = " \t";
constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

std::string_view trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(kBlanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kBlanks) - first + 1);
}

enum class Parsed { kNumber, kNotANumber, kNotFinite };

Parsed parse_number(const std::string& field, double& value) {
  const char* begin = field.data();
  const char* end = begin + field.size();
  if (begin != end && *begin == '+' && begin + 1 != end && begin[1] != '-')
    ++begin;  // from_chars takes no plus
  const auto [last, code] = std::from_chars(begin, end, value);
  if (last != end || begin == end || code == std::errc::invalid_argument)
    return Parsed::kNotANumber;
  // Out of range is either too large, or so small that zero is right: strtod tells them apart.
  if (code == std::errc::result_out_of_range) value = std::strtod(begin, nullptr);
  return std::isfinite(value) ? Parsed::kNumber : Parsed::kNotFinite;
}

}  // namespace

std::string quotable(std::string_view text) {
  constexpr std::size_t kShown = 40;
  std::string result;
  for (const char c : text.substr(0, kShown))
    result += static_cast<unsigned char>(c) < 0x20 || c == 0x7f ? '?' : c;
  return text.size() > kShown ? result + "..." : result;
}

bool split_fields(std::string_view line, std::vector<std::string>& fields) {
  fields.clear();
  for (;;) {
    const auto begin = std::min(line.find_first_not_of(kBlanks), line.size());
    if (begin < line.size() && line[begin] == '"') {
      std::string field;
      auto i = begin + 1;
      for (;; ++i) {
        if (i >= line.size()) return false;
        if (line[i] == '"') {
          if (i + 1 >= line.size() || line[i + 1] != '"') break;
          ++i;  // a doubled quote is one quote
        }
        field += line[i];
      }
      const auto comma = std::min(line.find(',', i), line.size());
      if (!trimmed(line.substr(i + 1, comma - i - 1)).empty()) return false;
      fields.push_back(std::move(field));
      if (comma == line.size()) return true;
      line.remove_prefix(comma + 1);
    } else {
      const auto comma = std::min(line.find(','), line.size());
      fields.emplace_back(trimmed(line.substr(0, comma)));
      if (comma == line.size()) return true;
      line.remove_prefix(comma + 1);
    }
  }
}

std::string csv_field(std::string_view text) {
  const bool plain = text.find_first_of(",\"#") == std::string_view::npos &&
                     trimmed(text) == text && !text.empty();
  if (plain) return std::string(text);
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"') quoted += '"';
    quoted += c;
  }
  return quoted + '"';
}

CsvReader::CsvReader(std::istream& in, std::string file)
    : in_(&in), file_(std::move(file)), buffer_(kMaxLine) {}

std::string CsvReader::where() const { return fmt::format("{}:{}", file_, line_); }

Error CsvReader::error_here(std::string message) const {
  return {ErrorCode::kSyntax, where(), std::move(message)};
}

Result<bool> CsvReader::next_fields() {
  for (;;) {
    in_->getline(buffer_.data(), static_cast<std::streamsize>(buffer_.size()));
    if (in_->bad()) return Error{ErrorCode::kFile, file_, "cannot be read to its end"};
    if (in_->gcount() == 0 && in_->eof()) return false;
    ++line_;
    if (in_->fail() && !in_->eof()) {
      return error_here(
          fmt::format("the line is longer than {} characters: is this a CSV file?", kMaxLine));
    }
    // gcount counts the end of line as well, unless the file ends without one
    std::string_view line(buffer_.data(),
                          static_cast<std::size_t>(in_->gcount()) - (in_->eof() ? 0 : 1));
    if (line_ == 1 && line.starts_with(kByteOrderMark)) line.remove_prefix(kByteOrderMark.size());
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (line.find('\0') != std::string_view::npos) {
      return error_here("the line holds a zero byte: this is not plain text (UTF-8)");
    }
    if (line.find('\r') != std::string_view::npos) {
      return error_here("lines end with CR alone; save the table with LF or CR LF");
    }
    const auto content = trimmed(line);
    if (content.empty() || content.starts_with('#')) continue;
    if (!split_fields(line, fields_))
      return error_here("a field in quotes (\") does not end with its quote");
    return true;
  }
}

Result<CsvReader> CsvReader::open(std::istream& in, std::string file) {
  CsvReader reader(in, std::move(file));
  const auto found = reader.next_fields();
  if (!found) return found.error();
  if (!*found) {
    return Error{ErrorCode::kSyntax, reader.file_,
                 "is empty: the first line must name the columns, such as q.knee,v.knee"};
  }
  reader.columns_ = reader.fields_;
  const auto& names = reader.columns_;
  if (names.size() == 1 && names[0].find_first_of(";\t") != std::string::npos) {
    return reader.error_here("columns are separated by commas, not by semicolons or tabs");
  }
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (names[i].empty()) return reader.error_here(fmt::format("column {} has no name", i + 1));
    if (std::find(names.begin(), names.begin() + static_cast<std::ptrdiff_t>(i), names[i]) !=
        names.begin() + static_cast<std::ptrdiff_t>(i)) {
      return reader.error_here(fmt::format("column '{}' is there twice", quotable(names[i])));
    }
  }
  return reader;
}

Result<bool> CsvReader::next(std::vector<double>& values) {
  const auto found = next_fields();
  if (!found) return found.error();
  if (!*found) return false;
  if (fields_.size() != columns_.size()) {
    return error_here(fmt::format("the row has {} fields, but the first line names {} columns",
                                  fields_.size(), columns_.size()));
  }
  values.resize(fields_.size());
  for (std::size_t i = 0; i < fields_.size(); ++i) {
    if (std::find(ignored_.begin(), ignored_.end(), columns_[i]) != ignored_.end()) {
      values[i] = 0;
      continue;
    }
    switch (parse_number(fields_[i], values[i])) {
      case Parsed::kNumber: break;
      case Parsed::kNotANumber:
        if (fields_[i].empty())
          return error_here(fmt::format("column '{}' is empty: give a number", columns_[i]));
        return error_here(
            fmt::format("column '{}': '{}' is not a number", columns_[i], quotable(fields_[i])));
      case Parsed::kNotFinite:
        return error_here(fmt::format("column '{}': {} is not a finite number", columns_[i],
                                      quotable(fields_[i])));
    }
  }
  return true;
}

}  // namespace stance
