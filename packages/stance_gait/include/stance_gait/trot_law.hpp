// A quadruped trots: two legs of a diagonal carry, the other two swing, and they change when the swinging feet have landed.
//
// Carrying legs hold the body: with w the bandwidth,
//   F = m (w^2 (p* - p) + 2 w (v* - v)) - m g        M = I (w^2 turn error + 2 w (rate* - rate))
// asked of the feet that touch (body_control.hpp). Two feet give no moment about the line between them: what tips the body
// there is caught by where the next feet are set down.
// A swinging foot goes from where it left to its place under the body, ahead by half of what the body does in a step, and by
// the fall of an inverted pendulum where the body is too fast (Raibert, "Legged Robots That Balance", 1986; the gain is that of
// the capture point, sqrt(height / g), times `catch`):
//   p = place + v swing / 2 + catch sqrt(height / g) (v - v*)
// Along the ground it moves as a quintic that starts and ends at rest over the swing; its height rises to `clearance` and
// comes down to the ground, and below it at a constant speed until the ground answers. Feet that land early carry at once.
//
//   law: {name: trot, rate: 1 kHz, speed: 0.4 m/s}
#pragma once

#include "stance_core/plant/law.hpp"
#include "stance_gait/body_control.hpp"

namespace stance {

struct TrotSettings {
  double period = 1e-3;     // s, of the cycle
  double speed = 0.4;       // m/s, forward
  double sideways = 0;      // m/s, to the left
  double turn = 0;          // rad/s, to the left
  double swing = 0.22;      // s
  double clearance = 0.06;  // m
  double wait = 0.5;        // s of standing before the first step
  double run_up = 1;        // s until the whole speed
  double bandwidth = 14;    // rad/s, of the body
  double catch_gain = 0.5;
  double leg = 45;  // rad/s, of a swinging foot
  double mu = 0.5;
};

class TrotLaw final : public Law {
 public:
  // The plant's robot has four feet; which of them are a diagonal is seen from where they are.
  TrotLaw(const TrotSettings& settings, const Plant& plant);
  void reset(Plant& plant) noexcept override;
  void update(Plant& plant) noexcept override;

  // What steering changes as the robot goes.
  void steer(double speed, double sideways, double turn) noexcept {
    settings_.speed = speed, settings_.sideways = sideways, settings_.turn = turn;
  }
  int steps() const noexcept { return steps_; }

 private:
  void begin_swing() noexcept;

  TrotSettings settings_;
  BodyControl body_;
  std::array<int, 4> pair_{};  // of a foot: 0 or 1
  std::array<Vec3<double>, 4>
      place_{};  // of a foot, from the base, at the start, along the base's level axes
  std::array<double, 4> leg_mass_{};  // that a swinging leg moves: from the joints to the foot
  double height_ = 0;                 // of the base above the feet
  double time_ = 0, swing_time_ = 0;
  int swinging_ = -1;  // which pair; -1: none yet
  int steps_ = 0;
  std::array<bool, 4> carries_{};
  std::array<Vec3<double>, 4> from_{};  // where a foot left
  Vec3<double> wanted_;                 // of the base along the ground
  double heading_ = 0;
};

}  // namespace stance
