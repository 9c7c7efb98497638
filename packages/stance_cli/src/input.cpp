#include "input.hpp"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <iostream>

namespace stance {

Result<Input> Input::open(const std::string& path) {
  if (path == "-") return Input("standard input");
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored)) {
    return Error{ErrorCode::kFile, path, "is a directory: give a CSV file"};
  }
  Input input(path);
  errno = 0;
  input.file_ = std::make_unique<std::ifstream>(path, std::ios::binary);
  if (!*input.file_) {
    return Error{ErrorCode::kFile, path, std::string("cannot be opened: ") + std::strerror(errno)};
  }
  return input;
}

std::istream& Input::stream() { return file_ ? static_cast<std::istream&>(*file_) : std::cin; }

}  // namespace stance
