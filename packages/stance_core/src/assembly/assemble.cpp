#include "stance_core/assembly/assemble.hpp"

#include <algorithm>

#include "assembly/joint_step.hpp"
#include "assembly/matrix6.hpp"

namespace stance {

namespace {

// kInvert: (4) of a subchain in inertia form, Lambda = IA⁻¹.
Status invert(const PlanNode& node, const Plan& plan, AssemblyMemory& memory) noexcept {
  const InertiaForm& form = inertia_form(node.child, memory);
  Matrix6 IA = matrix6(form.IA);
  Matrix6& Lambda = memory.Lambda[node.first_block];
  if (!inverse_spd(6, kMinPivot, IA, Lambda)) return Status::kSingularInertia;
  const Column6 a = Lambda * column6(form.pA);
  for (int i = 0; i < 6; ++i) memory.a0[node.first_handle][i] = -a[i];
  (void)plan;
  return Status::kOk;
}

// kInertias: (7), and the sum with the other side.
void join_inertias(const Tree& tree, const PlanNode& node, const DofVector& tau, Workspace& w,
                   AssemblyMemory& memory, JointScratch& scratch, InertiaForm& result,
                   double& bad_D) noexcept {
  const int i = node.body;
  const Transform<double>& X_PB = w.X_PB[i];
  const bool child = node.child_is_inertia;
  const InertiaForm& x = inertia_form(child ? node.child : node.parent, memory);
  const InertiaForm& y = inertia_form(child ? node.parent : node.child, memory);
  const Transform<double> X_BP = inverse(X_PB);
  scratch.closed = child ? x : InertiaForm{to_parent(X_BP, x.IA), to_parent(X_BP, x.pA)};
  eliminate(tree, i, child ? 1 : -1, tau, w, scratch.closed, bad_D);
  result = y;
  result.IA += child ? to_parent(X_PB, scratch.closed.IA) : scratch.closed.IA;
  result.pA += child ? to_parent(X_PB, scratch.closed.pA) : scratch.closed.pA;
}

// kMixed: (8), (9).
Status join_mixed(const Model& model, const Tree& tree, const PlanNode& node, const Plan& plan,
                  const DofVector& tau, Workspace& w, AssemblyMemory& memory, JointScratch& s,
                  double& bad_D) noexcept {
  const int i = node.body;
  const bool child = node.child_is_inertia;
  const double sign = child ? 1 : -1;
  const Transform<double>& X_PB = w.X_PB[i];
  const Matrix6 X = motion_to_child(X_PB), X_inverse = motion_to_child(inverse(X_PB));
  const InertiaForm& x = inertia_form(child ? node.child : node.parent, memory);
  const Transform<double> X_BP = inverse(X_PB);
  s.closed = child ? x : InertiaForm{to_parent(X_BP, x.IA), to_parent(X_BP, x.pA)};
  eliminate(tree, i, sign, tau, w, s.closed, bad_D);
  const Matrix6 Ia = matrix6(s.closed.IA);
  const Column6 beta = column6(s.closed.pA);
  const Motion<double> v = w.c[i] * sign;

  const Response y = response(child ? node.parent : node.child, plan, memory);
  const BodyId y_body = child ? tree.links[i].parent : BodyId(i);
  const int at_y = y.find(y_body);
  const Column6 a0_y = y.is_world() ? column6(Motion<double>{{}, -model.gravity}) : y.a0[at_y];
  const Matrix6& Y = child ? X : identity_matrix();
  const Matrix6& Y_inverse = child ? X_inverse : identity_matrix();
  if (y.is_world()) {
    s.M = {};
    s.V = identity6();
    s.b0 = Y * a0_y;
  } else {
    s.M = Y * times_transposed(y.block(at_y, at_y), Y);
    symmetrize(s.M);
    if (!inverse(identity6() + s.M * Ia, s.V)) return Status::kSingularInertia;
    s.b0 = s.V * (Y * a0_y - s.M * beta);
  }
  const Column6 phi0 = Ia * s.b0 + beta;
  Matrix6 W = Ia * s.V;
  symmetrize(W);

  const Response to = result(node, plan, memory);
  const BodyId x_body = child ? BodyId(i) : tree.links[i].parent;
  const Matrix6& x_home = child ? identity_matrix()
                                : X_inverse;  // from the joint's frame into x's own
  // what was among y's handles
  for (int h = 0; h < to.count; ++h) {
    if (to.handle[h] == x_body) continue;
    const int from_h = y.find(to.handle[h]);
    const Matrix6 G_h = Y * y.block(at_y, from_h);
    to.a0[h] = from_h == at_y ? Y_inverse * s.b0 : y.a0[from_h] - transposed_times(G_h, phi0);
    for (int k = h; k < to.count; ++k) {
      if (to.handle[k] == x_body) continue;
      const int from_k = y.find(to.handle[k]);
      Matrix6 block;
      if (from_h == at_y) {
        block = Y_inverse * (s.V * (Y * y.block(at_y, from_k)));
      } else if (from_k == at_y) {
        block = transposed(Y_inverse * (s.V * G_h));
      } else {
        block = y.block(from_h, from_k) - transposed_times(G_h, W * (Y * y.block(at_y, from_k)));
      }
      if (h == k) symmetrize(block);
      to.block(h, k) = block;
      if (h != k) to.block(k, h) = transposed(block);
    }
  }
  const int at_x = to.find(x_body);
  if (at_x < 0) return Status::kOk;
  Motion<double> a = motion(s.b0) + v;
  double qdd[6];
  transmit(tree, i, w, a, &w.u[tree.links[i].dof], qdd);
  to.a0[at_x] = x_home * column6(a);
  Matrix6 TV = s.V;
  transmit_columns(tree, i, w, TV);
  for (int k = 0; k < to.count; ++k) {
    if (k == at_x) continue;
    const Matrix6 block = x_home * (TV * (Y * y.block(at_y, y.find(to.handle[k]))));
    to.block(at_x, k) = block;
    to.block(k, at_x) = transposed(block);
  }
  Matrix6 TVM_t = transposed(
      TV * s.M);  // (T V M)ᵀ; its columns through T again: T (T V M)ᵀ = T M Vᵀ Tᵀ = T V M Tᵀ
  transmit_columns(tree, i, w, TVM_t);
  Matrix6 own = drive_response(tree, i, w) + TVM_t;
  symmetrize(own);
  Matrix6& block = to.block(at_x, at_x);
  block = x_home * times_transposed(own, x_home);
  symmetrize(block);
  return Status::kOk;
}

// kResponses: (4) to (6).
Status join_responses(const Model& model, const Tree& tree, const PlanNode& node, const Plan& plan,
                      const DofVector& tau, Workspace& w, AssemblyMemory& memory,
                      JointScratch& s) noexcept {
  const int i = node.body;
  const Matrix6 X = motion_to_child(w.X_PB[i]);
  const Response A = response(node.parent, plan, memory), B = response(node.child, plan, memory);
  const int c = B.find(BodyId(i));
  const int p = A.find(tree.links[i].parent);
  s.P = B.block(c, c);
  s.r0 = B.a0[c] - column6(w.c[i]);
  if (A.is_world()) {
    s.r0 = s.r0 - X * column6(Motion<double>{{}, -model.gravity});
  } else {
    s.P = s.P + X * times_transposed(A.block(p, p), X);
    s.r0 = s.r0 - X * A.a0[p];
  }
  symmetrize(s.P);
  if (const Status status = joint_force(tree, i, tau, w, s); status != Status::kOk) return status;

  const Response to = result(node, plan, memory);
  // R_h, and where h was
  const auto R = [&](BodyId h, const Response*& side, int& from) {
    from = A.find(h);
    side = from >= 0 ? &A : &B;
    if (from < 0) return B.block(c, from = B.find(h));
    return X * A.block(p, from);  // without its sign
  };
  for (int h = 0; h < to.count; ++h) {
    const Response *side_h = nullptr, *side_k = nullptr;
    int from_h = 0, from_k = 0;
    const Matrix6 R_h = R(to.handle[h], side_h, from_h);
    const Column6 pull = transposed_times(R_h, s.phi0);
    to.a0[h] = side_h == &A ? side_h->a0[from_h] - pull : side_h->a0[from_h] + pull;
    const Matrix6 left = transposed_times(R_h, s.W);
    for (int k = h; k < to.count; ++k) {
      const Matrix6 change = left * R(to.handle[k], side_k, from_k);
      Matrix6 block = side_h == side_k ? side_h->block(from_h, from_k) - change : change;
      if (h == k) symmetrize(block);
      to.block(h, k) = block;
      if (h != k) to.block(k, h) = transposed(block);
    }
  }
  return Status::kOk;
}

}  // namespace

Status assemble(const Model& model, const Tree& tree, const Plan& plan, const DofVector& tau,
                std::span<const Force<double>> f_ext, Workspace& w,
                AssemblyMemory& memory) noexcept {
  for (const BodyId i : tree.bodies()) {
    const Link& link = tree.links[i];
    memory.link[i] = {articulated(link.I), cross(w.v[i], link.I * w.v[i])};  // RBDA 7.37, 7.38
    if (!f_ext.empty()) memory.link[i].pA -= to_child(link.X_HB, f_ext[i]);
  }
  double bad_D = kMinInertia;
  for (std::size_t k = 0; k < plan.nodes.size(); ++k) {
    const PlanNode& node = plan.nodes[k];
    JointScratch& scratch = memory.scratch[k];
    Status status = Status::kOk;
    switch (node.rule) {
      case JointRule::kInvert: status = invert(node, plan, memory); break;
      case JointRule::kInertias:
        join_inertias(tree, node, tau, w, memory, scratch, memory.inertia[k], bad_D);
        break;
      case JointRule::kMixed:
        status = join_mixed(model, tree, node, plan, tau, w, memory, scratch, bad_D);
        break;
      case JointRule::kResponses:
        status = join_responses(model, tree, node, plan, tau, w, memory, scratch);
        break;
    }
    if (status != Status::kOk) return status;
    if (!(bad_D >= kMinInertia))
      return bad_D < kMinInertia ? Status::kSingularInertia : Status::kNonFinite;
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
      if (inverse_spd(6, kMinPivot, matrix6(articulated(tree.links[robot.handle[at]].I)), alone))
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
