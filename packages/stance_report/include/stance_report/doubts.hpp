// What makes a run doubtful although nothing failed: energy that comes from nowhere, and joints beyond their limits.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "stance_core/hybrid/simulator.hpp"

namespace stance {

// Kinetic plus potential energy changes by what efforts and pushes bring in and what damping, friction and impacts take
// (EnergyAccount). What is left over is the integrator's.
class Doubts {
 public:
  // Energy left over is told beyond this part of the largest kinetic energy seen.
  static constexpr double kEnergyPart = 0.01;

  // The model must outlive it.
  Doubts(const Model& model, const SimulatorSettings& settings);

  // After the start and after each step.
  void observe(const Simulator& simulator);

  // A sentence for each doubt; none is best.
  std::vector<std::string> sentences() const;

 private:
  struct Excess {
    int joint = 0;
    double limit = 0, first_time = 0, most = 0;
  };
  void watch_energy(const Simulator& simulator);
  void watch_limits(const State& state);
  bool has_stop(int joint, bool at_lower) const;

  const Model& model_;
  const SimulatorSettings settings_;
  std::unique_ptr<Workspace> w_ = std::make_unique<Workspace>();
  bool begun_ = false;
  double start_ = 0;  // J: what is explained is counted from here
  double most_left_over_ = 0, most_kinetic_ = 0, most_potential_ = 0;
  std::vector<Excess> excesses_;
};

}  // namespace stance
