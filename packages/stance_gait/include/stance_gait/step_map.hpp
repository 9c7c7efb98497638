// The step map of a walker: from the state just after one touchdown to that just after the next (a Poincaré map).
//
// Section coordinates x are the independent positions, then the velocities in the same order: the support's and those of the
// joints that are free at the start of a step, then what the law remembers. Joints that are locked there or that mimic another
// are left out, and so are joints that a latch has just let go: they are always at rest at their stop. A quaternion has three
// coordinates, the turn from where the walker started.
// After the step the legs have changed parts: the Exchange relabels feet and joints so that a symmetric gait is a
// fixed point of one step, and a walker that limps one of two.
//
// Just after touchdown both feet are on the ground, so the image of the map lies in a surface of one dimension less
// than x. The map is defined around that surface too. That adds a multiplier of zero and changes no other: the
// derivative maps everything into the surface's tangent space.
//
// Supports are pins, rolls, balls or welds; joints have one degree of freedom.
#pragma once

#include <Eigen/Core>
#include <memory>
#include <vector>

#include "stance_core/base/result.hpp"
#include "stance_core/hybrid/simulator.hpp"
#include "stance_gait/step_law.hpp"

namespace stance {

// Tight enough for differences of the map, see kDifferenceStep: Dormand-Prince at 1e-13, events to 1e-14 s.
void sharpen(SimulatorSettings& settings) noexcept;

// After a step q[joint] of the robot with its legs exchanged is sign q[from] + offset, its velocity sign v[from].
struct JointImage {
  JointId joint, from;
  double sign = 1, offset = 0;
};

// Joints that are not named stay what they are.
struct Exchange {
  std::vector<int> feet;  // feet[i]: the foot on which the step that began on foot i ends
  std::vector<JointImage> joints;
  double support_sign = 1, support_offset = 0;  // the same for the angle of a pin or a roll
  bool mirrored = false;  // of a ball: it is seen in the mirror of the sagittal plane
};

// A state after a step, with the legs exchanged.
State exchanged(const Model& model, const Exchange& exchange, const State& state) noexcept;

// A robot at the start of a step.
struct Walker {
  const Model* model = nullptr;  // must outlive the map
  SimulatorSettings settings;
  int foot = 0;  // on which it stands
  State start;   // positions and velocities; the support's first, as Simulator::start_on_foot takes
  std::vector<JointId> locked;  // joints that are held at their position in `start`
  std::vector<int> other_feet;  // that stand as well
  Exchange exchange;
  int touchdowns =
      1;            // instants of touchdown that make a step; more where legs cannot be exchanged
  DofVector tau{};  // constant efforts
  std::shared_ptr<const StepLaw> law;  // drives it; none: it is passive but for tau
  double time_limit = 20;              // s a step may take
};

struct GaitStep {
  Eigen::VectorXd x;       // just after touchdown, legs exchanged
  double period = 0;       // s
  double length = 0;       // m, from contact to contact along the ground
  double energy_lost = 0;  // J, kinetic, in all events of the step; a push-off counts against it
  std::vector<double> periods, lengths, losses;  // the same of each step
};

// What a walk asks of the robot and of the ground, and what it costs.
struct WalkNeeds {
  double least_normal = 0;   // N, of the ground on a foot that stands
  double most_friction = 0;  // largest tangential over normal force there
  double peak_effort = 0;    // N m or N, of any joint
  double peak_power = 0;     // W, of any joint
  double work = 0;           // J, of the joints' efforts, in size
  double positive_work = 0;  // J, only what they bring in
  double push_off_work = 0;  // J
  double gravity_work = 0;   // J, what the slope brought in
};

class StepMap {
 public:
  // Says by name what kind of walker it cannot do.
  static Result<StepMap> make(const Walker& walker);

  int dimension() const noexcept { return 2 * position_count_ + memory_count_; }
  const Walker& walker() const noexcept { return walker_; }

  // Section coordinates of a state, and the state that has them; the rest is as in Walker::start. What a law remembers is
  // zero in the first.
  Eigen::VectorXd coordinates(const State& state) const;
  State state(const Eigen::VectorXd& x) const;
  // "support", "hip": of a coordinate, position or velocity.
  std::string name(int coordinate) const;

  // `steps` steps from x, the totals over all of them. An error says why there is no such step: a fall, no touchdown in
  // time, another foot, other joints locked than at the start.
  Result<GaitStep> walk(const Eigen::VectorXd& x, int steps = 1, WalkNeeds* needs = nullptr) const;

 private:
  explicit StepMap(const Walker& walker);
  Result<GaitStep> walk_once(const Eigen::VectorXd& x, WalkNeeds* needs) const;

  // A joint or the support, as the section sees it.
  struct Part {
    int q = 0, v = 0;  // first of State
    int count = 1;     // degrees of freedom
    JointId joint;     // not valid: the support
  };

  Walker walker_;
  std::vector<Part> parts_;
  int position_count_ = 0, memory_count_ = 0;
  SimulatorSnapshot section_;             // the walker at its start
  std::unique_ptr<StepLaw> law_;          // the walker's, for this map alone
  std::unique_ptr<Simulator> simulator_;  // large: on the heap
};

}  // namespace stance
