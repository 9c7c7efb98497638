// A plant and the law that drives it, if any: what `stance run` and `stance rt` step.
#pragma once

#include <memory>
#include <span>
#include <utility>

#include "stance_core/plant/law.hpp"

namespace stance {

class ControlLoop {
 public:
  // `opening`: events that led to the plant's first keyframe. The law, which may be none, acts every `sub_steps`.
  ControlLoop(std::unique_ptr<Plant> plant, std::unique_ptr<Law> law, int sub_steps,
              std::span<const ContactEvent> opening)
      : plant_(std::move(plant)), law_(std::move(law)), sub_steps_(sub_steps) {
    for (const ContactEvent& event : opening) plant_->events().push(event);
    if (law_) law_->reset(*plant_);
  }

  // One sub-step. Sensors are sampled where a cycle ends, if there is somebody to read them.
  Status step() noexcept {
    if (!law_) return plant_->sub_step(false);
    if (next_ == 0) law_->update(*plant_);
    next_ = (next_ + 1) % sub_steps_;
    return plant_->sub_step(next_ == 0);
  }

  // To the start, at time zero.
  Status reset() noexcept {
    next_ = 0;
    const Status status = plant_->reset();
    if (status == Status::kOk && law_) law_->reset(*plant_);
    return status;
  }

  Plant& plant() noexcept { return *plant_; }
  const Plant& plant() const noexcept { return *plant_; }
  const Simulator& simulator() const noexcept { return plant_->simulator(); }
  int sub_steps() const noexcept { return sub_steps_; }  // of a cycle of the law
  bool has_law() const noexcept { return law_ != nullptr; }

 private:
  std::unique_ptr<Plant> plant_;
  std::unique_ptr<Law> law_;
  int sub_steps_;
  int next_ = 0;  // sub-step of the cycle
};

}  // namespace stance
