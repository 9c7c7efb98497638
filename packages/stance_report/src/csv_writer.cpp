#include "csv_writer.hpp"

#include <fmt/format.h>

#include <iterator>
#include <utility>

namespace stance::report {
namespace {

constexpr int kRowsPerFlush = 256;

}  // namespace

CsvWriter::CsvWriter(OutputFile file, const std::vector<std::string>& header)
    : file_(std::move(file)) {
  for (const auto& name : header) text(name);
  end_row();
  flush();
}

void CsvWriter::separate() {
  if (!empty_row_) row_ += ',';
  empty_row_ = false;
}

CsvWriter& CsvWriter::text(std::string_view value) {
  separate();
  if (value.find_first_of(",\"\r\n") == std::string_view::npos) {
    row_ += value;
    return *this;
  }
  row_ += '"';
  for (const char c : value) {
    if (c == '"') row_ += '"';
    row_ += c;
  }
  row_ += '"';
  return *this;
}

CsvWriter& CsvWriter::number(double value) {
  separate();
  fmt::format_to(std::back_inserter(row_), "{:.17g}", value);
  return *this;
}

CsvWriter& CsvWriter::integer(std::uint64_t value) {
  separate();
  fmt::format_to(std::back_inserter(row_), "{}", value);
  return *this;
}

void CsvWriter::end_row() {
  row_ += '\n';
  file_.write(row_);
  row_.clear();
  empty_row_ = true;
  if (++rows_since_flush_ >= kRowsPerFlush) flush();
}

void CsvWriter::flush() {
  rows_since_flush_ = 0;
  file_.flush();
}

void CsvWriter::close() { file_.close(); }

}  // namespace stance::report
