// The step as a list of its stages, and what stands round it. Each stage is a file of its own.
#include "stance_core/hybrid/simulator.hpp"

#include <bit>
#include <cmath>

#include "hybrid/tolerances.hpp"
#include "stance_core/dynamics/kinematics.hpp"
#include "stance_core/dynamics/reroot.hpp"

namespace stance {

int contact_sites(const Model& model, const SimulatorSettings& settings,
                  std::array<Site, kMaxContacts>& sites) noexcept {
  int count = 0;
  for (int i = 0; i < settings.foot_count; ++i) {
    const Foot& foot = settings.feet[static_cast<std::size_t>(i)];
    const Frame& frame = model.frames[foot.frame];
    const int corners = foot.corner_count > 0 ? foot.corner_count : 1;
    for (int k = 0; k < corners; ++k, ++count) {
      if (count >= kMaxContacts) continue;
      const Vec3<double> p_F = foot.corner_count > 0 ? foot.corners[static_cast<std::size_t>(k)]
                                                     : Vec3<double>{};
      sites[static_cast<std::size_t>(count)] = {i, {frame.body, frame.X_HF * p_F, foot.radius}};
    }
  }
  return count;
}

Simulator::Simulator(const Model& model, const SimulatorSettings& settings) noexcept
    : model_(&model),
      settings_(settings),
      frame_(contact_frame(settings.ground.normal, settings.ground.forward())),
      weight_(total_mass(model) * norm(model.gravity)),
      tree_(make_tree(model)),
      state_(neutral_state(model, tree_)) {
  site_count_ = std::min(contact_sites(model, settings_, sites_), kMaxContacts);
  int site = 0;
  for (int i = 0; i < settings_.foot_count; ++i) {
    first_site_[i] = site;
    while (site < site_count_ && sites_[site].foot == i) ++site;
  }
  first_site_[settings_.foot_count] = site;
  start_in_flight(state_);
}

// ---- the step

// Also of what the support holds, where accelerations would not show it.
bool Simulator::are_finite(const DofVector& tau,
                           std::span<const Force<double>> f_ext) const noexcept {
  double sum = 0;  // 0 times a number is 0, or not a number
  for (int k = 0; k < model_->dof_count; ++k) sum += 0 * tau[k];
  for (const Force<double>& f : f_ext) sum += 0 * (f.n.x + f.n.y + f.n.z + f.f.x + f.f.y + f.f.z);
  return sum == 0;
}

Status Simulator::advance(const DofVector& tau, std::span<const Force<double>> f_ext,
                          bool stop_at_event) noexcept {
  if (mode_.fallen) return Status::kFallen;
  if (below_ground_) return Status::kBelowGround;
  if (!are_finite(tau, f_ext)) return Status::kNonFinite;
  begin(tau, f_ext);
  const auto fail = [&](Status status) {
    if (tree_changed_) rebuild(kept_);
    return status;
  };
  Draft& d = draft_;
  bool whole = true;  // the step goes on to its end
  for (int instants = 0;; ++instants) {
    bool due = watch();
    if (!due) {
      if (const Status status = flow(due); status != Status::kOk) return fail(status);
    }
    if (!due) {
      bool crossed = false;
      if (const Status status = inspect(crossed); status != Status::kOk) return fail(status);
      if (crossed) {
        if (const Status status = locate(); status != Status::kOk) return fail(status);
      }
      take_flow();
      if (!crossed) {
        if (d.rest <= 0) break;
        d.modes_are_found = true;  // and still allowed where the flow has ended
        --instants;
        continue;
      }
    }
    if (instants == kMaxEventsPerStep) {
      if (const Status status = settle(); status != Status::kOk) return fail(status);
      break;
    }
    open_instant();
    if (!falls()) {
      Status status = collide();
      const bool struck = status == Status::kOk;
      if (struck) status = transit();
      if (status == Status::kNoContactForce && flies_) {
        // no forces, or no impulses, obey Coulomb's law: an implicit step has some
        if (struck) set_down(), emit();
        if ((status = settle()) != Status::kOk) return fail(status);
        break;
      }
      if (status != Status::kOk) return fail(status);
    }
    emit();
    whole = !mode_.fallen && !stop_at_event;
    if (!whole || d.rest <= 0) break;
  }
  return commit(whole);
}

void Simulator::begin(const DofVector& tau, std::span<const Force<double>> f_ext) noexcept {
  work_ = {};
  Draft& d = draft_;
  d.tau = &tau, d.f_ext = f_ext;
  d.state = state_;
  // from the start, not from the last step: rounding does not add up
  d.end = start_time_ + static_cast<double>(step_count_ + 1) * settings_.step;
  d.rest = settings_.step;
  d.piece = d.rest;
  d.halvings = 0;
  d.modes_are_found = false;
  d.settled = false;
  d.event_count = 0;
  d.energy = energy_;
  d.residual = residual_;
  for (int i = 0; i < site_count_; ++i) d.impulses[i] = {};
  tree_changed_ = false;
}

Status Simulator::commit(bool whole) noexcept {
  Draft& d = draft_;
  if (whole && !d.settled) {
    if (const Status status = hold_together(d.state); status != Status::kOk) {
      if (tree_changed_) rebuild(kept_);
      return status;
    }
  }
  if (whole && settings_.loop_count > 0) {
    if (const Status status = keep_closed(*model_, tree_, loops(), d.state, workspace_, keeper_);
        status != Status::kOk) {
      if (tree_changed_) rebuild(kept_);
      return status;
    }
  }
  state_ = d.state;
  if (whole) {
    state_.time = d.end;
    ++step_count_;
    arm();
  } else {
    start_time_ = state_.time, step_count_ = 0;
  }
  if (d.settled) ++settled_;
  fresh_ = false;
  energy_ = d.energy;
  residual_ = d.residual;
  for (int i = 0; i < site_count_; ++i) impulses_[i] = d.impulses[i];
  for (int k = 0; k < d.event_count; ++k) events_.push(d.events[k]);
  return Status::kOk;
}

// The mode is about to change: what it was is kept, should the step fail.
void Simulator::change_mode() noexcept {
  if (tree_changed_) return;
  kept_ = mode_;
  tree_changed_ = true;
}

void Simulator::push(const ContactEvent& event) noexcept {
  if (draft_.event_count < kMaxEvents) draft_.events[draft_.event_count++] = event;
}

// ---- starting

void Simulator::start(const State& state) noexcept {
  state_ = state;
  start_time_ = state_.time, step_count_ = 0;
  events_ = EventRing{};
  energy_ = {};
  residual_ = {};
  settled_ = 0;
  impulses_ = {};
  fresh_ = true;
  flies_ = can_fly();
  arm();
  check_heights();
}

// A foot that begins below the ground has no past that led there.
void Simulator::check_heights() noexcept {
  below_ground_ = false;
  kinematics(*model_, tree_, state_, workspace_);
  for (int i = 0; i < site_count_; ++i) {
    const SiteMode& site = mode_.sites[i];
    if (site.mode != ContactMode::kOpen || !may_touch(i)) continue;
    below_ground_ |= gap(center_of(i), sites_[i].point.radius) < -kStartTolerance;
  }
}

void Simulator::start_in_flight(const State& state, JointKind kind) noexcept {
  Support support;
  support.kind = kind;
  if (kind == JointKind::kPlanar) support.X_WA.R = support.X_HC.R = settings_.ground.support_axes();
  tree_ = make_tree(*model_, BodyId(0), support);
  mode_ = Mode{};
  mode_.flight = kind;
  mode_.support = support;
  mode_.root = BodyId(0);
  start(state);
}

void Simulator::start_on_foot(int foot, const Vec3<double>& point_W, const State& joints,
                              const double* support_q, const double* support_v) noexcept {
  const Foot& f = settings_.feet[foot];
  const Frame& frame = model_->frames[f.frame];
  // make_support at the bind pose, with the foot's frame at the contact: its angles are zero there
  const Mat3<double> R_bind = model_->bodies[frame.body].R_bind;
  const Vec3<double> center_W = point_W + settings_.ground.normal * f.radius;
  const Transform<double> X_WH{R_bind, center_W - R_bind * frame.X_HF.p};
  const Footing footing{f.support, point_W, settings_.ground.support_axes(), f.radius};
  tree_ = make_tree(*model_, frame.body, make_support(*model_, frame.body, X_WH, footing));
  State state = joints;
  for (int i = 0; i < kSupportCoordinates; ++i)
    state.q[i] = i < coordinate_count(f.support) ? support_q[i] : 0;
  for (int i = 0; i < kSupportDofs; ++i) state.v[i] = i < dof_count(f.support) ? support_v[i] : 0;
  joint_normalize(f.support, state.q.data());
  apply_mimic(*model_, state);
  mode_ = Mode{};
  mode_.flight = f.support == JointKind::kRevolute || f.support == JointKind::kRoll
                     ? JointKind::kPlanar
                     : JointKind::kFree;
  mode_.root = tree_.root;
  mode_.support = tree_.support;
  mode_.root_foot = foot;
  for (int i = first_site_[foot]; i < first_site_[foot + 1]; ++i) {
    mode_.sites[i].mode = ContactMode::kStick;
    mode_.sites[i].armed = true;
  }
  start(state);
  for (int i = first_site_[foot]; i < first_site_[foot + 1]; ++i) {
    mode_.sites[i].anchor_W = site_point(i);
    mode_.sites[i].height = settings_.ground.height(mode_.sites[i].anchor_W);
  }
}

Status Simulator::strike(int foot) noexcept {
  const DofVector none{};
  begin(none, {});
  watch();
  open_instant();
  instant_.forced = foot;
  for (int i = first_site_[foot]; i < first_site_[foot + 1]; ++i) instant_.sites[i].touches = true;
  Status status = collide();
  if (status == Status::kOk) status = transit();
  if (status != Status::kOk) {
    if (tree_changed_) rebuild(kept_);
    return status;
  }
  emit();
  below_ground_ = false;
  const bool fresh = fresh_;
  status = commit(false);
  fresh_ = fresh;
  start_time_ = state_.time, step_count_ = 0;
  return status;
}

void Simulator::lock(JointId joint) noexcept {
  const Joint& j = model_->joints[joint];
  lock_joint(*model_, joint, state_.q[j.q_index], tree_);
  settle_locked(state_);
  mode_.locked = tree_.locked, mode_.locked_position = tree_.locked_position;
  for (int k = 0; k < settings_.stop_count; ++k) {
    const Stop& stop = settings_.stops[k];
    if (stop.joint == joint && stop.release_foot >= 0) mode_.stops[k] = StopMode::kLatched;
  }
}

// Locked joints stand where they are held: a lock takes the joints geared to it along.
void Simulator::settle_locked(State& state) const noexcept {
  for (int i = 1; i < model_->body_count; ++i) {
    if (!tree_.locked[i]) continue;
    state.q[model_->joints[i].q_index] = tree_.locked_position[i];
    state.v[model_->joints[i].v_index] = 0;
  }
}

Status Simulator::set_push_off(double impulse) noexcept {
  const bool sound = settings_.push_off.towards.valid() && std::isfinite(impulse) && impulse >= 0;
  if (!sound) return Status::kBadCommand;
  settings_.push_off.impulse = impulse;
  return Status::kOk;
}

SimulatorSnapshot Simulator::save() const noexcept {
  return {state_, mode_, start_time_, step_count_, fresh_, below_ground_};
}

void Simulator::restore(const SimulatorSnapshot& snapshot) noexcept {
  rebuild(snapshot.mode);
  state_ = snapshot.state;
  start_time_ = snapshot.start_time, step_count_ = snapshot.step_count;
  fresh_ = snapshot.fresh;
  flies_ = can_fly();
  below_ground_ = snapshot.below_ground;
}

// The tree follows from the mode.
void Simulator::rebuild(const Mode& mode) noexcept {
  mode_ = mode;
  tree_ = make_tree(*model_, mode.root, mode.support);
  std::array<bool, kMaxBodies> follows{};  // is locked again with its leader
  for (int k = 0; k < model_->mimic_count; ++k) follows[model_->mimics[k].joint] = true;
  for (int i = 1; i < model_->body_count; ++i) {
    if (mode.locked[i] && !follows[i])
      lock_joint(*model_, JointId(i), mode.locked_position[i], tree_);
  }
}

// ---- observers

ContactMode Simulator::foot_mode(int foot) const noexcept {
  bool closed = false;
  for (int i = first_site_[foot]; i < first_site_[foot + 1]; ++i) {
    if (mode_.sites[i].mode == ContactMode::kStick) return ContactMode::kStick;
    closed |= mode_.sites[i].mode == ContactMode::kSlide;
  }
  return closed ? ContactMode::kSlide : ContactMode::kOpen;
}

Vec3<double> Simulator::center_of(int site) const noexcept {
  const ContactPoint& p = sites_[site].point;
  return workspace_.X_WB[p.body] * (inverse(tree_.links[p.body].X_HB) * p.p_H);
}

Vec3<double> Simulator::site_point(int site) const noexcept {
  const ContactPoint& p = sites_[site].point;
  return body_motion(*model_, tree_, state_, p.body).X_WH * p.p_H - frame_.normal * p.radius;
}

Vec3<double> Simulator::site_velocity(int site) const noexcept {
  const ContactPoint& p = sites_[site].point;
  const PoseTwist motion = body_motion(*model_, tree_, state_, p.body);
  const Vec3<double> r_H = p.p_H - transpose_times(motion.X_WH.R, frame_.normal) * p.radius;
  return motion.X_WH.R * (motion.V_H.v + cross(motion.V_H.w, r_H));
}

double Simulator::foot_height(int foot) const noexcept {
  double lowest = settings_.ground.height(site_point(first_site_[foot]));
  for (int i = first_site_[foot] + 1; i < first_site_[foot + 1]; ++i)
    lowest = std::min(lowest, settings_.ground.height(site_point(i)));
  return lowest;
}

FrameId Simulator::root_frame() const noexcept {
  return mode_.root_foot < 0 ? FrameId() : settings_.feet[mode_.root_foot].frame;
}

std::uint64_t Simulator::hash() const noexcept {
  std::uint64_t h = 14695981039346656037u;  // FNV-1a over 64-bit words
  const auto mix = [&](std::uint64_t word) { h = (h ^ word) * 1099511628211u; };
  mix(std::bit_cast<std::uint64_t>(state_.time));
  for (int i = 0; i < model_->coordinate_count; ++i) mix(std::bit_cast<std::uint64_t>(state_.q[i]));
  for (int i = 0; i < model_->dof_count; ++i) mix(std::bit_cast<std::uint64_t>(state_.v[i]));
  mix(static_cast<std::uint64_t>(mode_.root_foot) + 1);
  for (int i = 0; i < site_count_; ++i) mix(static_cast<std::uint64_t>(mode_.sites[i].mode));
  return h;
}

}  // namespace stance
