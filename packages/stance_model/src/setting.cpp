#include "setting.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "refusal.hpp"

namespace stance {
namespace {

constexpr std::size_t kLongestQuote = 60;
constexpr double kLargest = 1e50;  // products of a few such numbers are finite still

// Letters to change, add or drop, and neighbours to swap, to get from a to b.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::vector<std::size_t>> d(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
  for (std::size_t i = 0; i <= a.size(); ++i) {
    for (std::size_t j = 0; j <= b.size(); ++j) {
      if (i == 0 || j == 0) {
        d[i][j] = i + j;
        continue;
      }
      d[i][j] = std::min(
          {d[i - 1][j] + 1, d[i][j - 1] + 1, d[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 0U : 1U)});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        d[i][j] = std::min(d[i][j], d[i - 2][j - 2] + 1);
      }
    }
  }
  return d[a.size()][b.size()];
}

std::string cut(std::string_view text) {
  if (text.size() <= kLongestQuote) return fmt::format("'{}'", text);
  return fmt::format("'{}...'", text.substr(0, kLongestQuote));
}

}  // namespace

std::string suggestion(const std::string& wrong, const std::vector<std::string>& choices) {
  constexpr std::size_t kMany = 12;
  const std::string* best = nullptr;
  std::size_t least = std::max<std::size_t>(2, wrong.size() / 3) + 1;
  if (wrong.size() < 100) {
    for (const std::string& choice : choices) {
      const std::size_t distance = edit_distance(wrong, choice);
      if (distance < least) best = &choice, least = distance;
    }
  }
  if (best != nullptr) return fmt::format("; did you mean '{}'?", *best);
  if (choices.empty()) return "; there are none";
  if (choices.size() <= kMany) return fmt::format("; there are {}", fmt::join(choices, ", "));
  const std::vector<std::string> some(choices.begin(), choices.begin() + kMany);
  return fmt::format("; there are {} and {} more", fmt::join(some, ", "), choices.size() - kMany);
}

Setting::Setting(const YAML::Node& node, std::string path, const std::string& file)
    : node_(node), mark_(node_.Mark()), path_(std::move(path)), file_(&file) {}

Setting::Setting(const YAML::Node& node, std::string path, const std::string& file,
                 const YAML::Mark& mark)
    : node_(node), mark_(mark), path_(std::move(path)), file_(&file) {}

std::string Setting::where() const {
  if (mark_.is_null()) return *file_;
  return fmt::format("{}:{}:{}", *file_, mark_.line + 1, mark_.column + 1);
}

void Setting::refuse(ErrorCode code, std::string_view sentence) const {
  stance::refuse(code, where(),
                 path_.empty() ? std::string(sentence) : fmt::format("{} {}", path_, sentence));
}

const char* Setting::shape() const {
  if (node_.IsMap()) return "a map";
  if (node_.IsSequence()) return "a list";
  if (node_.IsNull()) return "empty";
  return "a single value";
}

std::string Setting::quoted() const { return cut(node_.Scalar()); }

std::string Setting::text() const {
  if (node_.IsNull()) refuse(ErrorCode::kStructure, "is empty; fill it in or remove it");
  if (!node_.IsScalar())
    refuse(ErrorCode::kStructure, fmt::format("is {}; give a single value", shape()));
  if (node_.Scalar().empty()) refuse(ErrorCode::kStructure, "is empty; fill it in or remove it");
  return node_.Scalar();
}

double Setting::quantity(const Dimension& dimension) const {
  const std::string value = text();
  try {
    const double number = parse_quantity(value, dimension);
    if (std::abs(number) > kLargest)
      refuse(ErrorCode::kValue, fmt::format("has {}, which is absurdly large", quoted()));
    return number;
  } catch (const QuantityError& error) {
    refuse(ErrorCode::kValue, error.sentence);
  }
}

