// A table as comma-separated values (RFC 4180, with line feeds): numbers with the 17 digits that read back exactly.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "output_file.hpp"

namespace stance::report {

class CsvWriter {
 public:
  CsvWriter(OutputFile file, const std::vector<std::string>& header);

  CsvWriter& text(std::string_view value);
  CsvWriter& number(double value);
  CsvWriter& integer(std::uint64_t value);
  // Ends the row. Rows reach the disk some hundred at a time, or at flush().
  void end_row();
  void flush();
  void close();

  const OutputFile& file() const { return file_; }

 private:
  void separate();

  OutputFile file_;
  std::string row_;
  bool empty_row_ = true;
  int rows_since_flush_ = 0;
};

}  // namespace stance::report
