// Writes JSON (RFC 8259). Numbers have as many digits as it takes to read them back exactly; what JSON cannot hold
// (infinite, not a number) becomes null.
#pragma once

#include <concepts>
#include <string>
#include <string_view>

namespace stance {

class JsonWriter {
 public:
  // Every value stands either in an array, or after its key in an object, or alone.
  JsonWriter& begin_object() { return begin("{"); }
  JsonWriter& end_object() { return end('}'); }
  JsonWriter& begin_array() { return begin("["); }
  JsonWriter& end_array() { return end(']'); }
  JsonWriter& key(std::string_view name);
  JsonWriter& string(std::string_view text);
  JsonWriter& number(double value);
  JsonWriter& integer(std::integral auto number) { return value(std::to_string(number)); }
  JsonWriter& boolean(bool value);
  JsonWriter& null();

  const std::string& text() const { return text_; }

 private:
  JsonWriter& begin(std::string_view bracket);
  JsonWriter& end(char bracket);
  JsonWriter& value(std::string_view text);
  void begin_value();
  void new_line();

  std::string text_;
  std::size_t depth_ = 0;
  bool first_ = true;  // nothing yet in the innermost array or object
  bool after_key_ = false;
};

// The text in quotes, escaped. Bytes that are not UTF-8 become U+FFFD.
std::string json_string(std::string_view text);

}  // namespace stance
