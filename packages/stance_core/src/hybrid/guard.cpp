// Guards: the numbers whose change of sign is an event. All are read from one kinematics, and where forces count from one
// forward dynamics.
//
//   gap          height of an open site
//   pull         pressure of a closed one
//   cone         mu_s f_n - |f_t| of one that sticks
//   slow         speed of one that slides, along the direction of the slide
//   stop         distance of a joint to its stop
//   stop pull    effort of a stop that is pressed
//   fall         height of what must not touch the ground
//
// A site that has just left the ground is at height zero, which is no sign. If it moves away, its guard is height over time,
// which begins at its speed: a bounce that comes back within the step is found. If it rests there, unloaded, because others
// hold it, its guard is its height above kSlack under the ground.
#include <algorithm>
#include <cmath>

#include "hybrid/tolerances.hpp"
#include "stance_core/dynamics/kinematics.hpp"
#include "stance_core/hybrid/simulator.hpp"

namespace stance {

bool Simulator::may_touch(int site) const noexcept {
  return !settings_.feet[sites_[site].foot].ignore_scuff || mode_.sites[site].armed;
}

double Simulator::stop_gap(int stop, const State& state) const noexcept {
  const Stop& s = settings_.stops[stop];
  const Joint& joint = model_->joints[s.joint];
  const double q = state.q[joint.q_index];
  return s.at_lower ? q - joint.limits.lower : joint.limits.upper - q;
}

double Simulator::stop_rate(int stop, const State& state) const noexcept {
  const Stop& s = settings_.stops[stop];
  const double v = state.v[model_->joints[s.joint].v_index];
  return s.at_lower ? v : -v;
}

bool Simulator::needs_load() const noexcept {
  if (settings_.integrator.method == Method::kSemiImplicitEuler) return false;
  for (int i = 0; i < site_count_; ++i) {
    if (mode_.sites[i].mode != ContactMode::kOpen && !grips(i)) return true;
  }
  for (int k = 0; k < settings_.stop_count; ++k) {
    if (mode_.stops[k] == StopMode::kPressed) return true;
  }
  return false;
}

// Lists the guards of the mode, with their values at the state. True if something is due before any time passes: a site or a
// joint that is at its surface and moves into it, or a robot that has just been set down.
bool Simulator::watch() noexcept {
  Draft& d = draft_;
  kinematics(*model_, tree_, d.state, workspace_);
  d.guard_count = 0;
  d.flowed = 0;
  bool due = false;
  const auto add = [&](Guard::Kind kind, int index) -> Guard& {
    Guard& guard = d.guards[d.guard_count++];
    guard = Guard{};
    guard.kind = kind, guard.index = index;
    return guard;
  };
  const bool forces = settings_.integrator.method != Method::kSemiImplicitEuler;
  for (int i = 0; i < site_count_; ++i) {
    SiteMode& site = mode_.sites[i];
    const ContactPoint& p = sites_[i].point;
    switch (site.mode) {
      case ContactMode::kOpen: {
        if (!may_touch(i)) continue;
        Guard& guard = add(Guard::Kind::kGap, i);
        guard.start = gap(center_of(i), p.radius);
        const bool near = guard.start <= kTouch;
        if (near || fresh_) {
          const Vec3<double> u =
              contact_motion(*model_, tree_, workspace_, p, frame_.normal).velocity_W;
          const double rate = dot(frame_.normal, u);
          if (near) {
            guard.slow = rate > kStill;
            guard.floor = std::min(guard.start, 0.0) - (guard.slow ? 0 : kSlack);
            guard.start = guard.slow ? rate : guard.start - guard.floor;
            due |= rate < -kStill;
          }
          due |= fresh_ && !d.modes_are_found && guard.start <= kStartTolerance && !guard.slow;
        }
        break;
      }
      case ContactMode::kStick:
        if (!forces || grips(i)) break;
        add(Guard::Kind::kPull, i);
        if (std::isfinite(material(i).mu_static)) add(Guard::Kind::kCone, i);
        break;
      case ContactMode::kSlide: {
        // the direction that friction keeps when the slip turns back
        const Vec3<double> u =
            contact_motion(*model_, tree_, workspace_, p, frame_.normal).velocity_W;
        const double u1 = dot(frame_.t1, u), u2 = planar() ? 0 : dot(frame_.t2, u);
        const double speed = std::hypot(u1, u2);
        if (speed > kStill) {
          change_mode();  // a step that is refused gives it back
          site.d = {u1 / speed, u2 / speed};
        }
        if (forces) add(Guard::Kind::kPull, i);
        add(Guard::Kind::kSlow, i).start = speed;
        break;
      }
    }
  }
  for (int k = 0; k < settings_.stop_count; ++k) {
    if (mode_.stops[k] == StopMode::kPressed) {
      if (forces) add(Guard::Kind::kStopPull, k);
    } else if (mode_.stops[k] == StopMode::kFree) {
      Guard& guard = add(Guard::Kind::kStop, k);
      guard.start = stop_gap(k, d.state);
      if (guard.start > kTouch) continue;
      const double rate = stop_rate(k, d.state);
      guard.slow = rate > kStill;
      guard.floor = std::min(guard.start, 0.0) - (guard.slow ? 0 : kSlack);
      guard.start = guard.slow ? rate : guard.start - guard.floor;
      due |= rate < -kStill;
    }
  }
  for (int i = 0; i < settings_.fall_count; ++i) {
    Guard& guard = add(Guard::Kind::kFall, i);
    guard.start = fall_height(i);
    due |= guard.start <= 0;
  }
  return due;
}

double Simulator::fall_height(int index) const noexcept {
  const Frame& frame = model_->frames[settings_.fall_frames[index]];
  const Vec3<double> p_W = workspace_.X_WB[frame.body] *
                           (inverse(tree_.links[frame.body].X_HB) * frame.X_HF.p);
  return settings_.ground.height(p_W);
}

// How far a site's force is from what its mode forbids.
double Simulator::pressure(int site, const Load& load) const noexcept {
  const Vec3<double>& f = load.force_W[site];
  return dot(frame_.normal, f) + kForceTolerance * (weight_ + norm(f));
}
double Simulator::room_in_cone(int site, const Load& load) const noexcept {
  const Vec3<double>& f = load.force_W[site];
  const double f_n = dot(frame_.normal, f);
  const double f_1 = dot(frame_.t1, f), f_2 = planar() ? 0 : dot(frame_.t2, f);
  return material(site).mu_static * f_n - std::hypot(f_1, f_2) +
         kForceTolerance * (weight_ + norm(f));
}

// Do the forces that the mode gives at the start of the flow forbid it?
bool Simulator::forces_forbid() const noexcept {
  const Load& load = draft_.load_before;
  for (int i = 0; i < site_count_; ++i) {
    const ContactMode mode = mode_.sites[i].mode;
    if (mode == ContactMode::kOpen || grips(i)) continue;
    if (pressure(i, load) <= 0) return true;
    if (mode == ContactMode::kStick && std::isfinite(material(i).mu_static) &&
        room_in_cone(i, load) <= 0)
      return true;
  }
  for (int k = 0; k < settings_.stop_count; ++k) {
    if (mode_.stops[k] == StopMode::kPressed && load.stop[k] <= -kForceTolerance * weight_)
      return true;
  }
  return false;
}

// The guards' values at a state s after the start of the flow. Needs kinematics there, and the load where a guard reads it.
void Simulator::evaluate(const State& state, const Load& load, double s,
                         double Guard::*value) noexcept {
  for (int k = 0; k < draft_.guard_count; ++k) {
    Guard& guard = draft_.guards[k];
    const int i = guard.index;
    double g = 1;
    switch (guard.kind) {
      case Guard::Kind::kGap:
        g = gap(center_of(i), sites_[i].point.radius) - guard.floor;
        if (guard.slow) g /= s;
        break;
      case Guard::Kind::kPull:
      case Guard::Kind::kCone:
      case Guard::Kind::kStopPull: continue;  // evaluate_forces
      case Guard::Kind::kSlow: {
        const Vec3<double> u =
            contact_motion(*model_, tree_, workspace_, sites_[i].point, frame_.normal).velocity_W;
        const std::array<double, 2>& d = mode_.sites[i].d;
        g = d[0] * dot(frame_.t1, u) + (planar() ? 0 : d[1] * dot(frame_.t2, u));
        // one that begins at rest is no event
        if (guard.start <= kStill) g += 2 * kStill;
        break;
      }
      case Guard::Kind::kStop:
        g = stop_gap(i, state) - guard.floor;
        if (guard.slow) g /= s;
        break;
      case Guard::Kind::kFall: g = fall_height(i); break;
    }
    guard.*value = g;
  }
  evaluate_forces(load, value);
}

void Simulator::evaluate_forces(const Load& load, double Guard::*value) noexcept {
  for (int k = 0; k < draft_.guard_count; ++k) {
    Guard& guard = draft_.guards[k];
    const int i = guard.index;
    if (!guard.reads_force()) continue;
    guard.*value = guard.off                          ? 1
                   : guard.kind == Guard::Kind::kPull ? pressure(i, load)
                   : guard.kind == Guard::Kind::kCone ? room_in_cone(i, load)
                                                      : load.stop[i] + kForceTolerance * weight_;
  }
}

// Kinematics, and the load if it counts, at a state.
Status Simulator::look_at(const State& state, Load& load) noexcept {
  kinematics(*model_, tree_, state, workspace_);
  if (!needs_load()) return Status::kOk;
  DofVector a;
  ++work_.looks;
  const Status status = accelerate(state, *draft_.tau, draft_.f_ext, load, a);
  if (status == Status::kOk && !has_rows()) kinematics(*model_, tree_, state, workspace_);
  return status;
}

// Every guard where the flow ends.
Status Simulator::inspect(bool& crossed) noexcept {
  Draft& d = draft_;
  if (const Status status = look_at(d.next, d.load); status != Status::kOk) return status;
  evaluate(d.next, d.load, d.flowed, &Guard::end);
  crossed = false;
  for (int k = 0; k < d.guard_count; ++k) crossed |= d.guards[k].end <= 0;
  return Status::kOk;
}

bool Simulator::ahead_of_support(int site) const noexcept {
  if (mode_.root_foot < 0) return true;
  const Vec3<double> lowest = frame_.normal * sites_[site].point.radius;
  const int support = first_site_[mode_.root_foot];
  const Vec3<double> from = center_of(support) - frame_.normal * sites_[support].point.radius;
  return dot(settings_.ground.forward(), center_of(site) - lowest - from) > kClearance;
}

// At the end of a step: feet that scuffed and are clear of the ground.
void Simulator::arm() noexcept {
  bool any = false;
  for (int i = 0; i < site_count_; ++i) any |= !may_touch(i);
  if (!any) return;
  kinematics(*model_, tree_, state_, workspace_);
  for (int i = 0; i < site_count_; ++i) {
    SiteMode& site = mode_.sites[i];
    if (site.armed || site.mode != ContactMode::kOpen) continue;
    site.armed = gap(center_of(i), sites_[i].point.radius) > kClearance && ahead_of_support(i);
  }
}

}  // namespace stance
