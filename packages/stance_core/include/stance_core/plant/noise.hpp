// Repeatable noise without a state: a number follows from seed, channel and count alone.
//
// So a snapshot needs no generator, a sensor more or less does not change what the others read, and the same seed gives
// the same run. Words are those of splitmix64 (Steele, Lea, Flood, OOPSLA 2014) at a position that the three keys choose;
// normal numbers are Box and Muller's, which has no loop.
#pragma once

#include <cstdint>

#include "stance_core/spatial/vec3.hpp"

namespace stance {

struct NoiseKey {
  std::uint64_t seed = 0;
  std::uint32_t channel = 0;  // one per quantity that is measured
  std::uint64_t count = 0;    // of the sample
};

// Uniform on (0, 1), never 0 or 1; `part` tells several numbers of one key apart.
double uniform(const NoiseKey& key, std::uint32_t part) noexcept;

// Mean 0, deviation 1.
double normal(const NoiseKey& key, std::uint32_t part) noexcept;
Vec3<double> normal_vector(const NoiseKey& key) noexcept;

}  // namespace stance
