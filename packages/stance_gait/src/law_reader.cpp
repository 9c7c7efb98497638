#include "law_reader.hpp"

namespace stance {

const LawSettings::Entry* LawReader::find(const std::string& key) const {
  for (const LawSettings::Entry& entry : settings_.entries)
    if (entry.key == key) return &entry;
  return nullptr;
}

bool LawReader::has(const std::string& key) const { return find(key) != nullptr; }

void LawReader::read(const std::string& key, const Dimension& dimension, double& to) {
  known_.insert(key);
  const LawSettings::Entry* entry = find(key);
  if (entry == nullptr || failed_) return;
  try {
    to = parse_quantity(entry->text, dimension);
  } catch (const QuantityError& error) {
    failed_ = true;
    error_ = {ErrorCode::kValue, entry->where, "law." + key + ' ' + error.sentence};
  }
}

void LawReader::read(const std::string& key, std::string& to) {
  known_.insert(key);
  if (const LawSettings::Entry* entry = find(key)) to = entry->text;
}

const Error* LawReader::trouble() {
  if (failed_) return &error_;
  for (const LawSettings::Entry& entry : settings_.entries) {
    if (known_.count(entry.key) > 0) continue;
    std::string keys;
    for (const std::string& key : known_) keys += (keys.empty() ? "" : ", ") + key;
    error_ = {ErrorCode::kStructure, entry.where,
              "law." + entry.key + " is not known to the law '" + settings_.name +
                  "', which takes " + keys};
    failed_ = true;
    return &error_;
  }
  return nullptr;
}

Error LawReader::complain(const std::string& key, const std::string& sentence) const {
  const LawSettings::Entry* entry = find(key);
  return {ErrorCode::kValue, entry != nullptr ? entry->where : settings_.where,
          (key.empty() ? std::string("law") : "law." + key) + ' ' + sentence};
}

}  // namespace stance