double Setting::positive(const Dimension& dimension) const {
  const double number = quantity(dimension);
  if (!(number > 0))
    refuse(ErrorCode::kValue, fmt::format("is {}; it must be above zero", quoted()));
  return number;
}

Vec3<double> Setting::vector(const Dimension& dimension) const {
  if (!node_.IsSequence() || node_.size() != 3) {
    refuse(ErrorCode::kStructure,
           fmt::format(
               "is {}{}; give three values, such as [0, 0, 1]", shape(),
               node_.IsSequence() && node_.size() != 0 ? fmt::format(" of {}", node_.size()) : ""));
  }
  const auto values = list(3);
  return {values[0].quantity(dimension), values[1].quantity(dimension),
          values[2].quantity(dimension)};
}

int Setting::word(const std::vector<std::string>& words) const {
  const std::string value = text();
  const auto found = std::find(words.begin(), words.end(), value);
  if (found == words.end()) {
    refuse(ErrorCode::kValue, fmt::format("is {}; it can be {}", quoted(), fmt::join(words, ", ")));
  }
  return static_cast<int>(found - words.begin());
}

std::vector<Setting> Setting::list(std::size_t longest) const {
  if (!node_.IsSequence())
    refuse(ErrorCode::kStructure, fmt::format("is {}; give a list, such as [a, b]", shape()));
  if (node_.size() > longest) {
    refuse(ErrorCode::kCapacity,
           fmt::format("has {} entries, and this build of stance holds {}", node_.size(), longest));
  }
  std::vector<Setting> entries;
  for (std::size_t i = 0; i < node_.size(); ++i)
    entries.emplace_back(node_[i], fmt::format("{}[{}]", path_, i), *file_);
  return entries;
}

std::vector<std::pair<std::string, Setting>> entries_of(const Setting& map) {
  return Keys(map, {}).all();
}

Keys::Keys(const Setting& map, const std::vector<std::string>& known) : map_(map) {
  if (!map.is_map()) {
    map.refuse(ErrorCode::kStructure,
               fmt::format("is {}; give keys and values{}", map.shape(),
                           known.empty() ? "" : fmt::format(" ({})", fmt::join(known, ", "))));
  }
  for (const auto& entry : map.node_) {
    const Setting name(entry.first, map.path_, *map.file_);
    if (!entry.first.IsScalar())
      name.refuse(ErrorCode::kStructure, "has a key that is not a single word");
    const std::string key = entry.first.Scalar();
    const std::string path = map.path_.empty() ? key : map.path_ + '.' + key;
    const Setting here(entry.first, "", *map.file_);
    if (!known.empty() && std::find(known.begin(), known.end(), key) == known.end()) {
      here.refuse(ErrorCode::kStructure,
                  fmt::format("unknown key {}{}{}", cut(key),
                              map.path_.empty() ? "" : " in " + map.path_, suggestion(key, known)));
    }
    if (const auto [first, is_new] = index_.emplace(key, entries_.size()); !is_new) {
      here.refuse(ErrorCode::kStructure, fmt::format("{} is given twice, first in {}; keep one",
                                                     path, entries_[first->second].second.where()));
    }
    // a value that is left out is where its key is; the parser puts it at whatever comes next
    const YAML::Mark mark = entry.second.IsNull() ? entry.first.Mark() : entry.second.Mark();
    entries_.emplace_back(key, Setting(entry.second, path, *map.file_, mark));
  }
}

std::optional<Setting> Keys::find(const std::string& key) const {
  const auto found = index_.find(key);
  if (found == index_.end()) return {};
  return entries_[found->second].second;
}

Setting Keys::require(const std::string& key, std::string_view example) const {
  if (auto setting = find(key)) return *setting;
  map_.refuse(ErrorCode::kStructure,
              fmt::format("{} the key '{}'; add {}",
                          map_.path().empty() ? "the file lacks" : "lacks", key, example));
}

}  // namespace stance
