#include "stance_core/contact/sole.hpp"

#include <algorithm>
#include <cmath>

namespace stance {
namespace {

// An eigenvalue of B below this part of the largest is none: the corners lie on a line, or on each other.
constexpr double kNoMoment = 1e-9;

}  // namespace

Sole make_sole(BodyId body, const Vec3<double>* points_W, int count, const ContactFrame& frame,
               bool planar) noexcept {
  Sole s;
  s.body = body;
  s.count = count;
  for (int i = 0; i < count; ++i) s.center_W += points_W[i];
  s.center_W = s.center_W * (1.0 / count);
  double xx = 0, xy = 0, yy = 0;
  for (int i = 0; i < count; ++i) {
    s.r_W[i] = points_W[i] - s.center_W;
    const double x = dot(s.r_W[i], frame.t1), y = dot(s.r_W[i], frame.t2);
    xx += x * x, xy += x * y, yy += y * y;
  }
  s.axes = {frame.normal, frame.t1, frame.t2};
  s.axis_count = planar ? 2 : 3;
  const double least = kNoMoment * (xx + yy);
  const auto turn = [&](const Vec3<double>& axis, double b) {
    if (!(b > least) || b == 0) return;
    s.moments[s.moment_count] = axis;
    s.b[s.moment_count++] = b;
  };
  if (count < 2) return s;
  if (planar) {
    turn(frame.t2, xx);
    return s;
  }
  turn(frame.normal, xx + yy);
  // in the plane B is [yy, -xy; -xy, xx] in (t1, t2)
  const double angle = 0.5 * std::atan2(-2 * xy, yy - xx);
  const double c = std::cos(angle), e = std::sin(angle);
  turn(frame.t1 * c + frame.t2 * e, yy * c * c - 2 * xy * c * e + xx * e * e);
  turn(frame.t2 * c - frame.t1 * e, yy * e * e + 2 * xy * c * e + xx * c * c);
  return s;
}

void share(const Sole& sole, const Vec3<double>& F_W, const Vec3<double>& M_W,
           Vec3<double>* forces_W) noexcept {
  Vec3<double> turn;  // B⁺ M
  for (int j = 0; j < sole.moment_count; ++j)
    turn += sole.moments[j] * (dot(sole.moments[j], M_W) / sole.b[j]);
  for (int i = 0; i < sole.count; ++i)
    forces_W[i] = F_W * (1.0 / sole.count) + cross(turn, sole.r_W[i]);
}

void sole_rows(const Model& model, const Workspace& w, const Sole& sole, Row* rows) noexcept {
  const Transform<double>& X_WB = w.X_WB[sole.body];
  const Motion<double>& v = w.v[sole.body];
  const Vec3<double> c_B = transpose_times(X_WB.R, sole.center_W - X_WB.p);
  // the material point at the centroid: bias as in contact_motion
  const Vec3<double> bias_W = X_WB.R * cross(v.w, v.v + cross(v.w, c_B)) + model.gravity;
  const double root = std::sqrt(static_cast<double>(sole.count));
  for (int k = 0; k < sole.axis_count; ++k) {
    const Vec3<double> e = transpose_times(X_WB.R, sole.axes[k]) * root;
    rows[k] = Row{};
    rows[k].on = sole.body;
    rows[k].F_on = {cross(c_B, e), e};
    rows[k].bias = root * dot(sole.axes[k], bias_W);
  }
  for (int j = 0; j < sole.moment_count; ++j) {
    Row& row = rows[sole.axis_count + j];
    row = Row{};
    row.on = sole.body;
    row.F_on.n = transpose_times(X_WB.R, sole.moments[j]) * std::sqrt(sole.b[j]);
  }
}

void sole_forces(const Sole& sole, const double* lambda, Vec3<double>* forces_W) noexcept {
  const double root = std::sqrt(static_cast<double>(sole.count));
  Vec3<double> F, M;
  for (int k = 0; k < sole.axis_count; ++k) F += sole.axes[k] * (root * lambda[k]);
  for (int j = 0; j < sole.moment_count; ++j)
    M += sole.moments[j] * (std::sqrt(sole.b[j]) * lambda[sole.axis_count + j]);
  share(sole, F, M, forces_W);
}

void sole_motion(const Sole& sole, const Vec3<double>* displacements_W, double* out) noexcept {
  Vec3<double> sum, turn;
  for (int i = 0; i < sole.count; ++i) {
    sum += displacements_W[i];
    turn += cross(sole.r_W[i], displacements_W[i]);
  }
  const double root = std::sqrt(static_cast<double>(sole.count));
  for (int k = 0; k < sole.axis_count; ++k) out[k] = dot(sole.axes[k], sum) / root;
  for (int j = 0; j < sole.moment_count; ++j)
    out[sole.axis_count + j] = dot(sole.moments[j], turn) / std::sqrt(sole.b[j]);
}

}  // namespace stance
