// A law as the step map needs it: what it does from one touchdown to the next follows from the robot's state and from what it
// remembers, and what it remembers is a coordinate of the map as any other.
//
// It is asked at the begin of each sub-step, and sub-steps begin anew at each event, so that the law sees a touchdown at once.
// A controller with a clock of its own sees it up to a period later; its gait differs by as much.
#pragma once

#include <memory>

#include "stance_core/hybrid/simulator.hpp"

namespace stance {

class StepLaw {
 public:
  virtual ~StepLaw() = default;
  virtual std::unique_ptr<StepLaw> clone() const = 0;

  // Numbers that it carries over a touchdown; with legs that are alike they mean the same on either leg.
  virtual int memory_count() const noexcept { return 0; }
  virtual void remember(const double* /*memory*/) noexcept {}
  virtual void tell(double* /*memory*/) const noexcept {}

  // The robot stands on `foot`, and came down on it just now.
  virtual void touch_down(int foot) noexcept = 0;
  // Efforts for the sub-step that begins, and what else it commands.
  virtual Status drive(Simulator& simulator, DofVector& tau) noexcept = 0;
};

}  // namespace stance
