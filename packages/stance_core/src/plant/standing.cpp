#include "stance_core/plant/standing.hpp"

namespace stance {

StandingWatch::StandingWatch(const SimulatorSettings& settings) : foot_count_(settings.foot_count) {
  for (int i = 0; i < foot_count_; ++i) frames_[i] = settings.feet[i].frame;
}

int StandingWatch::foot_of(FrameId frame) const noexcept {
  for (int i = 0; i < foot_count_ && frame.valid(); ++i)
    if (frames_[i] == frame) return i;
  return -1;
}

void StandingWatch::begin(std::uint64_t epoch) noexcept {
  epoch_ = epoch;
  standing_ = {};
  known_ = false;
}

bool StandingWatch::set_root(int foot, std::int64_t stamp) noexcept {
  if (known_ && standing_.root == foot) return false;
  known_ = true;
  standing_.root = foot;
  standing_.since = stamp;
  return true;
}

bool StandingWatch::set(int foot, bool stands, bool slides, const Vec3<double>& point_W,
                        std::int64_t stamp) noexcept {
  FootStanding& f = standing_.feet[foot];
  if (f.stands == stands && f.slides == slides) return false;
  if (f.stands != stands) {
    standing_.count += stands ? 1 : -1;
    f.point_W = stands ? point_W : Vec3<double>();
    f.since = stamp;
  }
  f.stands = stands;
  f.slides = slides;
  return true;
}

bool StandingWatch::follow(const StampedEvent& stamped) noexcept {
  const ContactEvent& event = stamped.event;
  if (stamped.epoch != epoch_) begin(stamped.epoch);
  ++seen_;
  bool changed = set_root(foot_of(event.root), stamped.stamp);
  const int foot = foot_of(event.frame);
  if (foot < 0) return changed;
  switch (event.kind) {
    case EventKind::kTouchdown: ++standing_.touchdowns; [[fallthrough]];
    case EventKind::kLiftoff:
    case EventKind::kSlide:
    case EventKind::kStick:
    case EventKind::kTip:
      return set(foot, event.mode != ContactMode::kOpen, event.mode == ContactMode::kSlide,
                 event.point_W, stamped.stamp) ||
             changed;
    default: return changed;
  }
}

// A report is of use where all events that it has seen are those that were followed: else it is of another instant.
bool StandingWatch::follow(const Report& report) noexcept {
  if (!is_at(report)) return false;
  if (report.epoch != epoch_) begin(report.epoch);
  bool changed = set_root(report.support_foot, report.stamp);
  for (int i = 0; i < foot_count_; ++i) {
    changed = set(i, report.foot_modes[i] != ContactMode::kOpen,
                  report.foot_modes[i] == ContactMode::kSlide, report.foot_points[i],
                  report.stamp) ||
              changed;
  }
  return changed;
}

}  // namespace stance
