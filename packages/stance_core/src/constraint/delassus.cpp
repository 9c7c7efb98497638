#include "stance_core/constraint/delassus.hpp"

#include <algorithm>
#include <cmath>

#include "stance_core/dynamics/aba.hpp"
#include "stance_core/dynamics/joint_axes.hpp"

namespace stance {
namespace {

// y = W⁻ᵀ Jᵀ: the row's force carried to the root, giving each axis its share. Returns what arrives there.
Force<double> carry_inward(const Tree& tree, const Workspace& w, const Row& row,
                           PerDof<double>& y) noexcept {
  Force<double> at_root;
  for (int d = 0; d < tree.dof_count; ++d) y[d] = 0;
  for (const Row::Effort& effort : row.efforts) {
    if (effort.dof >= 0) y[effort.dof] += effort.share;
  }
  // f is what remains of a force on `body`: axes answer, and take their part away
  const auto climb = [&](BodyId body, Force<double> f) {
    for (BodyId i = body; i.valid(); i = tree.links[i].parent) {
      const Link& link = tree.links[i];
      if (!link.parent.valid()) at_root += f;
      for_each_axis(link.kind, w, [&](auto axis, int j) {
        const int d = link.dof + j;
        y[d] += project(axis, f);
        f -= w.L[d] * y[d];
      });
      f = to_parent(w.X_PB[i], f);
    }
  };
  // an effort enters at its own axis, which passes -L y on: all bodies, in their order
  bool has_effort = false;
  for (const Row::Effort& effort : row.efforts) has_effort |= effort.dof >= 0;
  if (has_effort) {
    PerBody<Force<double>> f{};
    if (row.on.valid()) f[row.on] += row.F_on;
    if (row.from.valid()) f[row.from] += row.F_from;
    for (int k = tree.body_count - 1; k >= 0; --k) {
      const int i = tree.order[k];
      const Link& link = tree.links[i];
      if (!link.parent.valid()) at_root = f[i];
      for_each_axis(link.kind, w, [&](auto axis, int j) {
        const int d = link.dof + j;
        y[d] += project(axis, f[i]);
        f[i] -= w.L[d] * y[d];
      });
      if (link.parent.valid()) f[link.parent] += to_parent(w.X_PB[i], f[i]);
    }
    return at_root;
  }
  if (row.on.valid()) climb(row.on, row.F_on);
  if (row.from.valid()) {
    // y is linear in the force, but a climb reads what it wrote: one at a time, summed
    PerDof<double> first = y;
    for (int d = 0; d < tree.dof_count; ++d) y[d] = 0;
    climb(row.from, row.F_from);
    for (int d = 0; d < tree.dof_count; ++d) y[d] += first[d];
  }
  return at_root;
}

}  // namespace

void build_delassus(const Tree& tree, const Workspace& w, std::span<const Row> rows,
                    Delassus& d) noexcept {
  d.count = static_cast<int>(rows.size());
  PerDof<double> scaled;
  for (int k = 0; k < d.count; ++k) {
    d.at_root[k] = carry_inward(tree, w, rows[static_cast<std::size_t>(k)], d.Y[k]);
    for (int i = 0; i < tree.dof_count; ++i) scaled[i] = w.D_inverse[i] * d.Y[k][i];
    for (int r = 0; r <= k; ++r) {
      double sum = 0;
      for (int i = 0; i < tree.dof_count; ++i) sum += d.Y[r][i] * scaled[i];
      d.G[r][k] = d.G[k][r] = sum;
    }
  }
}

double size_of(const Tree& tree, const PerDof<double>& x) noexcept {
  constexpr double kPart = 1e-4;
  double most = 0;
  for (int i = 0; i < tree.dof_count; ++i) most = std::max(most, std::abs(x[i]));
  return kPart * most;
}

double row_motion(const Row& row, const PerBody<Motion<double>>& a,
                  const PerDof<double>& x) noexcept {
  double sum = 0;
  if (row.on.valid()) sum += dot(row.F_on, a[row.on]);
  if (row.from.valid()) sum += dot(row.F_from, a[row.from]);
  for (const Row::Effort& effort : row.efforts) {
    if (effort.dof >= 0) sum += effort.share * x[effort.dof];
  }
  return sum;
}

Force<double> support_force(const Tree& tree, const Workspace& w, const Delassus& d,
                            const RowVector& lambda) noexcept {
  Force<double> f = w.IA_root * w.a[tree.root] + w.pA_root;
  for (int k = 0; k < d.count; ++k) f -= d.at_root[k] * lambda[k];
  return f;
}

void respond(const Tree& tree, const Workspace& w, const Delassus& d, const RowVector& lambda,
             PerDof<double>& x) noexcept {
  PerDof<double> u;
  for (int i = 0; i < tree.dof_count; ++i) u[i] = 0;
  for (int k = 0; k < d.count; ++k) {
    for (int i = 0; i < tree.dof_count; ++i) u[i] += lambda[k] * d.Y[k][i];
  }
  aba_respond(tree, w, u);
  for (int i = 0; i < tree.dof_count; ++i) x[i] += u[i];
}

}  // namespace stance
