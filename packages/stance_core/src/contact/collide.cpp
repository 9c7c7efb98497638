#include "stance_core/contact/collide.hpp"

#include <algorithm>
#include <cmath>

#include "dynamics/limb_walk.hpp"
#include "dynamics/mimic.hpp"
#include "processor/kernels.hpp"
#include "stance_core/dynamics/kinematics.hpp"

namespace stance {
namespace {

constexpr int kHalvings = 30;           // of the interval in which the largest share lies
constexpr double kEnergySlack = 1e-12;  // of the energy that the impulses move
constexpr int kRefinements = 2;

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
    c.leaves = false;
  }
}

// (1) with all restitutions times `share`.
void newton(const Tree& tree, const Workspace& w, const RowVector& before,
            std::span<const double> restitution, double share, NoMode otherwise,
            RowSystem& r) noexcept {
  begin(r);
  r.d.c = before;
  for (int k = 0; k < r.contact_count; ++k) {
    const int n = r.contacts[k].row;
    r.d.c[n] += share * restitution[static_cast<std::size_t>(k)] * std::min(before[n], 0.0);
  }
  r.result = find_modes(tree, w, r.d, r.contact_rows(), r.stage, r.lambda, otherwise);
}

// (2) and (3)
void poisson(const Tree& tree, const Workspace& w, const RowVector& before,
             std::span<const double> restitution, double share, RowSystem& r) noexcept {
  newton(tree, w, before, restitution, 0, NoMode::kRefuse, r);
  if (r.result.answer == ContactAnswer::kNone || r.result.answer == ContactAnswer::kInconsistent)
    return;
  const RowVector compression = r.lambda;
  const auto preload = [&](int k) {
    return share * restitution[static_cast<std::size_t>(k)] *
           std::max(compression[r.contacts[k].row], 0.0);
  };
  bool any = false;
  for (int k = 0; k < r.contact_count; ++k) any |= preload(k) > 0;
  if (!any) return;
  begin(r);
  RowVector given{};
  for (int k = 0; k < r.contact_count; ++k) {
    ContactRows& c = r.contacts[k];
    given[c.row] = c.preload = preload(k);
    c.leaves = c.preload > 0;
  }
  for (int k = 0; k < r.d.count; ++k) {
    r.d.c[k] = before[k];
    for (int i = 0; i < r.d.count; ++i) r.d.c[k] += r.d.G[k][i] * (compression[i] + given[i]);
  }
  r.result = find_modes(tree, w, r.d, r.contact_rows(), r.stage, r.lambda);
  for (int k = 0; k < r.d.count; ++k) r.lambda[k] += compression[k] + given[k];
}

}  // namespace

// Velocities of the joints in walking order, and of the rows; then the factors of the robot at rest, and G.
static Status prepare(const Model& model, const Tree& tree, const State& state, RowSystem& r,
                      Workspace& w, PerDof<double>& x, RowVector& before) noexcept {
  for (const int i : tree.bodies()) {
    const Link& link = tree.links[i];
    accelerations_to_walk(link, w.X_J[i], &state.v[link.v_index], &x[link.dof]);
  }
  r.d.size = size_of(tree, x);
  for (int k = 0; k < r.row_count; ++k) before[k] = row_motion(r.rows[k], w.v, x);
  // aba at rest overwrites the velocities of the bodies
  State rest = state;
  for (int i = 0; i < model.dof_count; ++i) rest.v[i] = 0;
  const DofVector no_effort{};
  PerDof<double> unused;
  const Status status =
      kernels(model.processor).aba(model, tree, plain_walk(tree), rest, no_effort, {}, w, unused);
  if (status == Status::kOk)
    build_delassus(tree, w, {r.rows.data(), static_cast<std::size_t>(r.row_count)}, r.d);
  return status;
}

// Impulses are rounded to 1e-16 of the largest of them, and a foot of 1e-8 kg on a robot of 1e4 kg moves by that. What the
// rows that hold have left of their velocities is taken away by the same rows again: the corrections are as small as what
// they mend, and so is their rounding.
static Status refine(const Model& model, const Tree& tree, ImpactLaw law, const RowVector* offset,
                     const RowVector& before, RowSystem& r, Workspace& w, PerDof<double>& x,
                     State& state) noexcept {
  // what the rows were asked for: Newton's law has it in c; after Poisson's what does not leave is at rest
  RowVector asked{};
  if (law == ImpactLaw::kNewton) {
    for (int k = 0; k < r.row_count; ++k) asked[k] = before[k] - r.d.c[k];
  }
  for (ContactRows& c : r.contact_rows()) c.slides = true, c.preload = 0;
  for (int pass = 0; pass < kRefinements; ++pass) {
    kinematics(model, tree, state, w);
    for (int k = 0; k < r.row_count; ++k) {
      r.d.c[k] = row_motion(r.rows[k], w.v, x) - asked[k];
      if (offset != nullptr) r.d.c[k] += (*offset)[k];
    }
    RowVector correction;
    const FrictionResult result = solve_given(tree, w, r.d, r.contact_rows(), r.stage, correction);
    if (result.answer == ContactAnswer::kInconsistent)
      break;  // rounding of rows that depend on each other
    for (int k = 0; k < r.row_count; ++k) r.lambda[k] += correction[k];
    respond(tree, w, r.d, correction, x);
    if (const Status status = accelerations_out(tree, tree.bodies(), w, x, state.v);
        status != Status::kOk)
      return status;
  }
  return Status::kOk;
}

Status push(const Model& model, const Tree& tree, int row, double impulse, RowSystem& r,
            Workspace& w, State& state) noexcept {
  PerDof<double> x{};
  RowVector before{};
  if (const Status status = prepare(model, tree, state, r, w, x, before); status != Status::kOk)
    return status;
  // the gears hold: rows before `row`
  std::array<int, kMaxRows> gears;
  for (int k = 0; k < row; ++k) gears[k] = k, r.d.c[k] = r.d.G[k][row] * impulse;
  int rank = 0;
  if (solve_rows(tree, w, r.d, {gears.data(), static_cast<std::size_t>(row)}, r.stage, r.lambda,
                 rank) == RowsAnswer::kInconsistent)
    return Status::kInconsistent;
  r.lambda[row] = impulse;
  respond(tree, w, r.d, r.lambda, x);
  return accelerations_out(tree, tree.bodies(), w, x, state.v);
}

Status collide(const Model& model, const Tree& tree, ImpactLaw law,
               std::span<const double> restitution, RowSystem& r, Workspace& w, State& state,
               Collision& collision, const RowVector* offset) noexcept {
  PerDof<double> x{};
  RowVector before{};
  if (const Status status = prepare(model, tree, state, r, w, x, before); status != Status::kOk)
    return status;
  if (offset != nullptr) {
    for (int k = 0; k < r.row_count; ++k) before[k] += (*offset)[k];
  }

  const auto solve = [&](double share) {
    if (law == ImpactLaw::kPoisson) {
      poisson(tree, w, before, restitution, share, r);
    } else {
      newton(tree, w, before, restitution, share, offset ? NoMode::kNearest : NoMode::kRefuse, r);
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
  if (offset == nullptr && !keeps_energy()) {
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
  if (const Status status = accelerations_out(tree, tree.bodies(), w, x, state.v);
      status != Status::kOk)
    return status;
  // forces that are not those of a mode have nothing to be refined to
  if (r.result.swept) return Status::kOk;
  return refine(model, tree, law, offset, before, r, w, x, state);
}

}  // namespace stance
