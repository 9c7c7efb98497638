// Makes steps out of events.
#pragma once

#include <optional>
#include <vector>

#include "stance_core/contact/contact_event.hpp"
#include "stance_core/contact/ground.hpp"
#include "stance_report/step.hpp"

namespace stance::report {

class StepCounter {
 public:
  explicit StepCounter(const Ground& ground) : ground_(ground) {}

  // Appends the step that the event makes; true if it made one. Feet that come down at the same instant make one step, on
  // the foot that stands in the end. A lift-off completes the step of its instant: it says where the
  // foot was that stood before.
  bool take(const ContactEvent& event, std::vector<Step>& steps);

 private:
  Ground ground_;
  std::optional<ContactEvent> touchdown_;  // the last
  double energy_lost_ = 0;                 // in stops since
  bool joined_ = false;                    // the last touchdown joined one of the same instant
};

}  // namespace stance::report
