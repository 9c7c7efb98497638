// Makes steps out of events.
#pragma once

#include <map>
#include <optional>
#include <vector>

#include "stance_core/contact/contact_event.hpp"
#include "stance_core/contact/ground.hpp"
#include "stance_report/step.hpp"

namespace stance::report {

class StepCounter {
 public:
  explicit StepCounter(const Ground& ground) : ground_(ground) {}

  // Feet that come down within this time make one step, and a foot that was off the ground for less has made none.
  static constexpr double kTogether = 0.02;  // s

  // Appends the step that the event makes; true if it made one. Feet that come down together make one step, on the one that
  // came last. A lift-off completes the step of its instant: it says where the
  // foot was that stood before.
  bool take(const ContactEvent& event, std::vector<Step>& steps);

 private:
  Ground ground_;
  std::optional<ContactEvent> touchdown_;  // the last
  double energy_lost_ = 0;                 // in stops since
  bool joined_ = false;                    // the last touchdown joined one before
  std::map<FrameId, double> lifted_;       // when a foot last left the ground
};

}  // namespace stance::report
