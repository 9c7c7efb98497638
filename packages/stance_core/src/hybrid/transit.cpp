// Transit: which contacts there are from now on. Accelerations decide (Coulomb's law, contact/friction.hpp) over all sites
// that stay on the ground and all joints that stay at their stops; then a foot that sticks becomes the root.
#include <algorithm>
#include <cmath>

#include "hybrid/integrator_kernel.hpp"
#include "hybrid/tolerances.hpp"
#include "stance_core/dynamics/kinematics.hpp"
#include "stance_core/dynamics/momentum.hpp"
#include "stance_core/dynamics/reroot.hpp"
#include "stance_core/hybrid/simulator.hpp"

namespace stance {

// A latch that lets go changes the robot, and so who stays: at most once each.
Status Simulator::transit() noexcept {
  do {
    if (const Status status = find_modes(); status != Status::kOk) return status;
  } while (release_latches());
  set_down();
  draft_.modes_are_found = true;
  return Status::kOk;
}

Status Simulator::find_modes() noexcept {
  if (!flies_) return find_pinned_modes();
  Draft& d = draft_;
  Workspace& w = workspace_;
  RowSystem& r = rows_;
  kinematics(*model_, tree_, d.state, w);
  if (const Status status = add_holding_rows(tree_); status != Status::kOk) return status;
  for (int i = 0; i < site_count_; ++i) {
    grip_row_[i] = -1;
    if (!instant_.sites[i].stays || !grips(i)) continue;
    if (const Status status = add_site_rows(i); status != Status::kOk) return status;
    mode_.sites[i].mode = ContactMode::kStick;
  }
  for (int i = 0; i < site_count_; ++i) {
    const SiteInstant& site = instant_.sites[i];
    site_contact_[i] = -1;
    if (grip_row_[i] >= 0) continue;
    if (!site.stays) {
      mode_.sites[i].mode = ContactMode::kOpen;
      continue;
    }
    const int k = add_contact(*model_, tree_, w, sites_[i].point, frame_, tangents(), r);
    if (k < 0) return Status::kFull;
    site_contact_[i] = k;
    ContactRows& c = r.contacts[k];
    c.mu_static = material(i).mu_static, c.mu_kinetic = material(i).mu_kinetic;
    // a corner that rested without force is tried without
    const bool rests = site.before == ContactMode::kOpen && !instant_.struck && !fresh_;
    c.mode = rests ? ContactMode::kOpen : ContactMode::kStick;
    const Vec3<double> u =
        contact_motion(*model_, tree_, w, sites_[i].point, frame_.normal).velocity_W;
    const double u1 = dot(frame_.t1, u), u2 = planar() ? 0 : dot(frame_.t2, u);
    const double speed = std::hypot(u1, u2);
    if (speed > kStill) {
      c.mode = rests ? ContactMode::kOpen : ContactMode::kSlide;
      c.slides = true;
      c.d = {u1 / speed, u2 / speed};
    }
  }
  for (int k = 0; k < settings_.stop_count; ++k) {
    stop_row_[k] = -1;
    if (mode_.stops[k] == StopMode::kLatched) continue;
    mode_.stops[k] = StopMode::kFree;
    if (!instant_.stops[k].stays) continue;
    const int c = add_contact(stop_row(k), r);
    if (c < 0) return Status::kFull;
    stop_row_[k] = c;
  }
  if (r.contact_count == 0) return Status::kOk;
  DofVector effort, a;
  for (int k = 0; k < model_->dof_count; ++k)
    effort[k] = (*d.tau)[k] - model_->damping[k] * d.state.v[k];
  ++work_.impacts;
  if (const Status status = forward_dynamics(*model_, tree_, d.state, effort, d.f_ext,
                                             Modes::kFound, r, w, a);
      status != Status::kOk)
    return status;
  note_residual(r.result.residual);
  for (int i = 0; i < site_count_; ++i) {
    if (site_contact_[i] < 0) continue;
    const ContactRows& c = r.contacts[site_contact_[i]];
    SiteMode& site = mode_.sites[i];
    site.mode = c.mode;
    if (c.mode == ContactMode::kSlide) site.d = {c.d[0], planar() ? 0 : c.d[1]};
  }
  for (int k = 0; k < settings_.stop_count; ++k) {
    if (stop_row_[k] < 0) continue;
    if (r.contacts[stop_row_[k]].mode != ContactMode::kOpen) mode_.stops[k] = StopMode::kPressed;
  }
  return Status::kOk;
}

// The robot on a pin at one of the sites, whose force must push; the others as always.
Status Simulator::find_pinned_modes() noexcept {
  Draft& d = draft_;
  Workspace& w = workspace_;
  RowSystem& r = rows_;
  for (int k = 0; k < site_count_; ++k) {
    site_contact_[k] = grip_row_[k] = -1;
    mode_.sites[k].mode = ContactMode::kOpen;
  }
  // the foot that holds it already first
  for (const bool held : {true, false}) {
    for (int i = 0; i < site_count_; ++i) {
      const bool holds = sites_[i].foot == mode_.root_foot;
      if (!instant_.sites[i].stays || holds != held || !can_be_pinned(i)) continue;
      const Foot& foot = settings_.feet[sites_[i].foot];
      before_ = tree_;
      State state = d.state;
      if (!holds) {
        const Footing footing{foot.support, instant_.sites[i].point_W,
                              settings_.ground.support_axes(), foot.radius};
        (void)reroot(*model_, sites_[i].point.body, footing, before_, state);
      }
      kinematics(*model_, before_, state, w);
      if (const Status status = add_holding_rows(before_); status != Status::kOk) return status;
      for (int k = 0; k < site_count_; ++k) {
        site_contact_[k] = -1;
        if (k == i || !instant_.sites[k].stays) continue;
        const int c = add_contact(*model_, before_, w, sites_[k].point, frame_, tangents(), r);
        if (c < 0) return Status::kFull;
        site_contact_[k] = c;
        r.contacts[c].mu_static = material(k).mu_static;
        r.contacts[c].mu_kinetic = material(k).mu_kinetic;
      }
      DofVector effort, a;
      for (int k = 0; k < model_->dof_count; ++k)
        effort[k] = (*d.tau)[k] - model_->damping[k] * state.v[k];
      ++work_.impacts;
      const Status status = forward_dynamics(*model_, before_, state, effort, d.f_ext,
                                             Modes::kFound, r, w, a);
      if (status == Status::kNoContactForce) continue;
      if (status != Status::kOk) return status;
      if (r.row_count == 0) r.d.count = 0;
      const Vec3<double> F = w.X_PB[before_.root].R * support_force(before_, w, r.d, r.lambda).f;
      if (dot(frame_.normal, F) < 0) continue;
      tree_ = before_;
      d.state = state;
      mode_.root_foot = sites_[i].foot;
      mode_.sites[i].mode = ContactMode::kStick;
      for (int k = 0; k < site_count_; ++k) {
        if (site_contact_[k] >= 0) mode_.sites[k].mode = r.contacts[site_contact_[k]].mode;
      }
      return Status::kOk;
    }
  }
  return Status::kSingularInertia;
}

// Joints whose foot has left the ground are let go. True if any was.
bool Simulator::release_latches() noexcept {
  bool any = false;
  for (int k = 0; k < settings_.stop_count; ++k) {
    const int foot = settings_.stops[k].release_foot;
    if (mode_.stops[k] != StopMode::kLatched || foot < 0) continue;
    bool before = false, after = false;
    for (int i = first_site_[foot]; i < first_site_[foot + 1]; ++i) {
      before |= instant_.sites[i].before != ContactMode::kOpen;
      after |= mode_.sites[i].mode != ContactMode::kOpen;
    }
    if (!before || after) continue;
    release_joint(*model_, settings_.stops[k].joint, tree_);
    mode_.stops[k] = StopMode::kFree;
    instant_.released[instant_.released_count++] = k;
    any = true;
  }
  return any;
}

// Not one whose body stands on another foot as well: feet of one rigid body share by least norm, which the root's would be
// left out of.
bool Simulator::may_root(int foot) const noexcept {
  if (settings_.feet[foot].support == JointKind::kFree) return false;
  const BodyId body = sites_[first_site_[foot]].point.body;
  for (int i = 0; i < site_count_ && flies_; ++i) {
    if (sites_[i].foot != foot && sites_[i].point.body == body &&
        mode_.sites[i].mode == ContactMode::kStick)
      return false;
  }
  for (int i = first_site_[foot]; i < first_site_[foot + 1]; ++i) {
    if (mode_.sites[i].mode == ContactMode::kStick) return true;
  }
  return false;
}

// Places of sites that stick from now on, and the root: see simulator.hpp for the rule.
void Simulator::set_down() noexcept {
  Draft& d = draft_;
  kinematics(*model_, tree_, d.state, workspace_);
  for (int i = 0; i < site_count_; ++i) {
    SiteMode& site = mode_.sites[i];
    if (site.mode == ContactMode::kOpen) {
      if (instant_.sites[i].before != ContactMode::kOpen) site.armed = false;
      continue;
    }
    const ContactPoint& p = sites_[i].point;
    const bool was_closed = instant_.sites[i].before != ContactMode::kOpen;
    if (!was_closed) {
      const double height = gap(center_of(i), p.radius);
      site.height = std::abs(height) > kTouch && !instant_.settled ? height : 0;
    }
    if (site.mode == ContactMode::kStick && instant_.sites[i].before != ContactMode::kStick)
      site.anchor_W = center_of(i) - frame_.normal * p.radius;
  }
  int root = -1;
  if (instant_.root_foot_before >= 0 && may_root(instant_.root_foot_before)) {
    root = instant_.root_foot_before;
  } else if (!flies_) {
    root = mode_.root_foot;  // which is where the tree is rooted
  } else {
    double most = -1;
    for (int f = 0; f < settings_.foot_count; ++f) {
      if (!may_root(f)) continue;
      double force = 0;
      for (int i = first_site_[f]; i < first_site_[f + 1]; ++i) {
        force += dot(frame_.normal, force_of(i));
      }
      if (force > most) most = force, root = f;
    }
  }
  mode_.root_foot = root;
  if (root >= 0) {
    const int first = first_site_[root];
    Footing footing{JointKind::kBall, {}, settings_.ground.support_axes(), 0};
    if (first_site_[root + 1] - first == 1) {
      const Foot& foot = settings_.feet[root];
      const ContactPoint& p = sites_[first].point;
      footing.point_W = center_of(first) - frame_.normal * p.radius;
      footing.kind = holds_turns(first) ? JointKind::kFixed
                     : !planar()        ? JointKind::kBall
                     : foot.radius > 0  ? JointKind::kRoll
                                        : JointKind::kRevolute;
      footing.radius = p.radius;
    } else {
      std::array<int, kMaxCorners> which;
      const Sole sole = sticking_sole(root, which);
      footing.point_W = sole.center_W;
      const int held = sole.moment_count;  // of the three turns, or of the one in a plane
      if (planar()) {
        footing.kind = held == 0 ? JointKind::kRevolute : JointKind::kFixed;
      } else if (held == 2) {  // about the edge
        footing.kind = JointKind::kRevolute;
        const Vec3<double> along = sole.r_W[0] * (1 / norm(sole.r_W[0]));
        footing.R_WA = {cross(frame_.normal, along), frame_.normal, along};
      } else {
        footing.kind = held == 3 ? JointKind::kFixed : JointKind::kBall;
      }
    }
    (void)reroot(*model_, sites_[first].point.body, footing, tree_, d.state);
  }
  mode_.root = tree_.root;
  mode_.support = tree_.support;
  mode_.locked = tree_.locked, mode_.locked_position = tree_.locked_position;
}

// ---- too much for one step

// Moreau's step over what is left, h: one impact of all sites that may touch within it, plastic, on the velocities that the
// free robot would have at its end,
//   (1) v' = v + h a_free      (2) 0 <= p_n ⊥ gap / h + u_n⁺ >= 0, Coulomb's law on p and u_t⁺      (3) q moves with v⁺ for h.
// Of order one, and it cannot fail to end. What energy it loses, beyond the work of efforts, damping and pushes, counts as
// that of an impact. Turning takes sites off the straight lines of (2): those that hold are brought back
// to the ground (hold_together), and where another has gone below it the step was too long.
Status Simulator::settle() noexcept {
  Draft& d = draft_;
  Instant& now = instant_;
  RowSystem& r = rows_;
  const double h = d.rest;
  const auto energy = [&] {  // needs kinematics
    return kinetic_energy(tree_, d.state, workspace_) +
           potential_energy(*model_, tree_, workspace_);
  };
  change_mode();
  kinematics(*model_, tree_, d.state, workspace_);
  const double energy_before = energy() - d.energy.holding;
  open_instant();
  loosen();
  DofVector effort, a;
  for (int k = 0; k < model_->dof_count; ++k)
    effort[k] = (*d.tau)[k] - model_->damping[k] * d.state.v[k];
  kinematics(*model_, tree_, d.state, workspace_);
  if (const Status status = add_holding_rows(tree_); status != Status::kOk) return status;
  ++work_.impacts;
  if (const Status status = forward_dynamics(*model_, tree_, d.state, effort, d.f_ext,
                                             Modes::kGiven, r, workspace_, a);
      status != Status::kOk)
    return status;
  State ahead = d.state;
  for (int k = 0; k < model_->dof_count; ++k) ahead.v[k] += h * a[k];
  kinematics(*model_, tree_, ahead, workspace_);
  if (const Status status = add_holding_rows(tree_); status != Status::kOk) return status;
  RowVector offset{};
  for (int i = 0; i < site_count_; ++i) {
    site_contact_[i] = -1;
    now.sites[i].stays = false;
    if (!may_touch(i)) continue;
    const ContactMotion motion = contact_motion(*model_, tree_, workspace_, sites_[i].point,
                                                frame_.normal);
    const double height = gap(motion.center_W, sites_[i].point.radius) - mode_.sites[i].height;
    const double rate = dot(frame_.normal, motion.velocity_W);
    if (now.sites[i].before == ContactMode::kOpen && height + h * rate > 0) continue;
    const int k = add_contact(*model_, tree_, workspace_, sites_[i].point, frame_, tangents(), r);
    if (k < 0) return Status::kFull;
    site_contact_[i] = k;
    r.contacts[k].mu_static = material(i).mu_static;
    r.contacts[k].mu_kinetic = material(i).mu_kinetic;
    offset[r.contacts[k].row] = height / h;
  }
  for (int k = 0; k < settings_.stop_count; ++k) {
    stop_row_[k] = -1;
    if (mode_.stops[k] == StopMode::kLatched) continue;
    const double height = stop_gap(k, d.state), rate = stop_rate(k, ahead);
    if (now.stops[k].before == StopMode::kFree && height + h * rate > 0) continue;
    const int c = add_contact(stop_row(k), r);
    if (c < 0) return Status::kFull;
    stop_row_[k] = c;
    offset[r.contacts[c].row] = height / h;
  }
  const std::array<double, kMaxContacts> plastic{};
  Collision collision;
  ++work_.impacts;
  if (const Status status = ::stance::collide(*model_, tree_, ImpactLaw::kNewton, plastic, r,
                                              workspace_, ahead, collision, &offset);
      status != Status::kOk)
    return status;
  note_residual(collision.residual);
  now.struck = true;
  now.settled = true;
  const double time = d.state.time;
  d.state.v = ahead.v;
  measure(&SiteInstant::velocity_after_W);
  move_positions(*model_, tree_, ahead.v, h, d.state);
  d.state.time = time;
  d.rest = 0;
  double work = d.f_ext.empty() ? 0 : h * push_power(ahead, d.f_ext);
  d.energy.pushes += work;
  for (int k = 0; k < model_->dof_count; ++k) {
    const double effort_work = h * (*d.tau)[k] * ahead.v[k];
    const double drag_work = h * model_->damping[k] * ahead.v[k] * ahead.v[k];
    d.energy.efforts += effort_work, d.energy.damping += drag_work;
    work += effort_work - drag_work;
  }
  for (int i = 0; i < site_count_; ++i) {
    SiteMode& site = mode_.sites[i];
    site.mode = ContactMode::kOpen;
    if (site_contact_[i] < 0) continue;
    const ContactRows& c = r.contacts[site_contact_[i]];
    now.sites[i].impulse_W = contact_force(r, site_contact_[i], frame_);
    d.impulses[i] += now.sites[i].impulse_W;
    site.mode = c.mode;
    if (c.mode == ContactMode::kSlide) site.d = {c.d[0], planar() ? 0 : c.d[1]};
  }
  for (int k = 0; k < settings_.stop_count; ++k) {
    if (mode_.stops[k] == StopMode::kLatched) continue;
    const bool pressed = stop_row_[k] >= 0 && r.contacts[stop_row_[k]].mode != ContactMode::kOpen;
    mode_.stops[k] = pressed ? StopMode::kPressed : StopMode::kFree;
  }
  set_down();
  d.settled = true;
  emit();
  ++work_.looks;
  if (const Status status = accelerate(d.state, *d.tau, d.f_ext, d.load, a); status != Status::kOk)
    return status;
  if (const Status status = hold_together(d.state); status != Status::kOk) return status;
  kinematics(*model_, tree_, d.state, workspace_);
  d.energy.impacts += energy_before + work + d.energy.holding - energy();
  for (int i = 0; i < site_count_; ++i) {
    if (may_touch(i) && gap(center_of(i), sites_[i].point.radius) < -kStartTolerance)
      return Status::kEventLimit;
  }
  return Status::kOk;
}

}  // namespace stance
