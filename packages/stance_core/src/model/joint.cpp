#include "stance_core/model/joint.hpp"

#include <cmath>

#include "stance_core/spatial/sine_cosine.hpp"

namespace stance {
namespace {

Mat3<double> rotation_z(double angle) noexcept {
  const auto [s, c] = sine_cosine(angle);
  return {{c, s, 0}, {-s, c, 0}, {0, 0, 1}};
}

double angle_z(const Mat3<double>& R) noexcept { return std::atan2(R.a.y, R.a.x); }

Quaternion read_quaternion(const double* q) noexcept { return {q[0], q[1], q[2], q[3]}; }

void write_quaternion(const Quaternion& quaternion, double* q) noexcept {
  q[0] = quaternion.x, q[1] = quaternion.y, q[2] = quaternion.z, q[3] = quaternion.w;
}

// (1 - cos a)/a² and (a - sin a)/a³ with their series near zero: the coefficients of the screw motion below.
struct ScrewCoefficients {
  double A, B;
};
ScrewCoefficients screw_coefficients(double angle) noexcept {
  // 1 - cos a = 2 sin²(a/2) and the series below the switch keep both free of cancellation
  const double a2 = angle * angle;
  const double h = angle < 1e-4 ? 1 - a2 / 24 : std::sin(0.5 * angle) / (0.5 * angle);
  const double B = angle < 0.05 ? 1.0 / 6 - a2 / 120 * (1 - a2 / 42 * (1 - a2 / 72))
                                : (angle - std::sin(angle)) / (a2 * angle);
  return {0.5 * h * h, B};
}

// Where the origin of a frame goes, in its own first axes, when it moves with constant twist (r, d) for unit time:
// d + A r × d + B r × (r × d).
Vec3<double> screw_displacement(const Vec3<double>& r, const Vec3<double>& d) noexcept {
  const auto [A, B] = screw_coefficients(norm(r));
  const Vec3<double> rd = cross(r, d);
  return d + rd * A + cross(r, rd) * B;
}

}  // namespace

Transform<double> joint_transform(JointKind kind, const double* q, double radius) noexcept {
  switch (kind) {
    case JointKind::kFixed: break;
    case JointKind::kRevolute: return {rotation_z(q[0]), {}};
    case JointKind::kPrismatic: return {Mat3<double>::identity(), {0, 0, q[0]}};
    case JointKind::kBall: return {rotation(read_quaternion(q)), {}};
    case JointKind::kPlanar: return {rotation_z(q[2]), {q[0], q[1], 0}};
    case JointKind::kFree: return {rotation(read_quaternion(q + 3)), {q[0], q[1], q[2]}};
    case JointKind::kRoll: return {rotation_z(q[0]), {-radius * q[0], 0, 0}};
  }
  return {};
}

void joint_coordinates(JointKind kind, const Transform<double>& X_J, double* q,
                       double radius) noexcept {
  switch (kind) {
    case JointKind::kFixed: break;
    case JointKind::kRevolute: q[0] = angle_z(X_J.R); break;
    case JointKind::kPrismatic: q[0] = X_J.p.z; break;
    case JointKind::kBall: write_quaternion(quaternion(X_J.R), q); break;
    case JointKind::kPlanar: q[0] = X_J.p.x, q[1] = X_J.p.y, q[2] = angle_z(X_J.R); break;
    case JointKind::kFree:
      q[0] = X_J.p.x, q[1] = X_J.p.y, q[2] = X_J.p.z;
      write_quaternion(quaternion(X_J.R), q + 3);
      break;
    case JointKind::kRoll: {
      // the distance rolled says how many turns; the rotation says the angle to full precision
      const double turned = radius > 0 ? -X_J.p.x / radius : 0;
      q[0] = turned + std::remainder(angle_z(X_J.R) - turned, 2 * M_PI);
      break;
    }
  }
}

Motion<double> joint_motion(JointKind kind, const double* q, const double* v,
                            double radius) noexcept {
  switch (kind) {
    case JointKind::kFixed: break;
    case JointKind::kRevolute: return {{0, 0, v[0]}, {}};
    case JointKind::kPrismatic: return {{}, {0, 0, v[0]}};
    case JointKind::kBall: return {{v[0], v[1], v[2]}, {}};
    case JointKind::kPlanar: return {{0, 0, v[0]}, {v[1], v[2], 0}};
    case JointKind::kFree: return {{v[0], v[1], v[2]}, {v[3], v[4], v[5]}};
    case JointKind::kRoll: {
      // the centre moves by (-rho v, 0, 0) in the near frame
      const double s = radius * v[0];
      return {{0, 0, v[0]}, {-s * std::cos(q[0]), s * std::sin(q[0]), 0}};
    }
  }
  return {};
}

void joint_components(JointKind kind, const Motion<double>& m, double* v) noexcept {
  switch (kind) {
    case JointKind::kFixed: break;
    case JointKind::kRevolute:
    case JointKind::kRoll: v[0] = m.w.z; break;
    case JointKind::kPrismatic: v[0] = m.v.z; break;
    case JointKind::kBall: v[0] = m.w.x, v[1] = m.w.y, v[2] = m.w.z; break;
    case JointKind::kPlanar: v[0] = m.w.z, v[1] = m.v.x, v[2] = m.v.y; break;
    case JointKind::kFree:
      v[0] = m.w.x, v[1] = m.w.y, v[2] = m.w.z, v[3] = m.v.x, v[4] = m.v.y, v[5] = m.v.z;
      break;
  }
}

void joint_components(JointKind kind, const Force<double>& f, double* tau) noexcept {
  joint_components(kind, Motion<double>{f.n, f.f}, tau);
}

Force<double> joint_force(JointKind kind, const double* tau) noexcept {
  const Motion<double> m = joint_motion(kind, nullptr, tau);
  return {m.w, m.v};
}

void joint_integrate(JointKind kind, double* q, const double* v, double dt) noexcept {
  switch (kind) {
    case JointKind::kFixed: break;
    case JointKind::kRevolute:
    case JointKind::kPrismatic:
    case JointKind::kRoll: q[0] += v[0] * dt; break;
    case JointKind::kBall: {
      const Vec3<double> r = Vec3<double>{v[0], v[1], v[2]} * dt;
      write_quaternion(normalized(read_quaternion(q) * exponential(r)), q);
      break;
    }
    case JointKind::kPlanar: {
      const Vec3<double> d = screw_displacement({0, 0, v[0] * dt}, {v[1] * dt, v[2] * dt, 0});
      const Vec3<double> d_near = rotation_z(q[2]) * d;
      q[0] += d_near.x, q[1] += d_near.y, q[2] += v[0] * dt;
      break;
    }
    case JointKind::kFree: {
      const Vec3<double> r = Vec3<double>{v[0], v[1], v[2]} * dt;
      const Vec3<double> d = screw_displacement(r, Vec3<double>{v[3], v[4], v[5]} * dt);
      const Quaternion orientation = read_quaternion(q + 3);
      const Vec3<double> d_near = rotation(orientation) * d;
      q[0] += d_near.x, q[1] += d_near.y, q[2] += d_near.z;
      write_quaternion(normalized(orientation * exponential(r)), q + 3);
      break;
    }
  }
}

void joint_derivative(JointKind kind, const double* q, const double* v, double* q_dot) noexcept {
  switch (kind) {
    case JointKind::kFixed: break;
    case JointKind::kRevolute:
    case JointKind::kPrismatic:
    case JointKind::kRoll: q_dot[0] = v[0]; break;
    case JointKind::kBall: {
      const Quaternion d = read_quaternion(q) * Quaternion{v[0] / 2, v[1] / 2, v[2] / 2, 0};
      write_quaternion(d, q_dot);
      break;
    }
    case JointKind::kPlanar: {
      const Vec3<double> d = rotation_z(q[2]) * Vec3<double>{v[1], v[2], 0};
      q_dot[0] = d.x, q_dot[1] = d.y, q_dot[2] = v[0];
      break;
    }
    case JointKind::kFree: {
      const Quaternion orientation = read_quaternion(q + 3);
      const Vec3<double> d = rotation(orientation) * Vec3<double>{v[3], v[4], v[5]};
      q_dot[0] = d.x, q_dot[1] = d.y, q_dot[2] = d.z;
      write_quaternion(orientation * Quaternion{v[0] / 2, v[1] / 2, v[2] / 2, 0}, q_dot + 3);
      break;
    }
  }
}

void joint_normalize(JointKind kind, double* q) noexcept {
  if (kind == JointKind::kBall) write_quaternion(normalized(read_quaternion(q)), q);
  if (kind == JointKind::kFree) write_quaternion(normalized(read_quaternion(q + 3)), q + 3);
}

void joint_neutral(JointKind kind, double* q) noexcept {
  joint_coordinates(kind, Transform<double>{}, q);
}

}  // namespace stance
