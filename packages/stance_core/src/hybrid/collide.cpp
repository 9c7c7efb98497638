// Collide: velocities jump. Everything that touches takes part, standing feet included: the law of contact/collide.hpp decides
// who stays and who leaves, and a trailing foot that the impact would have to pull leaves by it.
#include "stance_core/contact/collide.hpp"

#include <algorithm>
#include <cmath>

#include "hybrid/tolerances.hpp"
#include "stance_core/contact/impact.hpp"
#include "stance_core/dynamics/aba.hpp"
#include "stance_core/dynamics/kinematics.hpp"
#include "stance_core/dynamics/reroot.hpp"
#include "stance_core/hybrid/simulator.hpp"

namespace stance {

// Who touches what, before anything changes. Needs the guards' values at the state, and kinematics there.
void Simulator::open_instant() noexcept {
  const Draft& d = draft_;
  Instant& now = instant_;
  now.root_before = root_frame();
  now.root_foot_before = mode_.root_foot;
  now.struck = now.pushed_off = now.settled = false;
  now.forced = -1;
  now.released_count = 0;
  for (int i = 0; i < site_count_; ++i) {
    SiteInstant& site = now.sites[i];
    site = SiteInstant{};
    site.before = mode_.sites[i].mode;
    const ContactMotion motion = contact_motion(*model_, tree_, workspace_, sites_[i].point,
                                                frame_.normal);
    site.point_W = motion.center_W - frame_.normal * sites_[i].point.radius;
    site.velocity_before_W = motion.velocity_W;
    const double rate = dot(frame_.normal, motion.velocity_W);
    const double height = gap(motion.center_W, sites_[i].point.radius);
    site.touches = site.before != ContactMode::kOpen ||
                   (may_touch(i) && rate <= kStill &&
                    height <= (fresh_ ? kStartTolerance : kTouch));
  }
  for (int k = 0; k < settings_.stop_count; ++k) {
    StopInstant& stop = now.stops[k];
    stop = StopInstant{};
    stop.before = mode_.stops[k];
    stop.touches = stop.before == StopMode::kPressed ||
                   (stop.before == StopMode::kFree && stop_gap(k, d.state) <= kTouch &&
                    stop_rate(k, d.state) <= kStill);
  }
  for (int k = 0; k < d.guard_count; ++k) {
    const Guard& guard = d.guards[k];
    if (d.flowed == 0 || guard.end > 0) continue;
    if (guard.kind == Guard::Kind::kGap) now.sites[guard.index].touches = true;
    if (guard.kind == Guard::Kind::kStop) now.stops[guard.index].touches = true;
  }
}

// Does something that must not touch the ground?
bool Simulator::falls() noexcept {
  for (int i = 0; i < settings_.fall_count; ++i) {
    if (fall_height(i) > 0) continue;
    change_mode();
    mode_.fallen = true;
    instant_.fallen = i;
    return true;
  }
  return false;
}

// The robot held by nothing but its locks: contacts are rows then, the root's among them.
void Simulator::loosen() noexcept {
  if (tree_.support.kind == mode_.flight) return;
  Footing footing;
  footing.kind = mode_.flight;
  footing.R_WA = planar() ? settings_.ground.support_axes() : Mat3<double>::identity();
  (void)reroot(*model_, tree_.root, footing, tree_, draft_.state);
  mode_.root_foot = -1;
}

// Velocities of all sites, from the kinematics at the draft's state.
void Simulator::measure(Vec3<double> SiteInstant::*velocity_W) noexcept {
  kinematics(*model_, tree_, draft_.state, workspace_);
  for (int i = 0; i < site_count_; ++i) {
    instant_.sites[i].*velocity_W =
        contact_motion(*model_, tree_, workspace_, sites_[i].point, frame_.normal).velocity_W;
  }
}

// The trailing leg pushes along itself while another foot lands: an impulse of known size, to which the robot answers freely.
Status Simulator::push_off() noexcept {
  Draft& d = draft_;
  const int site = first_site_[instant_.root_foot_before];
  const Frame& foot = model_->frames[settings_.feet[instant_.root_foot_before].frame];
  const Transform<double> X_foot = frame_pose(*model_, tree_, workspace_,
                                              settings_.feet[instant_.root_foot_before].frame);
  const Vec3<double> to_W = frame_pose(*model_, tree_, workspace_, settings_.push_off.towards).p -
                            X_foot.p;
  const Vec3<double> impulse_W = to_W * (settings_.push_off.impulse / norm(to_W));
  const ContactFrame along = contact_frame(to_W * (1 / norm(to_W)), frame_.t1);
  ContactPoint point = sites_[site].point;
  point.p_H = foot.X_HF.p, point.radius = 0;

  ContactEvent& event = instant_.push_off;
  event = ContactEvent{};
  event.kind = EventKind::kPushOff;
  event.frame = settings_.feet[instant_.root_foot_before].frame;
  event.root = instant_.root_before;
  event.point_W = X_foot.p;
  event.normal_W = frame_.normal;
  event.impulse_W = impulse_W;
  const auto velocity = [&] {
    return contact_motion(*model_, tree_, workspace_, point, along.normal).velocity_W;
  };
  event.velocity_before_W = velocity();

  if (const Status status = add_holding_rows(tree_); status != Status::kOk) return status;
  const int row = rows_.row_count;
  contact_rows(tree_, workspace_, point, along,
               contact_motion(*model_, tree_, workspace_, point, along.normal), 1,
               &rows_.rows[row]);
  ++rows_.row_count;
  ++work_.impacts;
  if (const Status status = ::stance::push(*model_, tree_, row, settings_.push_off.impulse, rows_,
                                           workspace_, d.state);
      status != Status::kOk)
    return status;
  kinematics(*model_, tree_, d.state, workspace_);
  event.velocity_after_W = velocity();
  event.energy_lost = -0.5 * dot(impulse_W, event.velocity_before_W + event.velocity_after_W);
  d.energy.efforts -= event.energy_lost;
  d.impulses[site] += impulse_W;
  instant_.pushed_off = true;
  return Status::kOk;
}

Status Simulator::collide() noexcept {
  Draft& d = draft_;
  Instant& now = instant_;
  change_mode();
  const auto approaches = [&](int i) {
    return now.sites[i].touches && dot(frame_.normal, now.sites[i].velocity_before_W) < -kStill;
  };
  // what never slips is caught by the ground even where it only grazes it
  const auto is_caught = [&](int i) {
    const Vec3<double>& u = now.sites[i].velocity_before_W;
    return now.sites[i].touches && now.sites[i].before == ContactMode::kOpen &&
           !material(i).slips() &&
           std::hypot(dot(frame_.t1, u), planar() ? 0 : dot(frame_.t2, u)) > kStill;
  };
  bool lands = now.forced >= 0;
  for (int i = 0; i < site_count_; ++i) {
    now.struck |= approaches(i) || is_caught(i);
    lands |= approaches(i) && now.sites[i].before == ContactMode::kOpen;
  }
  bool stopped = false;
  for (int k = 0; k < settings_.stop_count; ++k) {
    if (now.stops[k].touches && now.stops[k].before == StopMode::kFree)
      stopped |= stop_rate(k, d.state) < -kStill || settings_.stops[k].release_foot >= 0;
  }
  now.struck |= lands || stopped;
  if (!flies_) return strike_pinned();
  loosen();
  measure(&SiteInstant::velocity_before_W);
  if (lands && now.root_foot_before >= 0 && settings_.push_off.impulse != 0) {
    if (const Status status = push_off(); status != Status::kOk) return status;
  }
  std::array<Vec3<double>, kMaxContacts> struck_W;  // velocities that the impact finds
  for (int i = 0; i < site_count_; ++i) {
    struck_W[i] =
        contact_motion(*model_, tree_, workspace_, sites_[i].point, frame_.normal).velocity_W;
  }
  if (!now.struck) {
    for (int i = 0; i < site_count_; ++i) {
      now.sites[i].stays = now.sites[i].touches;
      now.sites[i].velocity_after_W = now.sites[i].velocity_before_W;
    }
    for (int k = 0; k < settings_.stop_count; ++k) now.stops[k].stays = now.stops[k].touches;
    return Status::kOk;
  }

  RowSystem& r = rows_;
  if (const Status status = add_holding_rows(tree_); status != Status::kOk) return status;
  std::array<double, kMaxStops> rate_before;
  for (int k = 0; k < settings_.stop_count; ++k) {
    stop_row_[k] = -1;
    rate_before[k] = stop_rate(k, d.state);
    if (!now.stops[k].touches || settings_.stops[k].release_foot < 0) continue;
    if (r.row_count == kMaxRows) return Status::kFull;
    stop_row_[k] = r.row_count;  // a latch: it holds whatever the force
    r.rows[r.row_count++] = stop_row(k);
  }
  std::array<double, kMaxContacts> restitution{};
  for (int i = 0; i < site_count_; ++i) {
    grip_row_[i] = -1;
    if (now.sites[i].touches && grips(i)) {
      if (const Status status = add_site_rows(i); status != Status::kOk) return status;
    }
  }
  for (int i = 0; i < site_count_; ++i) {
    site_contact_[i] = -1;
    if (!now.sites[i].touches || grips(i)) continue;
    const int k = add_contact(*model_, tree_, workspace_, sites_[i].point, frame_, tangents(), r);
    if (k < 0) return Status::kFull;
    site_contact_[i] = k;
    r.contacts[k].mu_static = material(i).mu_static;
    r.contacts[k].mu_kinetic = material(i).mu_kinetic;
    const double speed = -dot(frame_.normal, struck_W[i]);
    if (speed > settings_.capture_speed)
      restitution[k] = now.sites[i].restitution = material(i).restitution;
  }
  for (int k = 0; k < settings_.stop_count; ++k) {
    if (!now.stops[k].touches || settings_.stops[k].release_foot >= 0) continue;
    const int c = add_contact(stop_row(k), r);
    if (c < 0) return Status::kFull;
    stop_row_[k] = r.contacts[c].row;
    if (-rate_before[k] > settings_.capture_speed)
      restitution[c] = now.stops[k].restitution = settings_.stops[k].restitution;
  }
  Collision collision;
  ++work_.impacts;
  if (const Status status = ::stance::collide(*model_, tree_, settings_.impact_law, restitution, r,
                                              workspace_, d.state, collision);
      status != Status::kOk)
    return status;
  note_residual(collision.residual);
  measure(&SiteInstant::velocity_after_W);
  for (int i = 0; i < site_count_; ++i) {
    SiteInstant& site = now.sites[i];
    if (!site.touches) continue;
    site.restitution *= collision.share;
    site.impulse_W = force_of(i);
    site.energy_lost = -0.5 * dot(site.impulse_W, struck_W[i] + site.velocity_after_W);
    site.stays = grips(i) || dot(frame_.normal, site.velocity_after_W) <= kStill;
    d.impulses[i] += site.impulse_W;
    d.energy.impacts += site.energy_lost;
  }
  for (int k = 0; k < settings_.stop_count; ++k) {
    StopInstant& stop = now.stops[k];
    if (!stop.touches) continue;
    const double rate = stop_rate(k, d.state);
    stop.impulse = r.lambda[stop_row_[k]];
    stop.energy_lost = -0.5 * stop.impulse * (rate_before[k] + rate);
    d.energy.impacts += stop.energy_lost;
    stop.stays = rate <= kStill;
    if (settings_.stops[k].release_foot < 0) continue;
    // the latch snaps in where the limit is
    const Limits& limits = model_->joints[settings_.stops[k].joint].limits;
    lock_joint(*model_, settings_.stops[k].joint,
               settings_.stops[k].at_lower ? limits.lower : limits.upper, tree_);
    mode_.stops[k] = StopMode::kLatched;
    settle_locked(d.state);
  }
  return Status::kOk;
}

// The rows of a site that holds whatever the force, before those of contacts.
Status Simulator::add_site_rows(int site) noexcept {
  RowSystem& r = rows_;
  const int turns = holds_turns(site) ? (planar() ? 1 : 3) : 0;
  if (r.row_count + 1 + tangents() + turns > kMaxRows) return Status::kFull;
  const ContactPoint& p = sites_[site].point;
  grip_row_[site] = r.row_count;
  contact_rows(tree_, workspace_, p, frame_,
               contact_motion(*model_, tree_, workspace_, p, frame_.normal), 1 + tangents(),
               &r.rows[r.row_count]);
  r.row_count += 1 + tangents();
  const Vec3<double> axes[] = {frame_.t2, frame_.t1, frame_.normal};
  for (int k = 0; k < turns; ++k) {
    Row& row = r.rows[r.row_count++];
    row = Row{};
    row.on = p.body;
    row.F_on.n = transpose_times(workspace_.X_WB[p.body].R, axes[k]);
  }
  return Status::kOk;
}

// A grip on a weld holds the body's turns as well.
bool Simulator::holds_turns(int site) const noexcept {
  const Foot& foot = settings_.feet[sites_[site].foot];
  return foot.grips && foot.support == JointKind::kFixed && foot.corner_count == 0;
}

// What the rows of a site gave at this instant: force or impulse.
Vec3<double> Simulator::force_of(int site) const noexcept {
  if (site_contact_[site] >= 0) return contact_force(rows_, site_contact_[site], frame_);
  if (grip_row_[site] < 0) return {};
  const double* lambda = &rows_.lambda[grip_row_[site]];
  Vec3<double> force = frame_.normal * lambda[0] + frame_.t1 * lambda[1];
  if (!planar()) force += frame_.t2 * lambda[2];
  return force;
}

// ---- robots that cannot fly: a wheel whose mass is one point has no inertia to turn with in the air

// Plastic and without slip at one site, whose pin then carries the impact (contact/impact.hpp); the first site counts that
// gives an impulse which pushes, and sends none of the others into the ground.
Status Simulator::strike_pinned() noexcept {
  Draft& d = draft_;
  Instant& now = instant_;
  for (int i = 0; i < site_count_; ++i) {
    now.sites[i].stays = now.sites[i].touches;
    now.sites[i].velocity_after_W = now.sites[i].velocity_before_W;
    site_contact_[i] = grip_row_[i] = -1;
  }
  for (int k = 0; k < settings_.stop_count; ++k) {
    if (now.stops[k].touches) return Status::kSingularInertia;
  }
  if (!now.struck) return Status::kOk;
  if (settings_.push_off.impulse != 0) return Status::kSingularInertia;
  for (const bool approaching : {true, false}) {
    for (int i = 0; i < site_count_; ++i) {
      const SiteInstant& site = now.sites[i];
      const bool approaches = dot(frame_.normal, site.velocity_before_W) < -kStill ||
                              sites_[i].foot == now.forced;
      if (!site.touches || approaches != approaching || !can_be_pinned(i)) continue;
      State state;
      Vec3<double> impulse_W;
      ++work_.impacts;
      if (const Status status = pin_down(i, state, impulse_W); status != Status::kOk) return status;
      if (dot(frame_.normal, impulse_W) < 0) continue;
      bool others = true;
      kinematics(*model_, after_, state, workspace_);
      for (int k = 0; k < site_count_; ++k) {
        if (k == i || !now.sites[k].touches) continue;
        const Vec3<double> u =
            contact_motion(*model_, after_, workspace_, sites_[k].point, frame_.normal).velocity_W;
        now.sites[k].velocity_after_W = u;
        now.sites[k].stays = dot(frame_.normal, u) <= kStill;
        others &= dot(frame_.normal, u) >= -kStill;
      }
      if (!others) continue;
      tree_ = after_;
      d.state = state;
      mode_.root_foot = sites_[i].foot;
      SiteInstant& struck = now.sites[i];
      struck.velocity_after_W = {};
      struck.impulse_W = impulse_W;
      struck.energy_lost = -0.5 * dot(impulse_W, struck.velocity_before_W);
      d.impulses[i] += impulse_W;
      d.energy.impacts += struck.energy_lost;
      return Status::kOk;
    }
  }
  return Status::kSingularInertia;
}

bool Simulator::can_be_pinned(int site) const noexcept {
  const Foot& foot = settings_.feet[sites_[site].foot];
  return foot.corner_count == 0 && foot.support != JointKind::kFree;
}

// The robot of after_ and `state`, rooted at the site, with the velocities that its pin leaves, and the impulse of the pin.
Status Simulator::pin_down(int site, State& state, Vec3<double>& impulse_W) noexcept {
  const Foot& foot = settings_.feet[sites_[site].foot];
  const BodyId body = sites_[site].point.body;
  const PoseTwist motion = body_motion(*model_, tree_, draft_.state, body);
  const Footing footing{foot.support, instant_.sites[site].point_W, settings_.ground.support_axes(),
                        foot.radius};
  const Support held = make_support(*model_, body, motion.X_WH, footing);
  Support loose = held;
  loose.kind = JointKind::kFree;
  before_ = tree_;
  State state_before = draft_.state;
  change_root(*model_, body, loose, before_);
  set_root_motion(before_, motion.X_WH, motion.V_H, state_before);
  after_ = before_;
  change_root(*model_, body, held, after_);
  state = draft_.state;
  set_root_motion(after_, motion.X_WH, motion.V_H, state);
  Impact result;
  const Status status = impact(*model_, before_, state_before, after_, nullptr, nullptr, workspace_,
                               state, result);
  impulse_W = result.impulse_W.f;
  return status;
}

// Is there an acceleration in flight?
bool Simulator::can_fly() noexcept {
  Footing footing;
  footing.kind = mode_.flight;
  if (planar()) footing.R_WA = settings_.ground.support_axes();
  before_ = tree_;
  State state = state_;
  (void)reroot(*model_, before_.root, footing, before_, state);
  DofVector a;
  return aba(*model_, before_, state, {}, {}, workspace_, a) != Status::kSingularInertia;
}

void Simulator::note_residual(const LawResidual& from) noexcept {
  LawResidual& to = draft_.residual;
  to.signorini = std::max(to.signorini, from.signorini);
  to.cone = std::max(to.cone, from.cone);
  to.dissipation = std::max(to.dissipation, from.dissipation);
}

}  // namespace stance
