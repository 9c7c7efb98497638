// Where a command writes its answer: a file, or standard output. A full disk is an error, not a short file.
#pragma once

#include <cstdio>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "stance_core/base/result.hpp"

namespace stance {

// Of the program as a whole. Streams that the caller has closed are opened where nothing is read or written, so that no
// file of ours takes their place; what is printed then counts as lost.
void open_standard_streams();
// Writes what is still in memory. An error, once, if anything printed since the start could not be written.
std::optional<Error> flush_standard_output();

class Output {
 public:
  // An empty path or "-" is standard output. A file that is among `inputs`, what the command reads, is refused.
  static Result<Output> open(const std::string& path,
                             const std::vector<std::filesystem::path>& inputs = {});

  void write(std::string_view text) { std::fwrite(text.data(), 1, text.size(), file_.get()); }

  // Writes what is still in memory. An error if any write failed.
  std::optional<Error> close();

 private:
  struct Closer {
    void operator()(std::FILE* file) const {
      if (file != stdout) std::fclose(file);
    }
  };
  Output(std::FILE* file, std::string name) : file_(file), name_(std::move(name)) {}

  std::unique_ptr<std::FILE, Closer> file_;
  std::string name_;
};

}  // namespace stance
