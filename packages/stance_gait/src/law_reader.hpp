// What a scenario tells a law: numbers with units, checked, and nothing that the law does not know.
#pragma once

#include <set>
#include <string>

#include "stance_core/base/result.hpp"
#include "stance_model/quantity.hpp"
#include "stance_model/scenario.hpp"

namespace stance {

inline constexpr Dimension kStiffness{2, 1, -2, -1};    // N m/rad
inline constexpr Dimension kDampingRate{2, 1, -1, -1};  // N m s/rad

class LawReader {
 public:
  explicit LawReader(const LawSettings& settings) : settings_(settings) {}

  // Changes `to` if the scenario has the key.
  void read(const std::string& key, const Dimension& dimension, double& to);
  void read(const std::string& key, std::string& to);

  bool has(const std::string& key) const;
  // Reports the first thing that was wrong, or a key that nobody read.
  const Error* trouble();
  // A complaint about a key, or about the law as a whole.
  Error complain(const std::string& key, const std::string& sentence) const;

 private:
  const LawSettings::Entry* find(const std::string& key) const;

  const LawSettings& settings_;
  std::set<std::string> known_;
  bool failed_ = false;
  Error error_{ErrorCode::kValue, "", ""};
};

}  // namespace stance
