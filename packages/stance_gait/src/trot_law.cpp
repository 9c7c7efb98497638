#include "stance_gait/trot_law.hpp"

#include <algorithm>
#include <cmath>

#include "joint_commands.hpp"

namespace stance {
namespace {

constexpr double kLanded = 0.5;  // part of the swing before which a touch is a stumble
constexpr double kReach = 0.1;   // m that the wanted place may be away from the body
constexpr double kDownSpeed =
    0.15;  // m/s below the ground's height, until it answers   // m/s below the ground's height, until it answers   // m/s below the ground's height, until it answers   // m/s below the ground's height, until it answers   // m/s below the ground's height, until it answers

// From 0 to 1 with rest at both ends: position and speed over the part s of the way.
struct Ramp {
  double at, rate;
};
Ramp ramp(double s) noexcept {
  if (s >= 1) return {1, 0};
  return {s * s * s * (10 + s * (-15 + 6 * s)), 30 * s * s * (1 - s) * (1 - s)};
}

}  // namespace

TrotLaw::TrotLaw(const TrotSettings& settings, const Plant& plant)
    : settings_(settings), body_(plant) {
  for (int f = 0; f < 4; ++f) {
    double mass = 0;
    for (const JointId joint : body_.leg(f)) mass += body_.model().bodies[BodyId(joint)].I.m;
    leg_mass_[static_cast<std::size_t>(f)] = mass / 3;  // of a rod that turns about its end
  }
}

void TrotLaw::reset(Plant& plant) noexcept {
  take_all_joints(plant);
  body_.read(plant);
  time_ = swing_time_ = 0;
  swinging_ = -1;
  steps_ = 0;
  carries_ = {true, true, true, true};
  const Mat3<double>& R = body_.base().R;
  const Vec3<double> ahead = R * Vec3<double>{1, 0, 0};
  heading_ = std::atan2(ahead.y, ahead.x);
  wanted_ = body_.base().p;
  Vec3<double> middle;
  for (int f = 0; f < 4; ++f) middle += body_.foot_position(f) * 0.25;
  height_ = dot(body_.up(), body_.base().p - middle);
  const double c = std::cos(heading_), s = std::sin(heading_);
  for (int f = 0; f < 4; ++f) {
    const Vec3<double> d = body_.foot_position(f) - body_.base().p;
    place_[static_cast<std::size_t>(f)] = {c * d.x + s * d.y, -s * d.x + c * d.y, d.z};
    const Vec3<double>& p = place_[static_cast<std::size_t>(f)];
    pair_[static_cast<std::size_t>(f)] = (p.x > 0) == (p.y > 0) ? 0 : 1;
  }
}

void TrotLaw::begin_swing() noexcept {
  swinging_ = swinging_ < 0 ? 0 : 1 - swinging_;
  swing_time_ = 0;
  ++steps_;
  for (std::size_t f = 0; f < 4; ++f) {
    carries_[f] = pair_[f] != swinging_;
    from_[f] = body_.foot_position(static_cast<int>(f));
  }
}

void TrotLaw::update(Plant& plant) noexcept {
  body_.read(plant);
  const double h = settings_.period;
  const double in = time_ < settings_.wait
                        ? 0
                        : std::min((time_ - settings_.wait) / settings_.run_up, 1.0);
  const double turn = in * settings_.turn;
  heading_ += h * turn;
  const double c = std::cos(heading_), s = std::sin(heading_);
  const Vec3<double> v{in * (c * settings_.speed - s * settings_.sideways),
                       in * (s * settings_.speed + c * settings_.sideways), 0};
  wanted_ += v * h;
  const Vec3<double>& up = body_.up();
  Vec3<double> away = wanted_ - body_.base().p;
  away -= up * dot(up, away);
  if (norm(away) > kReach) away = away * (kReach / norm(away));
  wanted_ = body_.base().p + away;

  // who carries
  if (time_ >= settings_.wait && swinging_ < 0) begin_swing();
  const double part = swing_time_ / settings_.swing;
  bool landed = swinging_ >= 0;
  for (int f = 0; f < 4; ++f) {
    const auto i = static_cast<std::size_t>(f);
    if (pair_[i] == swinging_ && !carries_[i]) {
      carries_[i] = part > kLanded && plant.foot(f).contact_raw != 0;
      landed &= carries_[i];
    }
  }
  if (landed) begin_swing();

  // the body, on the feet that carry
  Vec3<double> ground;
  int count = 0;
  std::array<bool, kMaxFeet> stands{};
  for (int f = 0; f < 4; ++f) {
    const auto i = static_cast<std::size_t>(f);
    if (!carries_[i]) continue;
    stands[i] = plant.foot(f).contact_raw != 0;
    ground += body_.foot_position(f), ++count;
  }
  ground = ground * (1.0 / std::max(count, 1));
  const double w = settings_.bandwidth;
  const double rise = height_ - dot(up, body_.base().p - ground);
  const Vec3<double> F = ((away + up * rise) * (w * w) + (v - body_.base_velocity()) * (2 * w)) *
                             body_.mass() +
                         up * (body_.mass() * body_.gravity());
  const Mat3<double> R{{c, s, 0}, {-s, c, 0}, {0, 0, 1}};
  const Vec3<double> M = body_.inertia() * (turn_error(R, body_.base().R) * (w * w) +
                                            (up * turn - body_.base_rate()) * (2 * w));
  body_.let_go();
  body_.ask(stands, F, M, settings_.mu);

  // the feet in the air
  const double fall = std::sqrt(height_ / body_.gravity());
  const Vec3<double> slow = body_.base_velocity() - v;
  const double left = std::max(settings_.swing - swing_time_, 0.0);
  for (int f = 0; f < 4; ++f) {
    const auto i = static_cast<std::size_t>(f);
    if (stands[i]) continue;
    const Vec3<double>& d = place_[i];
    const Vec3<double> under = body_.base().p + body_.base_velocity() * left +
                               Vec3<double>{c * d.x - s * d.y, s * d.x + c * d.y, 0};
    Vec3<double> target = under + v * (settings_.swing / 2) +
                          (slow - up * dot(up, slow)) * (settings_.catch_gain * fall);
    target -= up * dot(up, target - ground);
    const Ramp along = ramp(carries_[i] ? 1 : part);
    const Vec3<double> from = from_[i] - up * dot(up, from_[i] - ground);
    Vec3<double> wanted = from + (target - from) * along.at;
    Vec3<double> speed = (target - from) * (along.rate / settings_.swing);
    const double t = std::min(part, 1.0);
    double z = 16 * settings_.clearance * t * t * (1 - t) * (1 - t);
    double z_rate = 32 * settings_.clearance * t * (1 - t) * (1 - 2 * t) / settings_.swing;
    const double start = dot(up, from_[i] - ground);  // on a step, maybe
    z += start * (1 - along.at), z_rate -= start * along.rate / settings_.swing;
    if (carries_[i] || part >= 1) {
      z = -kDownSpeed * std::max(swing_time_ - settings_.swing, 0.02), z_rate = -kDownSpeed;
    }
    wanted += up * z, speed += up * z_rate;
    const double k = settings_.leg;
    body_.push_foot(f, ((wanted - body_.foot_position(f)) * (k * k) +
                        (speed - body_.foot_velocity(f)) * (2 * k)) *
                           leg_mass_[i]);
  }
  const DofVector& efforts = body_.efforts();
  for (int i = 1; i < body_.model().body_count; ++i) command(plant, JointId(i), efforts, 0, 0);
  time_ += h;
  swing_time_ += h;
}

}  // namespace stance
