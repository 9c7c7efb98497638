// What the pictures need of the past: the last steps, sampled.
#pragma once

#include <deque>
#include <limits>
#include <vector>

#include "skeleton.hpp"
#include "trajectory_row.hpp"

namespace stance::report {

struct Sample {
  double time = 0;
  int support = -1;      // index of the foot; -1 in flight
  bool jump = false;     // velocities jumped between the sample before and this one,
  double jump_time = 0;  // at this instant
  double angle =
      0;  // rad, of the first foot's body about the ground's lateral axis, from the bind pose
  double rate = 0;                   // rad/s
  Energies energy;                   // J
  std::vector<double> q;             // of joints with one degree of freedom
  std::vector<Vec3<double>> points;  // the skeleton's nodes in the world
};

// A foot on the ground, up to now if `to` is infinite.
struct Contact {
  int foot = -1;
  double from = 0;
  double to = std::numeric_limits<double>::infinity();
};

// Needs kinematics in the workspace.
Sample take_sample(const Model& model, const SimulatorSettings& settings, const Skeleton& skeleton,
                   const Tree& tree, const State& state, int support, const Energies& energy,
                   const Workspace& w);

// The samples with two more at each jump: the states just before and just after it, continued in a straight line from
// their neighbours, which a step of the simulator parts from it.
std::deque<Sample> with_jumps(const std::deque<Sample>& samples);

class History {
 public:
  // Keeps this many steps at least, unless they are very long.
  explicit History(int steps) : steps_kept_(static_cast<std::size_t>(steps)) {}

  void add(Sample sample);
  void touch(int foot, double time);
  void leave(int foot, double time);
  // A touchdown that made a step: older steps than the last few are forgotten.
  void step(double time);

  const std::deque<Sample>& samples() const { return samples_; }
  const std::deque<Contact>& contacts() const { return contacts_; }

 private:
  void forget();

  std::size_t steps_kept_;
  std::deque<Sample> samples_;
  std::deque<Contact> contacts_;
  std::deque<double> steps_;  // times of the last touchdowns
};

}  // namespace stance::report
