// The table that `stance run` prints while the robot walks: one line a step, and one for each stop, push and fall.
#pragma once

#include <string>
#include <vector>

#include "stance_core/contact/contact_event.hpp"
#include "stance_core/hybrid/simulator.hpp"
#include "stance_report/step.hpp"

namespace stance {

class StepTable {
 public:
  // The model must outlive the table.
  StepTable(const Model& model, const SimulatorSettings& settings);

  std::string header() const;

  // The lines of what happened since the last call. Empty if nothing did.
  std::string rows(const std::vector<ContactEvent>& events, const std::vector<Step>& steps);

 private:
  std::string step_row(const Step& step) const;
  std::string event_row(const ContactEvent& event) const;

  const Model* model_;
  std::size_t width_;  // of the column of names
  std::size_t next_event_ = 0, next_step_ = 0;
};

}  // namespace stance
