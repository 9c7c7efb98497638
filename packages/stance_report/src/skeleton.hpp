// The robot as sticks: lines from each body's joint to its children's joints and to its feet, and the arcs of those that roll.
#pragma once

#include <vector>

#include "stance_core/hybrid/simulator.hpp"

namespace stance::report {

struct Skeleton {
  struct Node {
    BodyId body;
    Vec3<double> p_H;
  };
  struct Bone {
    int from, to;  // nodes
    int foot;      // the only one it carries; -1: none or several
  };
  std::vector<Node> nodes;
  // The sole of a foot that rolls.
  struct Arc {
    int center, lowest;  // nodes
    int foot;
  };
  std::vector<Bone> bones;
  std::vector<Arc> arcs;
};

Skeleton make_skeleton(const Model& model, const SimulatorSettings& settings);

}  // namespace stance::report
