#include "stance_core/assembly/assemble.hpp"

#include <algorithm>

#include "assembly/joint_step.hpp"
#include "processor/kernels.hpp"

namespace stance {

Force<double> float_force(const Tree& tree, const DofVector& tau, const Workspace& w) noexcept {
  const Link& link = tree.links[tree.root];
  double f[6]{};
  efforts_to_walk(link, w.X_J[tree.root], &tau[link.v_index], f);
  return {{f[0], f[1], f[2]}, {f[3], f[4], f[5]}};
}

Status assemble(const Model& model, const Tree& tree, const Plan& plan, const DofVector& tau,
                std::span<const Force<double>> f_ext, Workspace& w,
                AssemblyMemory& memory) noexcept {
  const Kernels& compiled = kernels(model.processor);
  if (plan.floats) memory.float_force = float_force(tree, tau, w);
  for (std::size_t k = 0; k < plan.nodes.size(); ++k) {
    const Status status = compiled.assemble_node(model, tree, plan, static_cast<int>(k), tau, f_ext,
                                                 w, memory);
    if (status != Status::kOk) return status;
  }
  return Status::kOk;
}

namespace {

// A row as forces on bodies alone. An effort is a pair of them at its joint: with x = S · (a_i - X a_p - v) its
// acceleration, a unit of it puts S on i and -Xᵀ S on p, and -S · v goes into the bias.
struct RowForces {
  struct Side {
    int handle = 0;
    Column6 g{};
  };
  std::array<Side, 6> sides;
  int count = 0;
  double bias = 0;
};

RowForces forces_of(const Row& row, const Tree& tree, const Workspace& w,
                    const Response& robot) noexcept {
  RowForces out;
  out.bias = row.bias;
  const auto add = [&](BodyId body, const Force<double>& g) {
    if (body.valid()) out.sides[out.count++] = {robot.find(body), column6(g)};
  };
  add(row.on, row.F_on);
  add(row.from, row.F_from);
  for (const Row::Effort& effort : row.efforts) {
    if (effort.dof < 0) continue;
    int i = 0;
    while (!(tree.links[i].dof == effort.dof && dof_count(tree.links[i].kind) == 1)) ++i;
    Column6 S[6]{};
    free_axes(tree, i, w, S);
    const Force<double> g = force(S[0]) * effort.share;
    add(BodyId(i), g);
    add(tree.links[i].parent, -to_parent(w.X_PB[i], g));
    out.bias -= dot(g, w.c[i]);
  }
  return out;
}

// How far one unit of a row's force moves a body, whichever way it points: for a moment in all three directions, for a
// force in its own, as those of a closure come in threes.
double mobility(const Column6& g, const Matrix6& Lambda) noexcept {
  if (g[3] != 0 || g[4] != 0 || g[5] != 0) return dot(g, Lambda * g);
  return (g[0] * g[0] + g[1] * g[1] + g[2] * g[2]) *
         (Lambda.m[0][0] + Lambda.m[1][1] + Lambda.m[2][2]);
}

// What a response is rounded to, in parts of what the link would do by itself: all joints took their part from that.
constexpr double kRounding = 1e-14;

}  // namespace

Status close(const Model& model, const Tree& tree, const Plan& plan,
             std::span<const Closure> closures, const Workspace& w, AssemblyMemory& memory,
             ClosureForces& forces) noexcept {
  forces.rows = forces.rank = 0;
  for (Column6& f : memory.force) f = {};
  ClosureRows& rows = *memory.rows;
  if (!closure_rows(model, tree, w, closures, rows)) return Status::kFull;
  const int n = rows.count;
  if (n == 0) return Status::kOk;
  const Response robot = response({Side::kNode, static_cast<int>(plan.nodes.size()) - 1}, plan,
                                  memory);
  LeastNorm<kMaxRows>& s = *memory.system;
  s.n = n;
  for (int r = 0; r < n; ++r) {
    const RowForces row = forces_of(rows.rows[r], tree, w, robot);
    s.b[r] = -row.bias;
    s.size[r] = std::abs(row.bias);
    s.scale[r] = s.noise[r] = 0;
    for (int k = 0; k < row.count; ++k) {
      const auto& [at, g] = row.sides[k];
      s.b[r] -= dot(g, robot.a0[at]);
      for (int j = 0; j < 6; ++j) s.size[r] += std::abs(g[j] * robot.a0[at][j]);
      s.scale[r] += mobility(g, robot.block(at, at));
      Matrix6 alone;
      if (inverse_spd<struct Alone>(6, kMinPivot,
                                    matrix6(articulated(tree.links[robot.handle[at]].I)), alone))
        s.noise[r] += kRounding * mobility(g, alone);
    }
    for (int c = 0; c <= r; ++c) {
      const RowForces other = forces_of(rows.rows[c], tree, w, robot);
      double sum = 0;
      for (int k = 0; k < row.count; ++k) {
        for (int m = 0; m < other.count; ++m) {
          sum += dot(row.sides[k].g,
                     robot.block(row.sides[k].handle, other.sides[m].handle) * other.sides[m].g);
        }
      }
      s.K[r][c] = s.K[c][r] = sum;
    }
  }
  // one scale for rows that are measured alike
  for (int r = 0; r < n;) {
    int end = r;
    double scale = 0, noise = 0;
    for (; end < n && rows.group[end] == r; ++end) scale += s.scale[end], noise += s.noise[end];
    for (; r < end; ++r) s.scale[r] = scale, s.noise[r] = noise;
  }
  solve_least_norm(s);
  const int gears = n - rows.first[closures.size()];
  forces.rows = n - gears;
  forces.rank = s.rank - gears;
  if (!s.consistent) return Status::kInconsistent;
  for (int r = 0; r < n; ++r) {
    forces.multipliers[r] = s.x[r];
    const RowForces row = forces_of(rows.rows[r], tree, w, robot);
    for (int k = 0; k < row.count; ++k) {
      Column6& f = memory.force[robot.handle[row.sides[k].handle]];
      for (int j = 0; j < 6; ++j) f[j] += row.sides[k].g[j] * s.x[r];
    }
  }
  return Status::kOk;
}

}  // namespace stance
