#include "output_file.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <utility>

namespace stance::report {
namespace {

Error file_error(const std::filesystem::path& path, const char* what, int number) {
  return {ErrorCode::kFile, path.string(), fmt::format("{} ({})", what, std::strerror(number))};
}

}  // namespace

Result<OutputFile> OutputFile::open(const std::filesystem::path& path) {
  errno = 0;
  std::FILE* file = std::fopen(path.c_str(), "wb");
  if (file == nullptr) return file_error(path, "cannot be opened for writing", errno);
  return OutputFile(path, file);
}

void OutputFile::fail() {
  if (!error_) error_ = file_error(path_, "could not be written to its end", errno);
}

void OutputFile::write(std::string_view text) {
  if (!file_ || error_) return;
  if (std::fwrite(text.data(), 1, text.size(), file_.get()) != text.size()) fail();
}

void OutputFile::flush() {
  if (file_ && !error_ && std::fflush(file_.get()) != 0) fail();
}

void OutputFile::close() {
  if (file_ && std::fclose(file_.release()) != 0) fail();
}

std::optional<Error> write_file(const std::filesystem::path& path, std::string_view text) {
  auto file = OutputFile::open(path);
  if (!file) return file.error();
  file->write(text);
  file->close();
  return file->error();
}

}  // namespace stance::report
