#include "scenario_file.hpp"

#include <fmt/format.h>

#include <string>
#include <vector>

#include "read_file.hpp"
#include "refusal.hpp"

namespace stance {
namespace {

namespace fs = std::filesystem;

// A thousand times the longest scenario we know of.
constexpr std::size_t kMaxSize = std::size_t{1} << 20;

}  // namespace

YAML::Node read_scenario_file(const fs::path& path) {
  const std::string text = read_file(path, path.string(),
                                     {"scenario file", kMaxSize, "it is no scenario"});
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
