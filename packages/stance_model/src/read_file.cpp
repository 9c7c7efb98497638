#include "read_file.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>
#include <system_error>

#include "refusal.hpp"

namespace stance {

namespace fs = std::filesystem;

std::string read_file(const fs::path& path, const std::string& element, const FileKind& kind) {
  const auto fail = [&](const std::string& why) { refuse(ErrorCode::kFile, element, why); };
  const auto fail_size = [&] {
    fail(fmt::format("is larger than {} MiB, so {}", kind.max_bytes >> 20, kind.too_large));
  };
  const auto fail_reading = [&] {
    fail(fmt::format("cannot be read: {}; check its permissions", std::strerror(errno)));
  };
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (status.type() == fs::file_type::not_found) fail("does not exist; check the path");
  if (fs::is_directory(status)) fail(fmt::format("is a directory; give the {} in it", kind.noun));
  if (fs::is_regular_file(status)) {
    const auto size = fs::file_size(path, error);
    if (!error && size > kind.max_bytes) fail_size();
  }
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "rb"),
                                                             &std::fclose);
  if (!file) fail_reading();
  std::string text;
  char buffer[65536];
  while (const std::size_t count = std::fread(buffer, 1, sizeof buffer, file.get())) {
    text.append(buffer, count);
    if (text.size() > kind.max_bytes) fail_size();  // a pipe or a device has no size beforehand
  }
  if (std::ferror(file.get()) != 0) fail_reading();
  return text;
}

}  // namespace stance
