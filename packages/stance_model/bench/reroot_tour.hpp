// A robot that is re-rooted again and again along a closed tour of its bodies, as in walking.
#pragma once

#include <vector>

#include "bench_robots.hpp"
#include "stance_core/dynamics/reroot.hpp"

namespace stance::bench {

// A body that becomes the root, how it meets the world, and where: a point in its home frame.
struct Stop {
  BodyId body;
  JointKind kind = JointKind::kFree;
  Vec3<double> point_H;
};

class RerootTour {
 public:
  RerootTour(const BenchRobot& robot, const std::vector<Stop>& stops);

  // One call of reroot: on to the next stop.
  void step() noexcept {
    const Switch& to = switches_[next_];
    slip_ = reroot(model_, to.root, to.footing, tree_, state_);
    if (++next_ == switches_.size()) next_ = 0;
  }

  const Tree& tree() const { return tree_; }
  const State& state() const { return state_; }

 private:
  struct Switch {
    BodyId root;
    Footing footing;
  };

  const Model& model_;
  Tree tree_;
  State state_;
  Motion<double> slip_;  // kept, so that no compiler leaves the call out
  std::vector<Switch> switches_;
  std::size_t next_ = 0;
};

// To and fro between the two bodies with the most joints between them, each on a ball joint at its origin, or in
// flight where it is the base: the dearest switch that the robot has. None where the robot is one body.
std::vector<Stop> longest_path(const Model& model);

// Base in flight, first foot and second foot on ball joints; feet are links called *foot* or *sole*, on two bodies.
// None where there are no two.
std::vector<Stop> footfalls(const Model& model);

// First foot and second foot, each on a pin along the world's y; they may be two spokes of one body.
std::vector<Stop> pinned_footfalls(const Model& model);

}  // namespace stance::bench
