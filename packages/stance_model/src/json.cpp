#include "stance_model/json.hpp"

#include <fmt/format.h>

#include <cmath>
#include <iterator>

namespace stance {
namespace {

// Bytes of the UTF-8 letter at the start of a text that is not empty; 0 if there is none (RFC 3629, section 4).
std::size_t letter_size(std::string_view text) {
  const auto byte = [&](std::size_t i) {
    return i < text.size() ? static_cast<unsigned char>(text[i]) : 0u;
  };
  const auto follows = [&](std::size_t i) { return (byte(i) & 0xC0) == 0x80; };
  const unsigned a = byte(0), b = byte(1);
  if (a < 0x80) return 1;
  if (a >= 0xC2 && a <= 0xDF && follows(1)) return 2;
  if (a >= 0xE0 && a <= 0xEF && follows(1) && follows(2)) {
    const bool overlong = a == 0xE0 && b < 0xA0, surrogate = a == 0xED && b >= 0xA0;
    return overlong || surrogate ? 0 : 3;
  }
  if (a >= 0xF0 && a <= 0xF4 && follows(1) && follows(2) && follows(3)) {
    const bool overlong = a == 0xF0 && b < 0x90, too_large = a == 0xF4 && b >= 0x90;
    return overlong || too_large ? 0 : 4;
  }
  return 0;
}

}  // namespace

std::string json_string(std::string_view text) {
  std::string result = "\"";
  while (!text.empty()) {
    const std::size_t size = letter_size(text);
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
