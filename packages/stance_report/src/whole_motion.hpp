// The robot at an instant as tables show it: the base in front, as a free joint, wherever the root is, with the
// accelerations that act there and the force of the ground.
//
//   1. the accelerations of the walk under its support, with the damping of the joints and the pushes
//   2. the same motion from the base: poses and velocities (body_motion), accelerations (reroot_accelerations)
//   3. inverse dynamics from the base: nothing drives the base, so the force left over there is the ground's on the
//      robot, whatever the contacts are. It is (rate of momentum) - m g - pushes; in flight it is zero to rounding.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "stance_core/base/status.hpp"
#include "stance_core/model/tree.hpp"
#include "stance_core/model/workspace.hpp"
#include "stance_core/plant/wrench.hpp"
#include "stance_model/state_columns.hpp"

namespace stance::report {

struct WholeMotion {
  StateRow row;           // tau is not set
  Vec3<double> ground_W;  // N, of all contacts together
};

class MotionReader {
 public:
  // The model must outlive it. Pushes act with their mean over a step of length `step` that begins now.
  MotionReader(const Model& model, std::vector<Wrench> pushes, double step);

  // On a bad status the accelerations and the force are not numbers.
  Status read(const Tree& tree, const State& state, WholeMotion& motion);

 private:
  const Model& model_;
  std::vector<Wrench> pushes_;
  double step_;
  std::vector<Force<double>> forces_;
  Tree base_tree_;
  std::unique_ptr<Workspace> w_ = std::make_unique<Workspace>();
};

}  // namespace stance::report
