// Text -> one YAML document. The text is gone through once without a tree, and refused if its tree would be too large:
// yaml-cpp's LoadAll takes what no value can begin with, such as a comma, for a document without end after another.
#include "scenario_file.hpp"

#include <fmt/format.h>
#include <yaml-cpp/eventhandler.h>

#include <sstream>
#include <string>

#include "read_file.hpp"
#include "refusal.hpp"

namespace stance {
namespace {

namespace fs = std::filesystem;

// A thousand times the longest scenario we know of, in bytes and in values.
constexpr std::size_t kMaxSize = std::size_t{1} << 20;
constexpr int kMaxValues = 100'000;

// Counts the values of a document, and knows where it begins.
class Survey final : public YAML::EventHandler {
 public:
  explicit Survey(const std::string& file) : file_(file) {}

  void OnDocumentStart(const YAML::Mark& mark) override { begin_ = mark; }
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark& mark, YAML::anchor_t) override { count(mark); }
  void OnAlias(const YAML::Mark& mark, YAML::anchor_t) override { count(mark); }
  void OnScalar(const YAML::Mark& mark, const std::string&, YAML::anchor_t,
                const std::string& /*value*/) override {
    count(mark);
  }
  void OnSequenceStart(const YAML::Mark& mark, const std::string&, YAML::anchor_t,
                       YAML::EmitterStyle::value /*style*/) override {
    count(mark);
  }
  void OnSequenceEnd() override {}
  void OnMapStart(const YAML::Mark& mark, const std::string&, YAML::anchor_t,
                  YAML::EmitterStyle::value /*style*/) override {
    count(mark);
  }
  void OnMapEnd() override {}

  const YAML::Mark& begin() const { return begin_; }

 private:
  void count(const YAML::Mark& mark) {
    if (++values_ <= kMaxValues) return;
    refuse(ErrorCode::kCapacity, fmt::format("{}:{}:{}", file_, mark.line + 1, mark.column + 1),
           fmt::format("there are more than {} keys and values; this is no scenario", kMaxValues));
  }

  const std::string& file_;
  YAML::Mark begin_;
  int values_ = 0;
};

void require_one_document(const std::string& text, const std::string& file) {
  std::istringstream stream(text);
  YAML::Parser parser(stream);
  Survey survey(file);
  if (!parser.HandleNextDocument(survey) || !parser.HandleNextDocument(survey)) return;
  const YAML::Mark& mark = survey.begin();
  if (mark.pos >= 0 && text.compare(static_cast<std::size_t>(mark.pos), 3, "---") == 0) {
    refuse(ErrorCode::kSyntax, fmt::format("{}:{}", file, mark.line + 1),
           "a second document begins here; a scenario is one");
  }
  refuse(ErrorCode::kSyntax, fmt::format("{}:{}:{}", file, mark.line + 1, mark.column + 1),
         "this is not YAML: a value cannot go on or begin here; a scenario has a 'key: value' in "
         "each line, and a table (CSV) is none");
}

}  // namespace

YAML::Node read_scenario_file(const fs::path& path) {
  const std::string file = path.string();
  const std::string text = read_file(path, file, {"scenario file", kMaxSize, "it is no scenario"});
  YAML::Node document;
  try {
    require_one_document(text, file);
    document = YAML::Load(text);
  } catch (const YAML::Exception& error) {
    refuse(ErrorCode::kSyntax,
           fmt::format("{}:{}:{}", file, error.mark.line + 1, error.mark.column + 1),
           fmt::format("this is not YAML: {}", error.msg));
  }
  if (!document.IsDefined() || document.IsNull())
    refuse(ErrorCode::kFile, file, "is empty; config/ has scenarios to start from");
  return document;
}

}  // namespace stance
