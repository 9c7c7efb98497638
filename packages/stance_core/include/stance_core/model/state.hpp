// Time, positions and velocities. Bytes: a snapshot is a copy.
//
// q and v begin with the support joint's coordinates (room for a free joint's 7 and 6; a pin uses one of each) and
// go on with the joints', as Joint::q_index and v_index say. Multi-axis joints have angular parts first in v.
#pragma once

#include <array>
#include <type_traits>

#include "stance_core/base/capacity.hpp"

namespace stance {

inline constexpr int kSupportCoordinates = 7;
inline constexpr int kSupportDofs = 6;

// One number per degree of freedom, laid out as State::v: accelerations, efforts.
using DofVector = std::array<double, kMaxDofs>;

struct State {
  double time = 0;
  std::array<double, kMaxCoordinates> q{};
  DofVector v{};
};

static_assert(std::is_trivially_copyable_v<State>);

}  // namespace stance
