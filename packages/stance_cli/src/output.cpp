#include "output.hpp"

#include <fcntl.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "stance_report/overwrite.hpp"

namespace stance {
namespace {

// An error if a write to the file ever failed. Says it once: the file is then as new.
std::optional<Error> flush(std::FILE* file, const std::string& name) {
  errno = 0;
  const bool flushed = std::fflush(file) == 0;
  if (flushed && !std::ferror(file)) return std::nullopt;
  const std::string reason = errno != 0 ? std::strerror(errno) : "a write failed";
  std::clearerr(file);
  return Error{ErrorCode::kFile, name, "cannot be written to its end: " + reason};
}

}  // namespace

void open_standard_streams() {
  for (int stream = 0; stream < 3; ++stream) {
    if (::fcntl(stream, F_GETFD) >= 0 || errno != EBADF) continue;
    // the lowest number that is free is given: this one
    [[maybe_unused]] const int opened = ::open(stream == 1 ? "/dev/full" : "/dev/null", O_RDWR);
  }
}

std::optional<Error> flush_standard_output() { return flush(stdout, "standard output"); }

Result<Output> Output::open(const std::string& path,
                            const std::vector<std::filesystem::path>& inputs) {
  if (path.empty() || path == "-") return Output(stdout, "standard output");
  if (auto error = overwritten_input(path, inputs)) return *error;
  std::FILE* file = std::fopen(path.c_str(), "w");
  if (!file)
    return Error{ErrorCode::kFile, path, std::string("cannot be written: ") + std::strerror(errno)};
  return Output(file, path);
}

std::optional<Error> Output::close() { return flush(file_.get(), name_); }

}  // namespace stance
