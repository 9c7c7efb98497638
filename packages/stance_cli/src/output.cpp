#include "output.hpp"

#include <cerrno>
#include <cstring>
#include <utility>

namespace stance {

Result<Output> Output::open(const std::string& path) {
  if (path.empty() || path == "-") return Output(stdout, "standard output");
  std::FILE* file = std::fopen(path.c_str(), "w");
  if (!file)
    return Error{ErrorCode::kFile, path, std::string("cannot be written: ") + std::strerror(errno)};
  return Output(file, path);
}

std::optional<Error> Output::close() {
  errno = 0;
  const bool flushed = std::fflush(file_.get()) == 0;
  if (flushed && !std::ferror(file_.get())) return std::nullopt;
  const char* reason = errno != 0 ? std::strerror(errno) : "a write failed";
  return Error{ErrorCode::kFile, name_, std::string("cannot be written to its end: ") + reason};
}

}  // namespace stance
