// A text file that remembers the first thing that went wrong, so that a disk which fills up is reported and not lost.
#pragma once

#include <cstdio>
#include <filesystem>
#include <memory>
#include <optional>
#include <string_view>

#include "stance_core/base/result.hpp"

namespace stance::report {

class OutputFile {
 public:
  // Replaces what is there.
  static Result<OutputFile> open(const std::filesystem::path& path);

  void write(std::string_view text);
  void flush();
  // Everything written so far has reached the file, or the error says why not.
  void close();

  const std::filesystem::path& path() const { return path_; }
  const std::optional<Error>& error() const { return error_; }

 private:
  struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };
  OutputFile(std::filesystem::path path, std::FILE* file) : path_(std::move(path)), file_(file) {}
  void fail();

  std::filesystem::path path_;
  std::unique_ptr<std::FILE, Close> file_;
  std::optional<Error> error_;
};

// The whole file at once; nothing if it went well.
std::optional<Error> write_file(const std::filesystem::path& path, std::string_view text);

}  // namespace stance::report
