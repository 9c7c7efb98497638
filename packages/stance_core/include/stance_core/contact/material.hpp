// What a pair of surfaces does when they touch.
#pragma once

#include <limits>

namespace stance {

// Left to itself a contact never slips and never bounces: what passive walkers are taken to do.
struct Material {
  double mu_static = std::numeric_limits<double>::infinity();
  double mu_kinetic = std::numeric_limits<double>::infinity();  // not above mu_static
  double restitution = 0;                                       // 0 to 1

  bool slips() const noexcept { return mu_static < std::numeric_limits<double>::infinity(); }
};

}  // namespace stance
