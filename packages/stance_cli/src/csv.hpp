// Tables of numbers as comma-separated text: a first line with the names of the columns, then one row a line.
//
// Taken as they come: CRLF, a UTF-8 byte-order mark, blanks round a field, fields in double quotes, blank lines, and
// lines that begin with '#'. Every error says file and line. Reading is row by row, so a table may be a pipe.
#pragma once

#include <istream>
#include <string>
#include <string_view>
#include <vector>

#include "stance_core/base/result.hpp"

namespace stance {

class CsvReader {
 public:
  // Reads the line with the names. `in` must outlive the reader; `file` is what errors call it.
  static Result<CsvReader> open(std::istream& in, std::string file);

  const std::vector<std::string>& columns() const { return columns_; }

  // A column that need not hold numbers: next() gives zeros.
  void ignore(const std::string& column) { ignored_.push_back(column); }

  // Reads the next row: one finite number per column. False at the end of the table.
  Result<bool> next(std::vector<double>& values);

  // The place of what was read last, such as "states.csv:12".
  std::string where() const;

 private:
  CsvReader(std::istream& in, std::string file);
  Result<bool> next_fields();  // the next line that holds anything, cut into fields_
  Error error_here(std::string message) const;

  std::istream* in_;
  std::string file_;
  int line_ = 0;
  std::vector<std::string> columns_, ignored_;
  std::vector<std::string> fields_;
  std::vector<char> buffer_;
};

// Cuts a line into its fields. False if a field in quotes does not end with its quote.
bool split_fields(std::string_view line, std::vector<std::string>& fields);

// What a message may quote of a field: short, and nothing that could upset a terminal.
std::string quotable(std::string_view field);

// A field as it must be written: in quotes where it holds a comma, a quote, '#' or blanks at its ends.
std::string csv_field(std::string_view text);

}  // namespace stance
