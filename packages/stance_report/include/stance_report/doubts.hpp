// What makes a run doubtful although nothing failed: energy that comes from nowhere, and joints beyond their limits.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "stance_core/contact/contact_event.hpp"
#include "stance_core/hybrid/simulator.hpp"
#include "stance_core/plant/wrench.hpp"

namespace stance {

// Between events a robot that nothing drives keeps kinetic plus potential energy, less what damping takes; events say
// what they take. What is left over is the integrator's. Steps in which a push acts are left out.
class Doubts {
 public:
  // Energy left over is told beyond this part of the largest kinetic energy seen.
  static constexpr double kEnergyPart = 0.01;

  // The model must outlive it.
  Doubts(const Model& model, const SimulatorSettings& settings, std::vector<Wrench> pushes = {});

  // After the start and after each step, with all events so far. `driven`: joints did work in this step, which is not
  // counted.
  void observe(const Simulator& simulator, const std::vector<ContactEvent>& events,
               bool driven = false);

  // A sentence for each doubt; none is best.
  std::vector<std::string> sentences() const;

 private:
  struct Excess {
    int joint = 0;
    double limit = 0, first_time = 0, most = 0;
  };
  void watch_energy(const Simulator& simulator, const std::vector<ContactEvent>& events,
                    bool driven);
  void watch_limits(const State& state);
  bool pushed(double from, double to) const;
  double damping_power(const State& state) const;
  bool has_stop(int joint, bool at_lower) const;

  const Model& model_;
  const SimulatorSettings settings_;
  const std::vector<Wrench> pushes_;
  std::unique_ptr<Workspace> w_ = std::make_unique<Workspace>();
  bool begun_ = false;
  std::size_t events_seen_ = 0;
  double time_ = 0, energy_ = 0, power_ = 0;  // at the last observation
  double left_over_ = 0, most_left_over_ = 0, most_kinetic_ = 0, most_potential_ = 0;
  std::vector<Excess> excesses_;
};

}  // namespace stance
