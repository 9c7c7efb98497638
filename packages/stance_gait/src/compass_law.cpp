#include "stance_gait/compass_law.hpp"

#include <algorithm>
#include <cmath>
#include <string>

namespace stance {

double compass_energy(const CompassBody& body, double theta, double psi, double theta_rate,
                      double psi_rate) noexcept {
  const double l = body.leg_length, d = body.mass_below;
  const double m_h = body.hip_mass, m_l = body.leg_mass;
  const double kinetic = 0.5 * (m_h * l * l + m_l * (l - d) * (l - d) + m_l * l * l) * theta_rate *
                             theta_rate +
                         0.5 * m_l * d * d * psi_rate * psi_rate -
                         m_l * l * d * std::cos(psi - theta) * theta_rate * psi_rate;
  const double potential = body.gravity * ((m_h * l + m_l * (l - d) + m_l * l) * std::cos(theta) -
                                           m_l * d * std::cos(psi));
  return kinetic + potential;  // (1)
}

double planar_pitch(double qy, double qw) noexcept {
  const double pitch = 2 * std::atan2(qy, qw);
  return std::remainder(pitch, 2 * M_PI);
}

std::optional<Error> complaint(const CompassGait& gait) {
  struct Bound {
    const char* name;
    double value;
    bool above_zero;
  };
  const CompassBody& body = gait.body;
  for (const Bound& bound :
       {Bound{"hip_mass", body.hip_mass, false}, Bound{"leg_mass", body.leg_mass, true},
        Bound{"leg_length", body.leg_length, true}, Bound{"mass_below", body.mass_below, true},
        Bound{"gravity", body.gravity, true}, Bound{"surplus", gait.surplus, true},
        Bound{"energy_gain", gait.energy_gain, false}, Bound{"step_angle", gait.step_angle, true},
        Bound{"placement_kp", gait.placement_kp, false},
        Bound{"placement_kd", gait.placement_kd, false},
        Bound{"effort_limit", gait.effort_limit, false}, Bound{"push_off", gait.push_off, false},
        Bound{"push_off_gain", gait.push_off_gain, false},
        Bound{"push_off_limit", gait.push_off_limit, false}}) {
    const bool sound = std::isfinite(bound.value) &&
                       (bound.above_zero ? bound.value > 0 : bound.value >= 0);
    if (sound) continue;
    return Error{ErrorCode::kValue, bound.name,
                 "is " + std::to_string(bound.value) + "; it must be a finite number, " +
                     (bound.above_zero ? "above zero" : "zero or above")};
  }
  if (body.mass_below > body.leg_length)
    return Error{ErrorCode::kValue, "mass_below",
                 "is " + std::to_string(body.mass_below) + " m, longer than the leg (" +
                     std::to_string(body.leg_length) + " m); it counts from the hip down"};
  return {};
}

double CompassLaw::reference() const noexcept {
  return compass_energy(gait_.body, 0, 0, 0, 0) + gait_.surplus;
}

void CompassLaw::reset() noexcept {
  stance_ = Stance::kNone;
  push_off_ = gait_.push_off;
  energy_ = 0;
  touchdowns_ = 0;
}

CompassCommand CompassLaw::update(const CompassReading& r) noexcept {
  if (!r.left_support && !r.right_support) return {0, gait_.push_off};  // in flight: let go

  const bool left = r.left_support;
  const double sign = left ? 1 : -1;  // the hip counts from the left leg to the right
  const double phi = sign * r.hip, phi_rate = sign * r.hip_rate;
  const double theta = left ? r.pitch : r.pitch + r.hip;
  const double theta_rate = left ? r.pitch_rate : r.pitch_rate + r.hip_rate;
  energy_ = compass_energy(gait_.body, theta, theta + phi, theta_rate, theta_rate + phi_rate);
  const double lacking = reference() - energy_;

  const Stance stance = left ? Stance::kLeft : Stance::kRight;
  if (stance != stance_) {  // the other foot has touched down
    if (stance_ != Stance::kNone) ++touchdowns_;
    stance_ = stance;
    push_off_ = std::clamp(gait_.push_off + gait_.push_off_gain * lacking, 0.0,
                           gait_.push_off_limit);  // (3)
  }
  const double u = gait_.placement_kp * (-gait_.step_angle - phi) - gait_.placement_kd * phi_rate +
                   gait_.energy_gain * lacking * phi_rate;  // (2)
  return {sign * std::clamp(u, -gait_.effort_limit, gait_.effort_limit), push_off_};
}

}  // namespace stance
