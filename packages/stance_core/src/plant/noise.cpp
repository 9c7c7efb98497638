#include "stance_core/plant/noise.hpp"

#include <cmath>
#include <numbers>

namespace stance {
namespace {

// The finalizer of splitmix64: every bit of the input moves half the bits of the output.
constexpr std::uint64_t mix(std::uint64_t z) noexcept {
  z += 0x9e3779b97f4a7c15u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

}  // namespace

double uniform(const NoiseKey& key, std::uint32_t part) noexcept {
  const std::uint64_t place = (static_cast<std::uint64_t>(key.channel) << 32) | part;
  const std::uint64_t word = mix(mix(mix(key.seed) ^ place) ^ key.count);
  return (static_cast<double>(word >> 11) + 0.5) * 0x1p-53;
}

double normal(const NoiseKey& key, std::uint32_t part) noexcept {
  const double radius = std::sqrt(-2 * std::log(uniform(key, 2 * part)));
  return radius * std::cos(2 * std::numbers::pi * uniform(key, 2 * part + 1));
}

Vec3<double> normal_vector(const NoiseKey& key) noexcept {
  return {normal(key, 0), normal(key, 1), normal(key, 2)};
}

}  // namespace stance
