// The gait law of the compass biped on level ground: a push-off at each touchdown, and at the hip, in swing, foot
// placement and energy tracking.
//
// The compass (urdf/compass.urdf) is two legs of length l with a mass m_l each, d below the hip, and a mass m_h at the
// hip. Angles are about +y from the vertical, positive with the hip ahead of the foot: theta of the stance leg, psi of the
// swing leg; phi = psi - theta is positive while the swing foot is behind. Its mechanical energy over the stance foot is
//   (1) E = 1/2 (m_h l² + m_l (l - d)² + m_l l²) theta'² + 1/2 m_l d² psi'² - m_l l d cos(phi) theta' psi'
//           + g ((m_h l + m_l (l - d) + m_l l) cos(theta) - m_l d cos(psi))
// and the torque u on the swing leg, against the stance leg, is the only power in swing: E' = u phi'. The law is
//   (2) u = kp (-step_angle - phi) - kd phi' + k_e (E_ref - E) phi'
//   (3) P = P_ref + k_p (E_ref - E+), not below zero
// Its first two terms bring the swing foot ahead and keep it there: without them a compass falls forward from all but its
// own gait. The third makes E' = k_e (E_ref - E) phi'² + ..., so the energy goes to its reference however the leg swings;
// Goswami, Espiau, Keramane ("Limit cycles in a passive compass gait biped and passivity-mimicking control laws",
// Autonomous Robots 1997) divide by phi' to have an exponential rate, which is unbounded as the leg turns back. (3) is
// computed once per step, from the energy E+ just after the touchdown, and acts at the next: the impulse P of the trailing
// leg along itself brings in what the impact takes.
//
// What it needs of the robot is what any controller has: the base's pitch, the hip, and which foot supports. No
// allocation, and the same for the same readings.
#pragma once

#include <cstdint>
#include <optional>

#include "stance_core/base/result.hpp"

namespace stance {

struct CompassBody {
  double hip_mass = 2;      // kg
  double leg_mass = 1;      // kg, each
  double leg_length = 1;    // m
  double mass_below = 0.5;  // m, of the leg's mass below the hip
  double gravity = 9.81;    // m/s²
};

// With these the compass of urdf/compass.urdf walks 0.39 m in 0.557 s.
struct CompassGait {
  CompassBody body;
  double surplus = 0.87;        // J: E_ref above the energy of standing upright
  double energy_gain = 1;       // s/rad², k_e
  double step_angle = 0.4;      // rad between the legs
  double placement_kp = 8;      // N m/rad
  double placement_kd = 0.8;    // N m s/rad
  double effort_limit = 10;     // N m
  double push_off = 0.7;        // N s, P_ref
  double push_off_gain = 0.3;   // N s/J, k_p
  double push_off_limit = 1.5;  // N s
};

// The first number that makes no sense, by name.
std::optional<Error> complaint(const CompassGait& gait);

// As the robot's own interfaces have it. The base is the hip, fixed to the left leg.
struct CompassReading {
  double pitch = 0, pitch_rate = 0;  // rad, of the base about +y
  double hip = 0, hip_rate = 0;      // of the right leg against the left
  bool left_support = false, right_support = false;
};

struct CompassCommand {
  double hip_effort = 0;  // N m, on the joint "right_hip"
  double push_off = 0;    // N s, for the next touchdown
};

class CompassLaw {
 public:
  explicit CompassLaw(const CompassGait& gait = {}) noexcept : gait_(gait) { reset(); }

  // Before the first update, and when the robot was set back.
  void reset() noexcept;

  CompassCommand update(const CompassReading& reading) noexcept;

  std::uint64_t touchdowns() const noexcept { return touchdowns_; }  // seen since the reset
  double energy() const noexcept { return energy_; }                 // E of the last update, J
  double reference() const noexcept;                                 // E_ref
  const CompassGait& gait() const noexcept { return gait_; }

 private:
  enum class Stance : unsigned char { kNone, kLeft, kRight };

  CompassGait gait_;
  Stance stance_ = Stance::kNone;
  double push_off_ = 0;
  double energy_ = 0;
  std::uint64_t touchdowns_ = 0;
};

// (1), from the angles and rates of stance and swing leg.
double compass_energy(const CompassBody& body, double theta, double psi, double theta_rate,
                      double psi_rate) noexcept;

// The turn about +y of a robot that moves in the x-z plane, from its orientation.
double planar_pitch(double qy, double qw) noexcept;

}  // namespace stance
