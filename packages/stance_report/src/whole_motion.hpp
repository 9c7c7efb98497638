// The robot at an instant as tables show it: the base in front, as a free joint, wherever the root is, with the
// accelerations that act there and the forces of the ground.
//
//   1. the accelerations under the mode, with the efforts and damping of the joints and the pushes (Simulator::observe)
//   2. the same motion from the base: poses and velocities (body_motion), accelerations (reroot_accelerations)
//   3. inverse dynamics from the base: nothing drives the base, so the force left over there is the ground's on the
//      robot, whatever the contacts are. It is (rate of momentum) - m g - pushes; in flight it is zero to rounding.
// That the forces of 1, site by site, add up to that of 3 is a check of both: where they do not, 3 is what is shown.
#pragma once

#include <array>
#include <memory>
#include <vector>

#include "stance_core/hybrid/simulator.hpp"
#include "stance_core/plant/wrench.hpp"
#include "stance_model/state_columns.hpp"

namespace stance::report {

struct FootForce {
  ContactMode mode = ContactMode::kOpen;
  Vec3<double> force_W;
};

struct WholeMotion {
  StateRow row;
  Vec3<double> ground_W;  // N, of all contacts together
  std::array<FootForce, kMaxFeet> feet;
  std::array<FootForce, kMaxContacts>
      sites;  // the places of the feet, as the simulator counts them
};

class MotionReader {
 public:
  // The model must outlive it. Pushes act with their mean over a step that begins now.
  MotionReader(const Model& model, const SimulatorSettings& settings, std::vector<Wrench> pushes);

  // On a bad status the accelerations and the forces are not numbers.
  Status read(const SimulatorSnapshot& snapshot, const DofVector& tau, WholeMotion& motion);

  // As of the last read(), with its kinematics.
  Simulator& simulator() { return *simulator_; }

 private:
  const Model& model_;
  std::vector<Wrench> pushes_;
  std::vector<Force<double>> forces_;
  Tree base_tree_;
  std::unique_ptr<Simulator> simulator_;
};

}  // namespace stance::report
