// A name in fixed memory, so that a Model holds no heap and can be copied as bytes.
#pragma once

#include <algorithm>
#include <array>
#include <string_view>

#include "stance_core/base/capacity.hpp"

namespace stance {

class Name {
 public:
  constexpr Name() = default;
  // Longer names are cut: build_model refuses them before they get here.
  constexpr explicit Name(std::string_view text)
      : size_(static_cast<unsigned char>(std::min<std::size_t>(text.size(), kMaxNameLength))) {
    std::copy_n(text.begin(), size_, characters_.begin());
  }
  constexpr std::string_view view() const noexcept { return {characters_.data(), size_}; }
  friend constexpr bool operator==(const Name& a, std::string_view b) noexcept {
    return a.view() == b;
  }

 private:
  std::array<char, kMaxNameLength> characters_{};
  unsigned char size_ = 0;
};

}  // namespace stance
