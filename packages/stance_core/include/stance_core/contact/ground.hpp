// The ground: a plane, level or sloped.
#pragma once

#include <cmath>

#include "stance_core/spatial/vec3.hpp"

namespace stance {

struct Ground {
  Vec3<double> point;            // on the plane
  Vec3<double> normal{0, 0, 1};  // of unit length, out of the ground
  Vec3<double> lateral{
      0, 1, 0};  // of unit length, in the plane: the axis of planar robots' support joints

  double height(const Vec3<double>& p) const noexcept { return dot(normal, p - point); }
  // Walking direction in the plane: with x forward and y left, lateral × normal.
  Vec3<double> forward() const noexcept { return cross(lateral, normal); }
  // Axes of a support: z lateral, y normal, x = y × z.
  Mat3<double> support_axes() const noexcept { return {cross(normal, lateral), normal, lateral}; }
};

// A plane through the origin that falls by `slope` (rad) along +x.
inline Ground sloped_ground(double slope) noexcept {
  return {{}, {std::sin(slope), 0, std::cos(slope)}, {0, 1, 0}};
}

}  // namespace stance
