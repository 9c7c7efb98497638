#include "step_counter.hpp"

#include <cmath>
#include <limits>

namespace stance::report {

bool StepCounter::take(const ContactEvent& event, std::vector<Step>& steps) {
  constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
  const Vec3<double> forward = ground_.forward();
  switch (event.kind) {
    case EventKind::kTouchdown: {
      const auto lifted = lifted_.find(event.frame);
      // one that leaves and comes back at one instant was handed on, as by a wheel of two spokes
      if (lifted != lifted_.end() && event.time > lifted->second &&
          event.time - lifted->second < kTogether) {
        energy_lost_ += event.energy_lost;
        return false;
      }
      if (touchdown_ && event.time - steps.back().time < kTogether) {  // two feet at once
        Step& step = steps.back();
        step.foot = event.frame;
        step.length += dot(forward, event.point_W - touchdown_->point_W);
        step.impulse += dot(event.normal_W, event.impulse_W);
        step.energy_lost += event.energy_lost + energy_lost_;
        touchdown_ = event;
        energy_lost_ = 0;
        joined_ = true;
        return false;
      }
      joined_ = false;
      Step step;
      step.number = static_cast<int>(steps.size()) + 1;
      step.time = event.time;
      step.foot = event.frame;
      step.length = touchdown_ ? dot(forward, event.point_W - touchdown_->point_W) : kNone;
      step.period = touchdown_ ? event.time - steps.back().time : kNone;
      step.impulse = dot(event.normal_W, event.impulse_W);
      step.energy_lost = event.energy_lost + energy_lost_;
      steps.push_back(step);
      touchdown_ = event;
      energy_lost_ = 0;
      return true;
    }
    case EventKind::kLiftoff:
      lifted_[event.frame] = event.time;
      // not where the foot came down at this instant too, and handed on to another
      if (!steps.empty() && !joined_ && steps.back().time == event.time &&
          std::isnan(steps.back().length)) {
        steps.back().length = dot(forward, touchdown_->point_W - event.point_W);
      }
      return false;
    case EventKind::kStop: energy_lost_ += event.energy_lost; return false;
    default: return false;
  }
}

}  // namespace stance::report
