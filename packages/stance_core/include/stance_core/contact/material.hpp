// What a pair of surfaces does when they touch.
#pragma once

#include <limits>

namespace stance {

// Left to itself a contact sticks wherever it can, and never bounces: what passive walkers are taken to do.
struct Material {
  double mu_static = std::numeric_limits<double>::infinity();
  double mu_kinetic = 0;   // not above mu_static; 0 where that is infinite: see (5) of friction.hpp
  double restitution = 0;  // 0 to 1

  bool slips() const noexcept { return mu_static < std::numeric_limits<double>::infinity(); }
};

}  // namespace stance
