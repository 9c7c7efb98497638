// A trunk with limbs of given lengths: hinges with random geometry, from a fixed seed.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "support/random_robot.hpp"

namespace stance::test {

struct LimbSketch {
  std::string parent;  // "" the trunk, else "limb<i>_<k>": the k-th link of limb i, counted from 1
  int length;
};

inline Description limbed_description(const std::vector<LimbSketch>& limbs) {
  Random random(17);
  Description robot;
  robot.name = "limbed";
  robot.links.push_back({"trunk", random_inertial(random)});
  for (std::size_t i = 0; i < limbs.size(); ++i) {
    std::string parent = limbs[i].parent.empty() ? "trunk" : limbs[i].parent;
    for (int k = 1; k <= limbs[i].length; ++k) {
      const std::string link = "limb" + std::to_string(i) + "_" + std::to_string(k);
      robot.links.push_back({link, random_inertial(random)});
      JointDescription joint;
      joint.name = "to_" + link;
      joint.parent = parent;
      joint.child = link;
      joint.type = JointType::kRevolute;
      joint.origin.linear() = random_rotation(random);
      joint.origin.translation() = random_vector(random, 0.4).eigen();
      joint.axis = random_vector(random).eigen();
      robot.joints.push_back(joint);
      parent = link;
    }
  }
  return robot;
}

inline std::unique_ptr<Model> limbed_robot(const std::vector<LimbSketch>& limbs,
                                           const BuildOptions& options = {}) {
  return std::make_unique<Model>(*build_model(limbed_description(limbs), options));
}

}  // namespace stance::test
