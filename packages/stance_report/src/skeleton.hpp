// The robot as sticks: lines from each body's joint to its children's joints and to its feet.
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
  std::vector<Bone> bones;
};

Skeleton make_skeleton(const Model& model, const SimulatorSettings& settings);

}  // namespace stance::report
