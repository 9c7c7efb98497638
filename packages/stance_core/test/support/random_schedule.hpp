// A schedule in any order.
#pragma once

#include <algorithm>

#include "stance_core/assembly/schedule.hpp"
#include "support/random_robot.hpp"

namespace stance::test {

inline Schedule random_schedule(Random& random, const Model& model) {
  Schedule schedule;
  for (int j = 0; j < model.body_count; ++j) schedule.joints.push_back(JointId(j));
  // by hand: std::shuffle differs from library to library
  for (int j = model.body_count - 1; j > 0; --j)
    std::swap(schedule.joints[static_cast<std::size_t>(j)],
              schedule.joints[static_cast<std::size_t>(pick(random, j + 1))]);
  return schedule;
}

}  // namespace stance::test
