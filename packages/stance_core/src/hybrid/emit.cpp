// Emit: what happened at an instant, foot by foot, as events. They wait in the draft until the step is committed.
#include <algorithm>

#include "stance_core/dynamics/kinematics.hpp"
#include "stance_core/hybrid/simulator.hpp"

namespace stance {
namespace {

bool closed(ContactMode mode) noexcept { return mode != ContactMode::kOpen; }

}  // namespace

void Simulator::emit() noexcept {
  const Instant& now = instant_;
  const double time = draft_.state.time;
  if (mode_.fallen) {
    ContactEvent event;
    event.time = time;
    event.kind = EventKind::kFall;
    event.frame = settings_.fall_frames[now.fallen];
    event.point_W = frame_pose(*model_, tree_, workspace_, event.frame).p;
    const BodyId body = model_->frames[event.frame].body;
    event.normal_W = frame_.normal;
    event.velocity_before_W = event.velocity_after_W =
        contact_motion(*model_, tree_, workspace_, {body, model_->frames[event.frame].X_HF.p, 0},
                       frame_.normal)
            .velocity_W;
    event.root = root_frame();
    push(event);
    return;
  }
  if (now.pushed_off) {
    ContactEvent event = now.push_off;
    event.time = time;
    push(event);
  }
  // those that come before those that go
  for (const bool leaving : {false, true}) {
    for (int f = 0; f < settings_.foot_count; ++f) emit_foot(f, leaving);
  }
  for (int k = 0; k < settings_.stop_count; ++k) {
    const StopInstant& stop = now.stops[k];
    const bool is = mode_.stops[k] != StopMode::kFree;
    const bool was = stop.before != StopMode::kFree;
    const bool released = std::find(now.released.begin(), now.released.begin() + now.released_count,
                                    k) != now.released.begin() + now.released_count;
    if (stop.touches && !was && (is || stop.impulse > 0)) push(stop_event(k, EventKind::kStop));
    if (released || (was && !is)) push(stop_event(k, EventKind::kRelease));
  }
  if (now.settled) {
    ContactEvent event;
    event.time = time;
    event.kind = EventKind::kSettle;
    event.normal_W = frame_.normal;
    event.root = root_frame();
    push(event);
  }
}

ContactEvent Simulator::stop_event(int index, EventKind kind) const noexcept {
  const StopInstant& stop = instant_.stops[index];
  const JointId joint = settings_.stops[index].joint;
  ContactEvent event;
  event.time = draft_.state.time;
  event.kind = kind;
  event.law = settings_.impact_law;
  event.joint = joint;
  event.frame = model_->bodies[static_cast<int>(joint)].link;
  event.point_W = body_motion(*model_, tree_, draft_.state, BodyId(joint)).X_WH.p;
  if (kind == EventKind::kStop)
    event.energy_lost = stop.energy_lost, event.restitution = stop.restitution;
  event.root = root_frame();
  return event;
}

// One event for a foot, or none: of its sites together, where their impulses are.
void Simulator::emit_foot(int foot, bool leaving) noexcept {
  bool was = false, is = false, stuck = false, sticks = false, changed = false;
  ContactEvent event;
  double weight = 0;
  Vec3<double> point, before, after;
  int shown = -1;
  Vec3<double> impulse;
  for (int i = first_site_[foot]; i < first_site_[foot + 1]; ++i) {
    const SiteInstant& site = instant_.sites[i];
    const ContactMode mode = mode_.sites[i].mode;
    was |= closed(site.before), is |= closed(mode);
    stuck |= site.before == ContactMode::kStick, sticks |= mode == ContactMode::kStick;
    changed |= closed(site.before) != closed(mode);
    const double push = dot(frame_.normal, site.impulse_W);
    impulse += site.impulse_W;
    event.energy_lost += site.energy_lost;
    event.restitution = std::max(event.restitution, site.restitution);
    if (push > 0) {
      weight += push;
      point += site.point_W * push;
      before += site.velocity_before_W * push;
      after += site.velocity_after_W * push;
    }
    if (shown < 0 || (closed(mode) != closed(site.before)) ||
        (closed(mode) && !closed(mode_.sites[shown].mode)))
      shown = i;
  }
  const bool struck = weight > 0;
  if (!was && is) {
    event.kind = EventKind::kTouchdown;
  } else if (!was && struck) {
    event.kind = EventKind::kBounce;
  } else if (was && !is) {
    event.kind = EventKind::kLiftoff;
  } else if (was && is && stuck && !sticks) {
    event.kind = EventKind::kSlide;
  } else if (was && is && !stuck && sticks) {
    event.kind = EventKind::kStick;
  } else if (was && is && changed && carries_otherwise(foot)) {
    event.kind = EventKind::kTip;
  } else {
    return;
  }
  if ((event.kind == EventKind::kLiftoff) != leaving) return;
  event.time = draft_.state.time;
  event.law = settings_.impact_law;
  event.frame = settings_.feet[foot].frame;
  event.normal_W = frame_.normal;
  const SiteInstant& one = instant_.sites[shown];
  event.point_W = struck ? point * (1 / weight) : one.point_W;
  event.velocity_before_W = struck ? before * (1 / weight) : one.velocity_before_W;
  event.velocity_after_W = struck ? after * (1 / weight) : one.velocity_after_W;
  event.impulse_W = impulse;
  event.mode = foot_mode(foot);
  event.root = root_frame();
  push(event);
}

// Does the foot stand on another edge, corner or sole than before? Not if one of more corners than a plane needs has come or
// gone: they share the same load.
bool Simulator::carries_otherwise(int foot) const noexcept {
  std::array<Vec3<double>, kMaxCorners> old_points, new_points;
  int old_count = 0, new_count = 0;
  for (int i = first_site_[foot]; i < first_site_[foot + 1]; ++i) {
    const SiteInstant& site = instant_.sites[i];
    if (closed(site.before)) old_points[old_count++] = site.point_W;
    if (closed(mode_.sites[i].mode)) new_points[new_count++] = site.point_W;
  }
  const BodyId body = sites_[first_site_[foot]].point.body;
  const Sole a = make_sole(body, old_points.data(), old_count, frame_, planar());
  const Sole b = make_sole(body, new_points.data(), new_count, frame_, planar());
  return a.moment_count != b.moment_count || a.moment_count < (planar() ? 1 : 3);
}

}  // namespace stance
