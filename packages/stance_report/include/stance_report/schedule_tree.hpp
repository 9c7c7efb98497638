// The picture of a schedule: the robot's joints with their numbers, and the binary tree in which they are added, as in
// Fig. 6 of Yamane and Nakamura.
#pragma once

#include <string>
#include <vector>

#include "stance_core/assembly/schedule.hpp"

namespace stance {

// A joint of a schedule as a reader knows it: numbers in the order in which the joints come.
struct ScheduleEntry {
  JointId joint;
  int number = 0;
  std::string name;
};
std::vector<ScheduleEntry> schedule_entries(const Model& model, const Tree& tree, const Plan& plan);

// SVG. Left the robot, a circle for each joint; right the tree, of which each node is the subchain that its joint
// completes. An edge that ends in nothing is a single link, or the world. Colours are processors.
std::string draw_schedule(const std::string& title, const Model& model, const Tree& tree,
                          const Plan& plan);

}  // namespace stance
