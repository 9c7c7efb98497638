#include "stance_model/json.hpp"

#include <fmt/format.h>

#include <cmath>
#include <iterator>

#include "stance_model/utf8.hpp"

namespace stance {

std::string json_string(std::string_view text) {
  std::string result = "\"";
  while (!text.empty()) {
    const std::size_t size = utf8_letter_size(text);
    const char c = text[0];
    if (size == 0) {
      result += "\\ufffd";
    } else if (c == '"' || c == '\\') {
      result += '\\';
      result += c;
    } else if (static_cast<unsigned char>(c) < 0x20) {
      fmt::format_to(std::back_inserter(result), "\\u{:04x}", static_cast<unsigned>(c));
    } else {
      result += text.substr(0, size);
    }
    text.remove_prefix(size == 0 ? 1 : size);
  }
  return result + '"';
}

void JsonWriter::new_line() {
  text_ += '\n';
  text_.append(2 * depth_, ' ');
}

void JsonWriter::begin_value() {
  if (after_key_) {
    after_key_ = false;
    return;
  }
  if (!first_) text_ += ',';
  if (depth_ > 0) new_line();
  first_ = false;
}

JsonWriter& JsonWriter::value(std::string_view text) {
  begin_value();
  text_ += text;
  return *this;
}

JsonWriter& JsonWriter::begin(std::string_view bracket) {
  value(bracket);
  ++depth_, first_ = true;
  return *this;
}

JsonWriter& JsonWriter::end(char bracket) {
  --depth_;
  if (!first_) new_line();
  first_ = false;
  text_ += bracket;
  return *this;
}

JsonWriter& JsonWriter::key(std::string_view name) {
  value(json_string(name) + ": ");
  after_key_ = true;
  return *this;
}

JsonWriter& JsonWriter::string(std::string_view text) { return value(json_string(text)); }
JsonWriter& JsonWriter::number(double number) {
  // fmt's {} is the shortest text that reads back as the same number
  return std::isfinite(number) ? value(fmt::format("{}", number)) : null();
}
JsonWriter& JsonWriter::boolean(bool truth) { return value(truth ? "true" : "false"); }
JsonWriter& JsonWriter::null() { return value("null"); }

}  // namespace stance
