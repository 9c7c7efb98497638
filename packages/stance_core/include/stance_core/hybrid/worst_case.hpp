// How much a step can cost at most, by construction: every loop of Simulator::step() ends at a bound, and these are they
// multiplied out. A real-time system is sized by this number and not by the longest time that somebody saw.
#pragma once

#include "stance_core/hybrid/simulator.hpp"

namespace stance {

struct WorstCase {
  int guards = 0;       // that can be watched at one time
  int locator = 0;      // probes to locate the first of them that crosses
  StepWork quiet;       // nothing happens
  StepWork one_event;   // something happens once
  StepWork everything;  // as often as it may, and the rest in one implicit step
};

WorstCase worst_case(const SimulatorSettings& settings) noexcept;

// How many probes locate() can take at most: of four, one halves the bracket at least.
int locator_bound(double h, double tolerance) noexcept;

// Forward dynamics that this work can take: its integrations at the most stages the method may use, what was looked at, and
// its impacts.
long long forward_dynamics(const StepWork& work, const IntegratorSettings& settings) noexcept;

}  // namespace stance
