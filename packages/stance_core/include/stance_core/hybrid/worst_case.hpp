// How much a step can cost at most, by construction: every loop of Simulator::step() ends at a bound, and these are they
// multiplied out. A real-time system is sized by this number and not by the longest time that somebody saw.
#pragma once

#include "stance_core/hybrid/simulator.hpp"

namespace stance {

struct WorstCase {
  int guards = 0;       // feet, stops and links that must not touch the ground
  int locator = 0;      // evaluations to locate one of them
  StepWork quiet;       // nothing happens
  StepWork one_event;   // one guard crosses once
  StepWork everything;  // every guard crosses in each of kMaxEventsPerStep events
};

WorstCase worst_case(const SimulatorSettings& settings) noexcept;

// Forward dynamics that this work can take: its integrations at the most stages the method may use, and its impacts.
long long forward_dynamics(const StepWork& work, const IntegratorSettings& settings) noexcept;

}  // namespace stance
