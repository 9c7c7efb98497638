#include "stance_gait/stand_law.hpp"

#include <algorithm>
#include <cmath>

#include "joint_commands.hpp"

namespace stance {

StandLaw::StandLaw(const StandSettings& settings, const Plant& plant)
    : settings_(settings), body_(plant) {}

void StandLaw::reset(Plant& plant) noexcept {
  take_all_joints(plant);
  body_.read(plant);
  time_ = 0;
  landed_ = false;
  middle_ = {};
  for (int f = 0; f < body_.foot_count(); ++f)
    middle_ += body_.foot_position(f) * (1.0 / body_.foot_count());
  from_feet_ = body_.base().p - middle_;
  R_ = body_.base().R;
  for (int i = 1; i < body_.model().body_count; ++i)
    pose_[body_.model().joints[i].v_index] = plant.joint(JointId(i)).position;
}

void StandLaw::update(Plant& plant) noexcept {
  body_.read(plant);
  std::array<bool, kMaxFeet> stands{};
  int standing = 0;
  Vec3<double> middle;
  for (int f = 0; f < body_.foot_count(); ++f) {
    stands[static_cast<std::size_t>(f)] = plant.foot(f).contact_raw != 0;
    standing += stands[static_cast<std::size_t>(f)] ? 1 : 0;
    middle += body_.foot_position(f) * (1.0 / body_.foot_count());
  }
  if (standing == body_.foot_count() && !landed_) middle_ = middle, landed_ = true, time_ = 0;

  double s = 0, rate = 0;  // of the shift, and its speed
  if (landed_ && settings_.shift_period > 0) {
    // brought in over half a period, so that it begins and goes on without a jump of its speed
    const double w = 2 * M_PI / settings_.shift_period;
    const double t = std::min(time_ * w / M_PI, 1.0);
    const double in = t * t * (3 - 2 * t), in_rate = t < 1 ? 6 * t * (1 - t) * w / M_PI : 0;
    s = in * std::sin(w * time_);
    rate = in * w * std::cos(w * time_) + in_rate * std::sin(w * time_);
  } else if (landed_) {
    const double t = std::min(time_ / settings_.rise, 1.0);
    s = t * t * (3 - 2 * t);
    rate = t < 1 ? 6 * t * (1 - t) / settings_.rise : 0;
  }
  time_ += settings_.period;

  body_.let_go();
  if (standing > 0) {
    const double w = settings_.bandwidth;
    const Vec3<double> wanted = middle_ + from_feet_ + settings_.shift * s;
    const Vec3<double> F = ((wanted - body_.base().p) * (w * w) +
                            (settings_.shift * rate - body_.base_velocity()) * (2 * w)) *
                               body_.mass() +
                           body_.up() * (body_.mass() * body_.gravity());
    const Vec3<double> M = body_.inertia() *
                           (turn_error(R_, body_.base().R) * (w * w) - body_.base_rate() * (2 * w));
    body_.ask(stands, F, M, settings_.mu);
  }
  const DofVector& efforts = body_.efforts();

  std::array<bool, kMaxBodies> carries{};
  for (int f = 0; f < body_.foot_count(); ++f) {
    if (!stands[static_cast<std::size_t>(f)]) continue;
    for (const JointId joint : body_.leg(f)) carries[static_cast<std::size_t>(joint)] = true;
  }
  for (int i = 1; i < body_.model().body_count; ++i) {
    const double bandwidth = carries[static_cast<std::size_t>(i)] ? 0 : settings_.posture;
    command(plant, JointId(i), efforts, pose_[body_.model().joints[i].v_index], bandwidth);
  }
}

}  // namespace stance
