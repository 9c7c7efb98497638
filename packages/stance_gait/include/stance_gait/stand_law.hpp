// Stands: the body is held over its feet, may sway and crouch, and the joints that carry nothing keep their pose.
//
// The body's wanted place is that of its feet's middle at the start, moved by `shift` there and back in a sine of
// `shift_period` (without one: moved there in `rise` and kept). With w the bandwidth and c the centre of mass,
//   F = m (w^2 (p* - p) + 2 w (v* - v)) - m g        M = I (w^2 turn error + 2 w (0 - rate))
// are asked of the feet that touch (body_control.hpp). Joints on no leg, and those of legs in the air, are held at their
// starting pose by a servo of bandwidth `posture`; all joints get gravity's effort.
//
//   law: {name: stand, rate: 1 kHz, shift_y: 3 cm, shift_period: 4 s}
#pragma once

#include <memory>

#include "stance_core/plant/law.hpp"
#include "stance_gait/body_control.hpp"

namespace stance {

struct StandSettings {
  double period = 1e-3;     // s, of the cycle
  double bandwidth = 12;    // rad/s, of the body
  double posture = 25;      // rad/s, of joints that carry nothing
  double mu = 0.5;          // of what is asked along the ground
  Vec3<double> shift;       // m
  double shift_period = 0;  // s; 0: once
  double rise = 1;          // s, in which a shift without period is made
};

class StandLaw final : public Law {
 public:
  StandLaw(const StandSettings& settings, const Plant& plant);
  void reset(Plant& plant) noexcept override;
  void update(Plant& plant) noexcept override;

 private:
  StandSettings settings_;
  BodyControl body_;
  double time_ = 0;
  bool landed_ = false;
  Vec3<double> from_feet_;  // of the base, at the start
  Mat3<double> R_;          // of the base, wanted
  Vec3<double> middle_;     // of the feet, once all are down
  DofVector pose_{};        // by v index
};

}  // namespace stance
