#include "stance_core/contact/collide.hpp"

#include <algorithm>
#include <cmath>

#include "dynamics/limb_walk.hpp"
#include "dynamics/mimic.hpp"
#include "processor/kernels.hpp"

namespace stance {
namespace {

constexpr int kHalvings = 30;          // of the interval in which the largest share lies
constexpr double kEnergySlack = 1e-12; // of the energy that the impulses move

// Energy lost, and what the impulses moved in all.
struct Work {
  double lost = 0, moved = 0;
};
Work work_of(const Delassus& d, const RowVector& before, const RowVector& p) noexcept {
  Work work;
  for (int k = 0; k < d.count; ++k) {
    double gained = 0;
    for (int i = 0; i < d.count; ++i) gained += d.G[k][i] * p[i];
    work.lost -= p[k] * (before[k] + 0.5 * gained);
    work.moved += std::abs(p[k] * before[k]) + std::abs(p[k] * gained);
  }
  return work;
}

void begin(RowSystem& r) noexcept {
  for (ContactRows& c : r.contact_rows()) {
    c.mode = ContactMode::kStick;
    c.slides = false;
    c.preload = 0;
  }
}

// (1) with all restitutions times `share`.
void newton(const Tree& tree, const Workspace& w, const RowVector& before,
            std::span<const double> restitution, double share, RowSystem& r) noexcept {
  begin(r);
  r.d.c = before;
  for (int k = 0; k < r.contact_count; ++k) {
    const int n = r.contacts[k].row;
    r.d.c[n] += share * restitution[static_cast<std::size_t>(k)] * std::min(before[n], 0.0);
  }
  r.result = find_modes(tree, w, r.d, r.contact_rows(), r.stage, r.lambda);
}

// (2) and (3)
void poisson(const Tree& tree, const Workspace& w, const RowVector& before,
             std::span<const double> restitution, double share, RowSystem& r) noexcept {
  newton(tree, w, before, restitution, 0, r);
  if (r.result.answer == ContactAnswer::kNone || r.result.answer == ContactAnswer::kInconsistent)
    return;
  const RowVector compression = r.lambda;
  RowVector given{};
  begin(r);
  bool any = false;
  for (int k = 0; k < r.contact_count; ++k) {
    ContactRows& c = r.contacts[k];
    c.preload = share * restitution[static_cast<std::size_t>(k)] * std::max(compression[c.row], 0.0);
    given[c.row] = c.preload;
    any |= c.preload > 0;
  }
  if (!any) {
    r.lambda = compression;
    return;
  }
  for (int k = 0; k < r.d.count; ++k) {
    r.d.c[k] = before[k];
    for (int i = 0; i < r.d.count; ++i) r.d.c[k] += r.d.G[k][i] * (compression[i] + given[i]);
  }
  r.result = find_modes(tree, w, r.d, r.contact_rows(), r.stage, r.lambda);
  for (int k = 0; k < r.d.count; ++k) r.lambda[k] += compression[k] + given[k];
}

}  // namespace

Status collide(const Model& model, const Tree& tree, ImpactLaw law,
               std::span<const double> restitution, RowSystem& r, Workspace& w, State& state,
               Collision& collision) noexcept {
  // velocities of the rows before; aba at rest then overwrites those of the bodies
  RowVector before{};
  PerDof<double> x{};
  for (const int i : tree.bodies()) {
    const Link& link = tree.links[i];
    accelerations_to_walk(link, w.X_J[i], &state.v[link.v_index], &x[link.dof]);
  }
  for (int k = 0; k < r.row_count; ++k) before[k] = row_motion(r.rows[k], w.v, x);

  State rest = state;
  for (int i = 0; i < model.dof_count; ++i) rest.v[i] = 0;
  const DofVector no_effort{};
  PerDof<double> unused;
  const Walk walk = plain_walk(tree);
  if (const Status status = kernels(model.processor)
                                .aba(model, tree, walk, rest, no_effort, {}, w, unused);
      status != Status::kOk)
    return status;
  build_delassus(tree, w, {r.rows.data(), static_cast<std::size_t>(r.row_count)}, r.d);

  const auto solve = [&](double share) {
    if (law == ImpactLaw::kPoisson) {
      poisson(tree, w, before, restitution, share, r);
    } else {
      newton(tree, w, before, restitution, share, r);
    }
    if (r.result.answer == ContactAnswer::kInconsistent) return Status::kInconsistent;
    if (r.result.answer == ContactAnswer::kNone) return Status::kNoContactForce;
    return Status::kOk;
  };
  const auto keeps_energy = [&] {
    const Work work = work_of(r.d, before, r.lambda);
    return work.lost >= -kEnergySlack * work.moved;
  };
  collision = {};
  if (const Status status = solve(1); status != Status::kOk) return status;
  if (!keeps_energy()) {
    double low = 0, high = 1;
    for (int k = 0; k < kHalvings; ++k) {
      const double middle = 0.5 * (low + high);
      if (solve(middle) == Status::kOk && keeps_energy()) {
        low = middle;
      } else {
        high = middle;
      }
    }
    if (const Status status = solve(low); status != Status::kOk) return status;
    collision.share = low;
  }
  collision.energy_lost = work_of(r.d, before, r.lambda).lost;
  collision.residual = r.result.residual;
  respond(tree, w, r.d, r.lambda, x);
  return accelerations_out(tree, walk.trunk, w, x, state.v);
}

}  // namespace stance
