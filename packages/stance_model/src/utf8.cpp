#include "stance_model/utf8.hpp"

namespace stance {

std::size_t utf8_letter_size(std::string_view text) {
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

}  // namespace stance
