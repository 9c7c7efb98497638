// Where a command writes its answer: a file, or standard output. A full disk is an error, not a short file.
#pragma once

#include <cstdio>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "stance_core/base/result.hpp"

namespace stance {

class Output {
 public:
  // An empty path or "-" is standard output.
  static Result<Output> open(const std::string& path);

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
