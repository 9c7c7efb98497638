// Flow: the motion between two instants, under the mode as it stands.
//
// The root's foot is held by its joint, for nothing. Every other foot that sticks gives rows for its sites together, every
// site that slides a normal row with its friction, every joint that presses against its stop a row. Past the end of its mode
// each law goes on smoothly (a contact may pull, friction keep its direction while the slip turns back), so that the guards
// have a sign to change and the integrator an order to keep.
#include <algorithm>
#include <cmath>

#include "dynamics/mimic.hpp"
#include "hybrid/integrator_kernel.hpp"
#include "hybrid/tolerances.hpp"
#include "stance_core/dynamics/aba.hpp"
#include "stance_core/dynamics/kinematics.hpp"
#include "stance_core/dynamics/momentum.hpp"
#include "stance_core/hybrid/simulator.hpp"

namespace stance {

struct Simulator::Field {
  Simulator& simulator;
  bool first = true;

  Status operator()(const State& state, int stage, DofVector& a) noexcept {
    Draft& d = simulator.draft_;
    const Status status = simulator.accelerate(state, *d.tau, d.f_ext, d.stages[stage], a);
    if (first) d.load_before = d.stages[stage];
    first = false;
    return status;
  }
  void add(int stage, double weight) noexcept {
    const Load& from = simulator.draft_.stages[stage];
    Load& to = simulator.draft_.sum;
    for (int i = 0; i < simulator.site_count_; ++i) to.force_W[i] += from.force_W[i] * weight;
    to.efforts += weight * from.efforts;
    to.damping += weight * from.damping;
    to.friction += weight * from.friction;
    to.pushes += weight * from.pushes;
  }
};

Status Simulator::integrate_over(double h, State& state) noexcept {
  ++work_.integrations;
  draft_.sum = {};
  Field field{*this};
  return integrate_field(*model_, tree_, field, settings_.integrator, h, state);
}

// The whole rest of the step, or as much of it as slip allows: the direction of friction turns with that of the slip, which a
// light foot may change within a small part of a step. What energy a flow gains that nobody brought in is the integrator's
// error; a flow that slips and leaves too much is halved.
// With inputs that the mode has not been found for, it may be one that the forces at the start forbid: then that is due at
// once.
Status Simulator::flow(bool& due) noexcept {
  Draft& d = draft_;
  const bool watched = slips();
  if (watched) {
    d.energy_here = kinetic_energy(tree_, d.state, workspace_) +
                    potential_energy(*model_, tree_, workspace_);
  }
  d.flowed = watched ? std::min(d.piece, d.rest) : d.rest;
  for (;;) {
    d.next = d.state;
    if (const Status status = integrate_over(d.flowed, d.next); status != Status::kOk)
      return status;
    due = !d.modes_are_found && forces_forbid();
    if (due || !watched || d.halvings >= kMaxHalvings || !leaves_energy()) break;
    ++d.halvings;
    d.flowed *= 0.5;
    d.piece = d.flowed;
  }
  if (due) {
    d.flowed = 0;
    kinematics(*model_, tree_, d.state, workspace_);
  } else {
    evaluate_forces(d.load_before, &Guard::start);
    for (int k = 0; k < d.guard_count; ++k) {
      Guard& guard = d.guards[k];
      guard.off = guard.reads_force() && guard.start <= 0;
    }
  }
  return Status::kOk;
}

bool Simulator::slips() const noexcept {
  if (settings_.integrator.method == Method::kSemiImplicitEuler) return false;
  for (int i = 0; i < site_count_; ++i)
    if (mode_.sites[i].mode == ContactMode::kSlide) return true;
  return false;
}

// Is the energy at the end of the flow another than its powers explain?
bool Simulator::leaves_energy() noexcept {
  const Draft& d = draft_;
  kinematics(*model_, tree_, d.next, workspace_);
  const double kinetic = kinetic_energy(tree_, d.next, workspace_);
  const double gained = kinetic + potential_energy(*model_, tree_, workspace_) - d.energy_here;
  const double brought = d.sum.efforts + d.sum.pushes - d.sum.damping - d.sum.friction;
  return std::abs(gained - brought) > kSlipEnergy * std::max(kinetic, weight_ * kSlipFloor);
}

void Simulator::take_flow() noexcept {
  Draft& d = draft_;
  d.state = d.next;
  d.piece = 2 * d.flowed;
  d.rest -= d.flowed;
  for (int i = 0; i < site_count_; ++i) d.impulses[i] += d.sum.force_W[i];
  d.energy.efforts += d.sum.efforts;
  d.energy.damping += d.sum.damping;
  d.energy.friction += d.sum.friction;
  d.energy.pushes += d.sum.pushes;
}

// ---- rows of the mode

bool Simulator::has_rows() const noexcept {
  if (settings_.loop_count > 0) return true;
  for (int i = 0; i < site_count_; ++i) {
    const ContactMode mode = mode_.sites[i].mode;
    if (mode == ContactMode::kSlide) return true;
    if (mode == ContactMode::kStick && sites_[i].foot != mode_.root_foot) return true;
  }
  for (int k = 0; k < settings_.stop_count; ++k) {
    if (mode_.stops[k] == StopMode::kPressed) return true;
  }
  // gears whose joints are apart are rows: the support's force is to know of them
  return mode_.root_foot >= 0 && model_->mimic_count > 0 && !model_->gears_are_joined;
}

Sole Simulator::sticking_sole(int foot, std::array<int, kMaxCorners>& which) const noexcept {
  std::array<Vec3<double>, kMaxCorners> points;
  int count = 0;
  for (int i = first_site_[foot]; i < first_site_[foot + 1]; ++i) {
    if (mode_.sites[i].mode != ContactMode::kStick) continue;
    which[count] = i;
    points[count++] = center_of(i) - frame_.normal * sites_[i].point.radius;
  }
  return make_sole(sites_[first_site_[foot]].point.body, points.data(), count, frame_, planar());
}

std::array<double, 2> Simulator::slide_direction(int site, const Vec3<double>& u_W) const noexcept {
  const std::array<double, 2>& d = mode_.sites[site].d;
  const double u1 = dot(frame_.t1, u_W), u2 = planar() ? 0 : dot(frame_.t2, u_W);
  const double speed = std::hypot(u1, u2);
  if (speed <= kStill || u1 * d[0] + u2 * d[1] <= 0) return d;
  return {u1 / speed, u2 / speed};
}

// What holds whatever the force comes first: loops and gears. Needs kinematics of this tree.
Status Simulator::add_holding_rows(const Tree& tree) noexcept {
  RowSystem& r = rows_;
  r.clear();
  if (settings_.loop_count == 0) {
    add_gears(*model_, tree, r);
    return Status::kOk;
  }
  if (!closure_rows(*model_, tree, workspace_, loops(), keeper_.rows)) return Status::kFull;
  for (int k = 0; k < keeper_.rows.count; ++k) r.rows[r.row_count++] = keeper_.rows.rows[k];
  return Status::kOk;
}

// Needs kinematics.
Status Simulator::add_mode_rows() noexcept {
  const Workspace& w = workspace_;
  RowSystem& r = rows_;
  if (const Status status = add_holding_rows(tree_); status != Status::kOk) return status;
  const auto room = [&](int count) { return r.row_count + count <= kMaxRows; };
  for (int f = 0; f < settings_.foot_count; ++f) {
    soles_[f].count = 0;
    sole_row_[f] = r.row_count;
    if (f == mode_.root_foot) continue;
    const int first = first_site_[f];
    if (first_site_[f + 1] - first == 1) {  // with a radius, maybe
      if (mode_.sites[first].mode != ContactMode::kStick) continue;
      if (const Status status = add_site_rows(first); status != Status::kOk) return status;
      continue;
    }
    Sole sole = sticking_sole(f, sole_sites_[f]);
    if (sole.count == 0) continue;
    if (!room(sole.row_count())) return Status::kFull;
    sole_rows(*model_, w, sole, &r.rows[r.row_count]);
    r.row_count += sole.row_count();
    soles_[f] = sole;
  }
  for (int k = 0; k < settings_.stop_count; ++k) {
    stop_row_[k] = r.row_count;
    if (mode_.stops[k] != StopMode::kPressed) continue;
    if (!room(1)) return Status::kFull;
    r.rows[r.row_count++] = stop_row(k);
  }
  for (int i = 0; i < site_count_; ++i) {
    site_contact_[i] = -1;
    if (mode_.sites[i].mode != ContactMode::kSlide) continue;
    const ContactPoint& p = sites_[i].point;
    const int k = add_contact(*model_, tree_, w, p, frame_, tangents(), r);
    if (k < 0) return Status::kFull;
    site_contact_[i] = k;
    ContactRows& c = r.contacts[k];
    c.mu_static = material(i).mu_static, c.mu_kinetic = material(i).mu_kinetic;
    c.mode = ContactMode::kSlide;
    c.slides = true;
    c.d = slide_direction(i, contact_motion(*model_, tree_, w, p, frame_.normal).velocity_W);
  }
  return Status::kOk;
}

Row Simulator::stop_row(int stop) const noexcept {
  Row row = joint_row(tree_, settings_.stops[stop].joint);
  if (!settings_.stops[stop].at_lower) row.efforts[0].share = -row.efforts[0].share;
  return row;
}

// ---- the question

Status Simulator::accelerate(const State& state, const DofVector& tau,
                             std::span<const Force<double>> f_ext, Load& load,
                             DofVector& a) noexcept {
  Workspace& w = workspace_;
  DofVector effort;
  load.efforts = load.damping = load.friction = load.pushes = 0;
  for (int k = 0; k < model_->dof_count; ++k) {
    const double v = state.v[k], drag = model_->damping[k] * v;
    effort[k] = tau[k] - drag;
    load.efforts += tau[k] * v;
    load.damping += drag * v;
  }
  if (!has_rows()) {
    rows_.clear();
    rows_.d.count = 0;
    if (const Status status = aba_lanes(*model_, tree_, state, effort, f_ext, w, a);
        status != Status::kOk)
      return status;
    // all that read_loads needs of the root's kinematics
    w.X_WB[tree_.root] = w.X_PB[tree_.root];
  } else {
    kinematics(*model_, tree_, state, w);
    if (const Status status = add_mode_rows(); status != Status::kOk) return status;
    if (const Status status = forward_dynamics(*model_, tree_, state, effort, f_ext, Modes::kGiven,
                                               rows_, w, a);
        status != Status::kOk)
      return status;
  }
  if (!f_ext.empty()) load.pushes = push_power(state, f_ext);
  read_loads(load);
  return Status::kOk;
}

double Simulator::push_power(const State& state,
                             std::span<const Force<double>> f_ext) const noexcept {
  double power = 0;
  for (int i = 0; i < model_->body_count; ++i) {
    const Force<double>& f = f_ext[static_cast<std::size_t>(i)];
    if (f == Force<double>{}) continue;
    power += dot(f, body_motion(*model_, tree_, state, BodyId(i)).V_H);
  }
  return power;
}

// The forces on the sites, from those of the rows and of the support.
void Simulator::read_loads(Load& load) noexcept {
  const Workspace& w = workspace_;
  const RowSystem& r = rows_;
  for (int i = 0; i < site_count_; ++i) load.force_W[i] = {};
  for (int k = 0; k < settings_.stop_count; ++k)
    load.stop[k] = mode_.stops[k] == StopMode::kPressed ? r.lambda[stop_row_[k]] : 0;
  if (r.row_count > 0) {
    std::array<Vec3<double>, kMaxCorners> corner;
    for (int f = 0; f < settings_.foot_count; ++f) {
      if (f == mode_.root_foot) continue;
      const int first = first_site_[f];
      if (first_site_[f + 1] - first == 1) {
        if (mode_.sites[first].mode != ContactMode::kStick) continue;
        const double* lambda = &r.lambda[sole_row_[f]];
        load.force_W[first] = frame_.normal * lambda[0] + frame_.t1 * lambda[1];
        if (!planar()) load.force_W[first] += frame_.t2 * lambda[2];
      } else if (soles_[f].count > 0) {
        sole_forces(soles_[f], &r.lambda[sole_row_[f]], corner.data());
        for (int k = 0; k < soles_[f].count; ++k) load.force_W[sole_sites_[f][k]] = corner[k];
      }
    }
    for (int i = 0; i < site_count_; ++i) {
      if (site_contact_[i] < 0 || mode_.sites[i].mode != ContactMode::kSlide) continue;
      const Vec3<double> f = contact_force(r, site_contact_[i], frame_);
      load.force_W[i] = f;
      const Vec3<double> u =
          contact_motion(*model_, tree_, w, sites_[i].point, frame_.normal).velocity_W;
      load.friction -= dot(f, u);
    }
  }
  if (mode_.root_foot < 0) return;
  const Force<double> support = support_force(tree_, w, r.d, r.lambda);
  const Transform<double>& X_WB = w.X_WB[tree_.root];
  const Vec3<double> F = X_WB.R * support.f;
  const int first = first_site_[mode_.root_foot];
  if (first_site_[mode_.root_foot + 1] - first == 1) {
    load.force_W[first] = F;
    return;
  }
  std::array<int, kMaxCorners> which;
  std::array<Vec3<double>, kMaxCorners> corner;
  const Sole sole = sticking_sole(mode_.root_foot, which);
  share(sole, F, X_WB.R * support.n + cross(X_WB.p - sole.center_W, F), corner.data());
  for (int k = 0; k < sole.count; ++k) load.force_W[which[k]] = corner[k];
}

Status Simulator::observe(const DofVector& tau, std::span<const Force<double>> f_ext, DofVector& a,
                          Load& load) noexcept {
  kinematics(*model_, tree_, state_, workspace_);
  DofVector effort;
  for (int k = 0; k < model_->dof_count; ++k) effort[k] = tau[k] - model_->damping[k] * state_.v[k];
  load = {};
  if (const Status status = add_mode_rows(); status != Status::kOk) return status;
  if (const Status status = forward_dynamics(*model_, tree_, state_, effort, f_ext, Modes::kGiven,
                                             rows_, workspace_, a);
      status != Status::kOk)
    return status;
  read_loads(load);
  return Status::kOk;
}

Status Simulator::predict(const Tree& tree, const DofVector& tau,
                          std::span<const Force<double>> f_ext, DofVector& a) noexcept {
  // not in lanes: they have armatures of their own
  if (!has_rows()) return aba(*model_, tree, state_, tau, f_ext, workspace_, a);
  kinematics(*model_, tree_, state_, workspace_);
  if (const Status status = add_mode_rows(); status != Status::kOk) return status;
  return forward_dynamics(*model_, tree, state_, tau, f_ext, Modes::kGiven, rows_, workspace_, a);
}

// ---- drift

// Rows act on accelerations: of positions and velocities the integrator's error is left. It is taken away at the end of the
// step, with J the rows, res what the sites are off, and the Delassus matrix of the last evaluation:
//   (1) v += M⁻¹ Jᵀ mu, G mu = -J v        the nearest velocity in the metric of kinetic energy, which can only fall
//   (2) q moves by M⁻¹ Jᵀ nu, G nu = -res  the nearest position; its work is that of the sites' forces along res
Status Simulator::hold_together(State& state) noexcept {
  if (!has_rows()) return Status::kOk;
  RowSystem& r = rows_;
  Workspace& w = workspace_;
  if (settings_.integrator.method == Method::kSemiImplicitEuler || !needs_load()) {
    kinematics(*model_, tree_, state, w);  // else inspect() has done it
  }
  RowVector velocity{}, position{};
  double off = 0;
  const auto note = [&](int row, double v, double p) {
    velocity[row] = v, position[row] = p;
    off = std::max({off, std::abs(v), std::abs(p)});
  };
  for (int f = 0; f < settings_.foot_count; ++f) {
    if (f == mode_.root_foot) continue;
    const int first = first_site_[f], row = sole_row_[f];
    const auto displacement = [&](int i) {
      const SiteMode& site = mode_.sites[i];
      const Vec3<double> p_W = center_of(i) - frame_.normal * sites_[i].point.radius;
      Vec3<double> d = p_W - site.anchor_W;
      if (sites_[i].point.radius > 0) d = {};  // it rolls
      return d +
             frame_.normal * (settings_.ground.height(p_W) - site.height - dot(frame_.normal, d));
    };
    const auto speed = [&](int i) {
      return contact_motion(*model_, tree_, w, sites_[i].point, frame_.normal).velocity_W;
    };
    if (first_site_[f + 1] - first == 1) {
      if (mode_.sites[first].mode != ContactMode::kStick) continue;
      const Vec3<double> u = speed(first), d = displacement(first);
      note(row, dot(frame_.normal, u), dot(frame_.normal, d));
      note(row + 1, dot(frame_.t1, u), dot(frame_.t1, d));
      if (!planar()) note(row + 2, dot(frame_.t2, u), dot(frame_.t2, d));
      continue;
    }
    const Sole& sole = soles_[f];
    if (sole.count == 0) continue;
    std::array<Vec3<double>, kMaxCorners> u, d;
    for (int k = 0; k < sole.count; ++k)
      u[k] = speed(sole_sites_[f][k]), d[k] = displacement(sole_sites_[f][k]);
    std::array<double, 6> u_rows, d_rows;
    sole_motion(sole, u.data(), u_rows.data());
    sole_motion(sole, d.data(), d_rows.data());
    for (int k = 0; k < sole.row_count(); ++k) note(row + k, u_rows[k], d_rows[k]);
  }
  for (int k = 0; k < settings_.stop_count; ++k) {
    if (mode_.stops[k] != StopMode::kPressed) continue;
    const Joint& joint = model_->joints[settings_.stops[k].joint];
    const double sign = settings_.stops[k].at_lower ? 1 : -1;
    note(stop_row_[k], sign * state.v[joint.v_index], stop_gap(k, state));
  }
  std::array<int, kMaxRows> active;
  int count = 0;
  const int first_contact = r.contact_count > 0 ? r.contacts[0].row : r.row_count;
  for (int k = 0; k < first_contact; ++k) active[count++] = k;
  for (int i = 0; i < site_count_; ++i) {
    if (mode_.sites[i].mode != ContactMode::kSlide || site_contact_[i] < 0) continue;
    const int row = r.contacts[site_contact_[i]].row;
    active[count++] = row;
    const Vec3<double> u =
        contact_motion(*model_, tree_, w, sites_[i].point, frame_.normal).velocity_W;
    note(row, dot(frame_.normal, u),
         gap(center_of(i), sites_[i].point.radius) - mode_.sites[i].height);
  }
  if (off < kHeldTogether) return Status::kOk;
  const std::span<const int> rows(active.data(), static_cast<std::size_t>(count));
  RowVector lambda;
  int rank = 0;
  const auto answer = [&](const RowVector& residual, DofVector& change) {
    for (int k = 0; k < r.row_count; ++k) r.d.c[k] = residual[k];
    // rows that depend on each other may be off by what cannot be mended: the nearest
    (void)solve_rows(tree_, w, r.d, rows, r.stage, lambda, rank);
    PerDof<double> x{};
    respond(tree_, w, r.d, lambda, x);
    change = {};
    return accelerations_out(tree_, tree_.bodies(), w, x, change);
  };
  DofVector change;
  if (const Status status = answer(velocity, change); status != Status::kOk) return status;
  for (int k = 0; k < model_->dof_count; ++k) state.v[k] += change[k];
  for (int k = 0; k < count; ++k)
    draft_.energy.holding += 0.5 * lambda[active[k]] * velocity[active[k]];
  if (const Status status = answer(position, change); status != Status::kOk) return status;
  move_positions(*model_, tree_, change, 1, state);
  return Status::kOk;
}

}  // namespace stance
