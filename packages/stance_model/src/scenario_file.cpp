#include "scenario_file.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "refusal.hpp"

namespace stance {
namespace {

namespace fs = std::filesystem;

// A thousand times the longest scenario we know of.
constexpr std::size_t kMaxSize = std::size_t{1} << 20;

std::string read_bounded(const fs::path& path) {
  const std::string file = path.string();
  std::error_code ignored;
  const fs::file_status status = fs::status(path, ignored);
  if (status.type() == fs::file_type::not_found)
    refuse(ErrorCode::kFile, file, "does not exist; check the path");
  if (fs::is_directory(status))
    refuse(ErrorCode::kFile, file, "is a directory; give the scenario file in it");
  const auto fail = [&] {
    refuse(ErrorCode::kFile, file, fmt::format("cannot be read: {}", std::strerror(errno)));
  };
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> in(std::fopen(path.c_str(), "rb"),
                                                           &std::fclose);
  if (!in) fail();
  std::string text;
  char buffer[65536];
  while (const std::size_t count = std::fread(buffer, 1, sizeof buffer, in.get())) {
    text.append(buffer, count);
    if (text.size() > kMaxSize)
      refuse(ErrorCode::kFile, file, "is larger than 1 MiB, so it is no scenario");
  }
  if (std::ferror(in.get()) != 0) fail();
  return text;
}

}  // namespace

YAML::Node read_scenario_file(const fs::path& path) {
  const std::string text = read_bounded(path);
  std::vector<YAML::Node> documents;
  try {
    documents = YAML::LoadAll(text);
  } catch (const YAML::Exception& error) {
    refuse(ErrorCode::kSyntax,
           fmt::format("{}:{}:{}", path.string(), error.mark.line + 1, error.mark.column + 1),
           fmt::format("this is not YAML: {}", error.msg));
  }
  if (documents.empty() || (documents.size() == 1 && documents[0].IsNull()))
    refuse(ErrorCode::kFile, path.string(), "is empty; config/ has scenarios to start from");
  if (documents.size() > 1) {
    refuse(ErrorCode::kSyntax, fmt::format("{}:{}", path.string(), documents[1].Mark().line + 1),
           "a second document begins here; a scenario is one");
  }
  return documents[0];
}

}  // namespace stance
