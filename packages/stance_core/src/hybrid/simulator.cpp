#include "stance_core/hybrid/simulator.hpp"

#include <bit>
#include <cmath>

#include "stance_core/dynamics/reroot.hpp"
#include "stance_core/hybrid/event_locator.hpp"

namespace stance {
namespace {

// A foot or a joint that has just let go is watched again once it is clear of its surface by this much (m or rad):
// far above rounding, far below any real clearance.
constexpr double kClearance = 1e-7;

// Locked joints stand where they are held: a lock takes the joints geared to it along.
void settle_locked(const Model& model, const Tree& tree, State& state) noexcept {
  for (int i = 1; i < model.body_count; ++i) {
    if (!tree.locked[i]) continue;
    state.q[model.joints[i].q_index] = tree.locked_position[i];
    state.v[model.joints[i].v_index] = 0;
  }
}

}  // namespace

Simulator::Simulator(const Model& model, const SimulatorSettings& settings) noexcept
    : model_(&model),
      settings_(settings),
      tree_(make_tree(model)),
      state_(neutral_state(model, tree_)) {}

void Simulator::begin() noexcept {
  fallen_ = false;
  start_time_ = state_.time, step_count_ = 0;
  events_ = EventRing{};
  foot_armed_ = {};
  stop_armed_ = {};
  arm(state_);
}

void Simulator::start_in_flight(const State& state, JointKind kind) noexcept {
  const Ground& ground = settings_.ground;
  Support support;
  support.kind = kind;
  if (kind == JointKind::kPlanar) support.X_WA.R = support.X_HC.R = ground.support_axes();
  tree_ = make_tree(*model_, BodyId(0), support);
  state_ = state;
  support_foot_ = -1;
  begin();
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
  state_ = joints;
  for (int i = 0; i < kSupportCoordinates; ++i)
    state_.q[i] = i < coordinate_count(f.support) ? support_q[i] : 0;
  for (int i = 0; i < kSupportDofs; ++i) state_.v[i] = i < dof_count(f.support) ? support_v[i] : 0;
  joint_normalize(f.support, state_.q.data());
  apply_mimic(*model_, state_);
  support_foot_ = foot;
  begin();
}

Status Simulator::strike(int foot) noexcept { return touch_down(foot); }

void Simulator::lock(JointId joint) noexcept {
  const Joint& j = model_->joints[joint];
  lock_joint(*model_, joint, state_.q[j.q_index], tree_);
  settle_locked(*model_, tree_, state_);
}

Status Simulator::set_push_off(double impulse) noexcept {
  const bool sound = settings_.push_off.towards.valid() && std::isfinite(impulse) && impulse >= 0;
  if (!sound) return Status::kBadCommand;
  settings_.push_off.impulse = impulse;
  return Status::kOk;
}

SimulatorSnapshot Simulator::save() const noexcept {
  return {state_,        tree_.root, tree_.support, tree_.locked, tree_.locked_position,
          support_foot_, fallen_,    start_time_,   step_count_,  foot_armed_,
          stop_armed_};
}

void Simulator::restore(const SimulatorSnapshot& snapshot) noexcept {
  tree_ = make_tree(*model_, snapshot.root, snapshot.support);
  std::array<bool, kMaxBodies> follows{};  // is locked again with its leader
  for (int k = 0; k < model_->mimic_count; ++k) follows[model_->mimics[k].joint] = true;
  for (int i = 1; i < model_->body_count; ++i) {
    if (snapshot.locked[i] && !follows[i])
      lock_joint(*model_, JointId(i), snapshot.locked_position[i], tree_);
  }
  state_ = snapshot.state;
  support_foot_ = snapshot.support_foot;
  fallen_ = snapshot.fallen;
  start_time_ = snapshot.start_time, step_count_ = snapshot.step_count;
  foot_armed_ = snapshot.foot_armed;
  stop_armed_ = snapshot.stop_armed;
}

Status Simulator::advance(const DofVector& tau, std::span<const Force<double>> f_ext,
                          bool stop_at_event) noexcept {
  if (fallen_) return Status::kFallen;
  work_ = {};
  // from the start, not from the last step: rounding does not add up
  const double end = start_time_ + static_cast<double>(step_count_ + 1) * settings_.step;
  double rest = settings_.step;
  const auto finish = [&] {
    state_.time = end;
    ++step_count_;
    arm(state_);
    return Status::kOk;
  };
  for (int event = 0; event < kMaxEventsPerStep; ++event) {
    // flow
    std::array<Guard, kMaxGuards> guards;
    std::array<double, kMaxGuards> before;
    const int count = collect_guards(guards);
    for (int k = 0; k < count; ++k) before[k] = guard_value(guards[k], state_);
    State next = state_;
    Status status = flow(tau, f_ext, rest, next);
    if (status != Status::kOk) return status;

    // locate: the first instant at which a guard is no longer positive
    double first = rest;
    bool crossed = false;
    std::array<double, kMaxGuards> instant;
    for (int k = 0; k < count; ++k) {
      instant[k] = 2 * rest;
      const double after = guard_value(guards[k], next);
      if (after > 0) continue;
      const auto value_at = [&](double s, double& value) {
        State probe = state_;
        if (flow(tau, f_ext, s, probe) != Status::kOk) return false;
        value = guard_value(guards[k], probe);
        return true;
      };
      // a guard that is not positive at the start is due at once
      const Located located = before[k] > 0 ? locate_root(value_at, before[k], rest, after,
                                                          settings_.event_tolerance)
                                            : Located{0, true};
      if (!located.ok) return Status::kNonFinite;
      instant[k] = located.time;
      crossed = true;
      if (located.time < first) first = located.time;
    }
    if (!crossed) {
      state_ = next;
      return finish();
    }
    if (first > 0) {
      status = flow(tau, f_ext, first, state_);
      if (status != Status::kOk) return status;
    }
    rest -= first;

    // jump and mode: all guards that crossed at this instant, in the order of the settings
    for (int k = 0; k < count && !fallen_; ++k) {
      if (instant[k] > first + settings_.event_tolerance) continue;
      if ((status = react(guards[k])) != Status::kOk) return status;
    }
    if (fallen_ || stop_at_event) {
      start_time_ = state_.time, step_count_ = 0;
      return Status::kOk;
    }
    if (rest <= 0) return finish();
  }
  return Status::kEventLimit;
}

Status Simulator::flow(const DofVector& tau, std::span<const Force<double>> f_ext, double h,
                       State& state) noexcept {
  ++work_.integrations;
  return integrate(*model_, tree_, tau, settings_.integrator, h, state, workspace_, f_ext);
}

// ---- guards: positive while nothing happens

int Simulator::collect_guards(std::array<Guard, kMaxGuards>& guards) const noexcept {
  int count = 0;
  for (int i = 0; i < settings_.foot_count; ++i) {
    if (i != support_foot_ && foot_armed_[i]) guards[count++] = {Guard::Kind::kFoot, i};
  }
  for (int i = 0; i < settings_.stop_count; ++i) {
    if (!tree_.locked[settings_.stops[i].joint]) guards[count++] = {Guard::Kind::kStop, i};
  }
  for (int i = 0; i < settings_.fall_count; ++i) guards[count++] = {Guard::Kind::kFall, i};
  return count;
}

double Simulator::guard_value(const Guard& guard, const State& state) const noexcept {
  switch (guard.kind) {
    case Guard::Kind::kFoot: return settings_.ground.height(contact_point(guard.index, state));
    case Guard::Kind::kStop: {
      const Stop& stop = settings_.stops[guard.index];
      const Joint& joint = model_->joints[stop.joint];
      const double q = state.q[joint.q_index];
      const double gap = stop.at_lower ? q - joint.limits.lower : joint.limits.upper - q;
      // just released it stands on its limit: it may press against it, but not pass
      return stop_armed_[guard.index] ? gap : gap + kClearance;
    }
    case Guard::Kind::kFall: {
      const Frame& frame = model_->frames[settings_.fall_frames[guard.index]];
      const Transform<double> X_WH = body_motion(*model_, tree_, state, frame.body).X_WH;
      return settings_.ground.height(X_WH * frame.X_HF.p);
    }
  }
  return 1;
}

// The lowest point of the foot: the frame's origin, or the arc's point below it.
Vec3<double> Simulator::contact_point(int foot, const State& state) const noexcept {
  const Foot& f = settings_.feet[foot];
  const Frame& frame = model_->frames[f.frame];
  const Transform<double> X_WH = body_motion(*model_, tree_, state, frame.body).X_WH;
  return X_WH * frame.X_HF.p - settings_.ground.normal * f.radius;
}

bool Simulator::ahead_of_support(int foot, const State& state) const noexcept {
  if (support_foot_ < 0) return true;
  return dot(settings_.ground.forward(),
             contact_point(foot, state) - contact_point(support_foot_, state)) > kClearance;
}

void Simulator::arm(const State& state) noexcept {
  for (int i = 0; i < settings_.foot_count; ++i) {
    if (foot_armed_[i] || i == support_foot_) continue;
    foot_armed_[i] = settings_.ground.height(contact_point(i, state)) > kClearance &&
                     (!settings_.feet[i].ignore_scuff || ahead_of_support(i, state));
  }
  for (int i = 0; i < settings_.stop_count; ++i) {
    if (stop_armed_[i] || tree_.locked[settings_.stops[i].joint]) continue;
    stop_armed_[i] = guard_value({Guard::Kind::kStop, i}, state) > 2 * kClearance;
  }
}

double Simulator::foot_height(int foot) noexcept {
  return settings_.ground.height(contact_point(foot, state_));
}

// ---- jumps

Status Simulator::react(const Guard& guard) noexcept {
  switch (guard.kind) {
    case Guard::Kind::kFoot: return touch_down(guard.index);
    case Guard::Kind::kStop: return hit_stop(guard.index);
    case Guard::Kind::kFall: fall(settings_.fall_frames[guard.index]); return Status::kOk;
  }
  return Status::kOk;
}

Status Simulator::jump(const Tree& before, const State& state_before, const Tree& after,
                       const Push* push, State& state, Impact& result) noexcept {
  ++work_.impacts;
  return impact(*model_, before, state_before, after, push, nullptr, workspace_, state, result);
}

Status Simulator::touch_down(int foot) noexcept {
  const Foot& f = settings_.feet[foot];
  const BodyId body = model_->frames[f.frame].body;
  const Vec3<double> point_W = contact_point(foot, state_);
  const Vec3<double> velocity_before = point_velocity(tree_, state_, body, point_W);

  // the robot as it moves, seen from the body that is struck, in no contact at all
  const PoseTwist motion = body_motion(*model_, tree_, state_, body);
  const Footing footing{f.support, point_W, settings_.ground.support_axes(), f.radius};
  const Support held = make_support(*model_, body, motion.X_WH, footing);
  Support loose = held;
  loose.kind = JointKind::kFree;
  Tree before = tree_;
  State state_before = state_;
  change_root(*model_, body, loose, before);
  set_root_motion(before, motion.X_WH, motion.V_H, state_before);

  ContactEvent event;
  event.time = state_.time;
  event.normal_W = settings_.ground.normal;
  event.root = root_frame();

  // push-off of the foot that leaves
  Impact result;
  if (support_foot_ >= 0 && settings_.push_off.impulse != 0) {
    const Frame& trailing = model_->frames[settings_.feet[support_foot_].frame];
    const Frame& towards = model_->frames[settings_.push_off.towards];
    const Transform<double> X_WH = body_motion(*model_, tree_, state_, trailing.body).X_WH;
    const Vec3<double> from_W = X_WH * trailing.X_HF.p;
    const Vec3<double> to_W = body_motion(*model_, tree_, state_, towards.body).X_WH *
                              towards.X_HF.p;
    const Vec3<double> impulse_W = (to_W - from_W) *
                                   (settings_.push_off.impulse / norm(to_W - from_W));
    const Vec3<double> impulse_H = transpose_times(X_WH.R, impulse_W);
    const Push push{trailing.body, {cross(trailing.X_HF.p, impulse_H), impulse_H}};
    event.kind = EventKind::kPushOff;
    event.frame = settings_.feet[support_foot_].frame;
    event.point_W = from_W;
    event.velocity_before_W = point_velocity(before, state_before, trailing.body, from_W);
    State pushed = state_before;
    const Status status = jump(before, state_before, before, &push, pushed, result);
    if (status != Status::kOk) return status;
    state_before = pushed;
    event.velocity_after_W = point_velocity(before, state_before, trailing.body, from_W);
    event.impulse_W = impulse_W;
    event.energy_lost = result.energy_lost();
    events_.push(event);
  }

  // the same robot held by its new support
  Tree after = before;
  change_root(*model_, body, held, after);
  State state = state_;
  set_root_motion(after, motion.X_WH, motion.V_H, state);
  const Status status = jump(before, state_before, after, nullptr, state, result);
  if (status != Status::kOk) return status;

  const int lifted = support_foot_;
  tree_ = after;
  state_ = state;
  support_foot_ = foot;
  foot_armed_[foot] = false;

  event.kind = EventKind::kTouchdown;
  event.frame = f.frame;
  event.point_W = point_W;
  event.velocity_before_W = velocity_before;
  event.velocity_after_W = point_velocity(tree_, state_, body, point_W);
  event.impulse_W = result.impulse_W.f;
  event.energy_lost = result.energy_lost();
  event.root = root_frame();
  events_.push(event);

  if (lifted >= 0 && lifted != foot) {
    foot_armed_[lifted] = false;
    ContactEvent liftoff;
    liftoff.time = state_.time;
    liftoff.kind = EventKind::kLiftoff;
    liftoff.frame = settings_.feet[lifted].frame;
    liftoff.point_W = contact_point(lifted, state_);
    liftoff.normal_W = settings_.ground.normal;
    const BodyId lifted_body = model_->frames[liftoff.frame].body;
    liftoff.velocity_after_W = point_velocity(tree_, state_, lifted_body, liftoff.point_W);
    liftoff.root = root_frame();
    events_.push(liftoff);
    release_stops(lifted);
  }
  return Status::kOk;
}

Status Simulator::hit_stop(int index) noexcept {
  const Stop& stop = settings_.stops[index];
  const Joint& joint = model_->joints[stop.joint];
  const double limit = stop.at_lower ? joint.limits.lower : joint.limits.upper;
  Tree after = tree_;
  lock_joint(*model_, stop.joint, limit, after);
  State state = state_;
  settle_locked(*model_, after, state);
  Impact result;
  const Status status = jump(tree_, state_, after, nullptr, state, result);
  if (status != Status::kOk) return status;
  tree_ = after;
  state_ = state;
  stop_armed_[index] = false;

  ContactEvent event;
  event.time = state_.time;
  event.kind = EventKind::kStop;
  event.joint = stop.joint;
  event.frame = model_->bodies[static_cast<int>(stop.joint)].link;
  event.point_W = body_motion(*model_, tree_, state_, BodyId(stop.joint)).X_WH.p;
  event.impulse_W = result.impulse_W.f;
  event.energy_lost = result.energy_lost();
  event.root = root_frame();
  events_.push(event);
  return Status::kOk;
}

void Simulator::release_stops(int lifted_foot) noexcept {
  for (int i = 0; i < settings_.stop_count; ++i) {
    const Stop& stop = settings_.stops[i];
    if (stop.release_foot != lifted_foot || !tree_.locked[stop.joint]) continue;
    release_joint(*model_, stop.joint, tree_);
    stop_armed_[i] = false;
    ContactEvent event;
    event.time = state_.time;
    event.kind = EventKind::kRelease;
    event.joint = stop.joint;
    event.frame = model_->bodies[static_cast<int>(stop.joint)].link;
    event.point_W = body_motion(*model_, tree_, state_, BodyId(stop.joint)).X_WH.p;
    event.root = root_frame();
    events_.push(event);
  }
}

void Simulator::fall(FrameId frame) noexcept {
  const Frame& f = model_->frames[frame];
  ContactEvent event;
  event.time = state_.time;
  event.kind = EventKind::kFall;
  event.frame = frame;
  event.point_W = body_motion(*model_, tree_, state_, f.body).X_WH * f.X_HF.p;
  event.normal_W = settings_.ground.normal;
  event.velocity_before_W = point_velocity(tree_, state_, f.body, event.point_W);
  event.root = root_frame();
  events_.push(event);
  fallen_ = true;
}

// ---- observers

Vec3<double> Simulator::point_velocity(const Tree& tree, const State& state, BodyId body,
                                       const Vec3<double>& p_W) const noexcept {
  const PoseTwist motion = body_motion(*model_, tree, state, body);
  const Vec3<double> p_H = transpose_times(motion.X_WH.R, p_W - motion.X_WH.p);
  return motion.X_WH.R * (motion.V_H.v + cross(motion.V_H.w, p_H));
}

FrameId Simulator::root_frame() const noexcept {
  return support_foot_ < 0 ? FrameId() : settings_.feet[support_foot_].frame;
}

std::uint64_t Simulator::hash() const noexcept {
  std::uint64_t h = 14695981039346656037u;  // FNV-1a over 64-bit words
  const auto mix = [&](std::uint64_t word) { h = (h ^ word) * 1099511628211u; };
  mix(std::bit_cast<std::uint64_t>(state_.time));
  for (int i = 0; i < model_->coordinate_count; ++i) mix(std::bit_cast<std::uint64_t>(state_.q[i]));
  for (int i = 0; i < model_->dof_count; ++i) mix(std::bit_cast<std::uint64_t>(state_.v[i]));
  mix(static_cast<std::uint64_t>(support_foot_) + 1);
  return h;
}

}  // namespace stance
