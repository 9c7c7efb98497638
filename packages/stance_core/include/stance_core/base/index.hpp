// Ids that do not mix: a BodyId cannot be used where a FrameId is meant.
#pragma once

#include <compare>
#include <cstdint>
#include <type_traits>

namespace stance {

template <class Tag>
struct Id {
  std::int16_t value = -1;

  constexpr Id() = default;
  constexpr explicit Id(int index) : value(static_cast<std::int16_t>(index)) {}

  constexpr bool valid() const noexcept { return value >= 0; }
  constexpr operator int() const noexcept { return value; }  // indexes arrays
  friend constexpr auto operator<=>(Id, Id) = default;       // NOLINT(modernize-use-nullptr)
};

// Both would become int: say no instead.
template <class A, class B>
requires(!std::is_same_v<A, B>) bool operator==(Id<A>, Id<B>) = delete;

// A moving body. Body 0 is the one the robot file has as its root link.
using BodyId = Id<struct BodyTag>;
// A joint is named by the body it moves in the file: joint i connects body i to its parent, i >= 1.
using JointId = Id<struct JointTag>;
// A named frame: a link of the file.
using FrameId = Id<struct FrameTag>;

}  // namespace stance
