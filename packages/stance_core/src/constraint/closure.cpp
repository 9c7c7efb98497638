#include "stance_core/constraint/closure.hpp"

#include <algorithm>
#include <cmath>

namespace stance {
namespace {

// A closure frame in the frame its forces and velocities are known in: the body's kernel frame, or the world.
struct End {
  BodyId body;
  Transform<double> X_WB, X_BF;
  Motion<double> v;  // of the body, in its kernel frame
  Transform<double> X_WF() const { return X_WB * X_BF; }
  Vec3<double> velocity_W() const { return X_WB.R * (v.v + cross(v.w, X_BF.p)); }
  Vec3<double> turn_W() const { return X_WB.R * v.w; }
};

End end_of(const Tree& tree, const Workspace& w, const ClosureEnd& end) noexcept {
  if (!end.body.valid()) return {end.body, {}, end.X_HF, {}};
  return {end.body, w.X_WB[end.body], inverse(tree.links[end.body].X_HB) * end.X_HF, w.v[end.body]};
}

double largest(const Vec3<double>& a) noexcept {
  return std::max({std::abs(a.x), std::abs(a.y), std::abs(a.z)});
}

// 2 sin(angle / 2) about the axis, which near zero is the rotation vector.
Vec3<double> turn_between(const Mat3<double>& R_ab) noexcept {
  const Quaternion q = quaternion(R_ab);
  const double s = q.w < 0 ? -2 : 2;
  return {s * q.x, s * q.y, s * q.z};
}

// What the motion of the bodies adds to d · p'' of the point: d · R (w × (v + w × r)).
double centripetal(const End& end, const Vec3<double>& d_B) noexcept {
  return dot(d_B, cross(end.v.w, end.v.v + cross(end.v.w, end.X_BF.p)));
}

}  // namespace

Transform<double> relative_pose(const Tree& tree, const Workspace& w,
                                const Closure& closure) noexcept {
  return inverse(end_of(tree, w, closure.a).X_WF()) * end_of(tree, w, closure.b).X_WF();
}

ClosureResidual closure_residual(const Tree& tree, const Workspace& w,
                                 const Closure& closure) noexcept {
  const End a = end_of(tree, w, closure.a), b = end_of(tree, w, closure.b);
  const Transform<double> X_Wa = a.X_WF(), X_Wb = b.X_WF();
  const Vec3<double> slip = b.velocity_W() - a.velocity_W();
  ClosureResidual residual{largest(X_Wb.p - X_Wa.p), largest(slip)};
  const Vec3<double> turn = transpose_times(X_Wa.R, b.turn_W() - a.turn_W());
  if (closure.kind == ClosureKind::kPin) {
    // the angle between the z axes: |z_a × z_b|, or more than a right angle
    const Vec3<double> tilt = cross(X_Wa.R.c, X_Wb.R.c);
    const double angle = dot(X_Wa.R.c, X_Wb.R.c) < 0 ? 2 : norm(tilt);
    residual.position = std::max(residual.position, angle);
    residual.velocity = std::max({residual.velocity, std::abs(turn.x), std::abs(turn.y)});
  }
  if (closure.kind == ClosureKind::kWeld) {
    residual.position = std::max(residual.position, norm(turn_between(transpose(X_Wa.R) * X_Wb.R)));
    residual.velocity = std::max(residual.velocity, largest(turn));
  }
  return residual;
}

bool closure_rows(const Model& model, const Tree& tree, const Workspace& w,
                  std::span<const Closure> closures, ClosureRows& rows) noexcept {
  rows.count = 0;
  if (closures.size() > static_cast<std::size_t>(kMaxClosures)) return false;
  for (std::size_t k = 0; k < closures.size(); ++k) {
    const Closure& closure = closures[k];
    rows.first[k] = static_cast<std::int16_t>(rows.count);
    if (!closure.active) continue;
    if (rows.count + row_count(closure.kind) > kMaxRows) return false;
    const End a = end_of(tree, w, closure.a), b = end_of(tree, w, closure.b);
    const Mat3<double> R_Wa = a.X_WF().R;
    const Vec3<double> axes[] = {R_Wa.a, R_Wa.b, R_Wa.c};
    const auto first_force = static_cast<std::int16_t>(rows.count);
    for (const Vec3<double>& d : axes) {
      rows.group[rows.count] = first_force;
      Row& row = rows.rows[rows.count++];
      row = {};
      row.on = b.body, row.from = a.body;
      if (b.body.valid()) {
        const Vec3<double> d_B = transpose_times(b.X_WB.R, d);
        row.F_on = {cross(b.X_BF.p, d_B), d_B};
        row.bias += centripetal(b, d_B) +
                    dot(d, model.gravity);  // a of the workspace leaves gravity out
      }
      if (a.body.valid()) {
        const Vec3<double> d_A = transpose_times(a.X_WB.R, d);
        row.F_from = -Force<double>{cross(a.X_BF.p, d_A), d_A};
        row.bias -= centripetal(a, d_A) + dot(d, model.gravity);
      }
    }
    const auto first_moment = static_cast<std::int16_t>(rows.count);
    for (int j = 0; j < row_count(closure.kind) - 3; ++j) {
      rows.group[rows.count] = first_moment;
      Row& row = rows.rows[rows.count++];
      row = {};
      row.on = b.body, row.from = a.body;
      if (b.body.valid()) row.F_on.n = transpose_times(b.X_WB.R, axes[j]);
      if (a.body.valid()) row.F_from.n = -transpose_times(a.X_WB.R, axes[j]);
      const Vec3<double> w_a = a.turn_W(), w_b = b.turn_W();
      row.bias = dot(cross(w_a, axes[j]), w_b - w_a);
    }
  }
  rows.first[closures.size()] = static_cast<std::int16_t>(rows.count);
  for (int k = 0; k < model.mimic_count; ++k) {
    const Mimic& mimic = model.mimics[k];
    if (tree.locked[mimic.joint]) continue;
    if (rows.count == kMaxRows) return false;
    rows.group[rows.count] = static_cast<std::int16_t>(rows.count);
    rows.rows[rows.count++] = gear_row(tree, mimic);
  }
  return true;
}

Force<double> closure_wrench(const Tree& tree, const Workspace& w, const Closure& closure,
                             const double* multipliers) noexcept {
  if (!closure.active) return {};
  const Mat3<double> R_Wa = end_of(tree, w, closure.a).X_WF().R;
  const double* m = multipliers + 3;
  Force<double> wrench{{}, R_Wa * Vec3<double>{multipliers[0], multipliers[1], multipliers[2]}};
  if (closure.kind == ClosureKind::kPin) wrench.n = R_Wa.a * m[0] + R_Wa.b * m[1];
  if (closure.kind == ClosureKind::kWeld) wrench.n = R_Wa * Vec3<double>{m[0], m[1], m[2]};
  return wrench;
}

void joint_forces(const Tree& tree, std::span<const Force<double>> f_ext, std::span<const Row> rows,
                  std::span<const double> multipliers, Workspace& w) noexcept {
  for (const BodyId i : tree.bodies()) {
    const Link& link = tree.links[i];
    w.f[i] = link.I * w.a[i] + cross(w.v[i], link.I * w.v[i]);
    if (!f_ext.empty()) w.f[i] -= to_child(link.X_HB, f_ext[i]);
  }
  for (std::size_t k = 0; k < rows.size(); ++k) {
    if (rows[k].on.valid()) w.f[rows[k].on] -= rows[k].F_on * multipliers[k];
    if (rows[k].from.valid()) w.f[rows[k].from] -= rows[k].F_from * multipliers[k];
  }
  for (int k = tree.body_count - 1; k > 0; --k) {
    const int i = tree.order[k];
    w.f[tree.links[i].parent] += to_parent(w.X_PB[i], w.f[i]);
  }
}

}  // namespace stance
