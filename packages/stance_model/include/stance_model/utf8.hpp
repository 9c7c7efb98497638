// Text that comes from files of all kinds, and must be UTF-8 where we write it.
#pragma once

#include <cstddef>
#include <string_view>

namespace stance {

// Bytes of the UTF-8 letter at the start of a text that is not empty; 0 if there is none (RFC 3629, section 4).
std::size_t utf8_letter_size(std::string_view text);

}  // namespace stance
