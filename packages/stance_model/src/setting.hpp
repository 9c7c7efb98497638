// A value of a scenario file with its path and place, so that every complaint names both; and its strict readers.
//
// A Setting is a view of a YAML node. Complaints are thrown as Refusals: the element is the place
// ("compass.yaml:12:9"), the message begins with the path ("feet[1].support is 'pins'; it can be ...").
#pragma once

#include <yaml-cpp/yaml.h>

#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "stance_core/base/result.hpp"
#include "stance_core/spatial/vec3.hpp"
#include "stance_model/quantity.hpp"

namespace stance {

class Setting {
 public:
  Setting(const YAML::Node& node, std::string path, const std::string& file);
  // `mark` is its place, where the node itself does not know.
  Setting(const YAML::Node& node, std::string path, const std::string& file,
          const YAML::Mark& mark);
  // Copied only: a YAML::Node has no move of its own.
  Setting(const Setting&) = default;
  Setting& operator=(const Setting&) = default;
  ~Setting() = default;

  // "compass.yaml:12:9"
  std::string where() const;
  [[noreturn]] void refuse(ErrorCode code, std::string_view sentence) const;

  bool is_map() const { return node_.IsMap(); }
  bool is_list() const { return node_.IsSequence(); }
  bool is_scalar() const { return node_.IsScalar(); }

  std::string text() const;
  double quantity(const Dimension& dimension) const;
  double positive(const Dimension& dimension) const;  // above zero
  Vec3<double> vector(const Dimension& dimension) const;
  // One of the words; its index.
  int word(const std::vector<std::string>& words) const;
  std::vector<Setting> list(std::size_t longest) const;

  const std::string& path() const { return path_; }

 private:
  friend class Keys;
  std::string quoted() const;
  const char* shape() const;  // "a list"

  YAML::Node node_;
  YAML::Mark mark_;
  std::string path_;
  const std::string* file_;
};

// The keys of a map.
class Keys {
 public:
  // `known` are the keys there can be; empty: any. Refuses what is no map, keys that come twice, unknown keys.
  Keys(const Setting& map, const std::vector<std::string>& known);

  std::optional<Setting> find(const std::string& key) const;
  Setting require(const std::string& key, std::string_view example) const;
  bool has(const std::string& key) const { return find(key).has_value(); }
  const std::vector<std::pair<std::string, Setting>>& all() const { return entries_; }

 private:
  Setting map_;
  std::vector<std::pair<std::string, Setting>> entries_;
  std::unordered_map<std::string, std::size_t> index_;  // by name: a file can have any number
};

// All entries of a map with free keys, such as names of joints.
std::vector<std::pair<std::string, Setting>> entries_of(const Setting& map);

// "; did you mean 'left_foot'?", or a list of the choices where none is near.
std::string suggestion(const std::string& wrong, const std::vector<std::string>& choices);

}  // namespace stance
