// The first pass of every algorithm, one body of it: cross the joint, carry the velocity out. RBDA Table 5.1, 1-3.
#pragma once

#include <cmath>

#include "stance_core/model/tree.hpp"
#include "stance_core/model/workspace.hpp"
#include "stance_core/spatial/sine_cosine.hpp"

namespace stance {

// X = X_T rot_z(angle), a vector at a time: g++ would copy a whole Transform in larger words than it was written in,
// and wait for them.
template <class T>
STANCE_INLINE void turn_z(const Transform<T>& X_T, const T& cosine, const T& sine,
                          Transform<T>& X) {
  X.R.a = X_T.R.a * cosine + X_T.R.b * sine;
  X.R.b = X_T.R.b * cosine - X_T.R.a * sine;
  X.R.c = X_T.R.c;
  X.p = X_T.p;
}

// X = X_T rot(R), likewise.
STANCE_INLINE void turn(const Transform<double>& X_T, const Mat3<double>& R, Transform<double>& X) {
  X.R.a = X_T.R * R.a;
  X.R.b = X_T.R * R.b;
  X.R.c = X_T.R * R.c;
  X.p = X_T.p;
}

// Velocity v and velocity product c = v × S q̇ of a body behind a joint that turns about z.
template <class T>
STANCE_INLINE void revolute_velocity(const Transform<T>& X_PB, const Motion<T>& v_parent,
                                     const T& qd, Motion<T>& v, Motion<T>& c) {
  v = to_child(X_PB, v_parent);
  v.w.z += qd;
  c = {{v.w.y * qd, -v.w.x * qd, T(0)}, {v.v.y * qd, -v.v.x * qd, T(0)}};
}

// A ball or a free joint walked forwards: X_PB, v and c of its body. Most often the root, whose v is the joint's own.
STANCE_INLINE void quaternion_step(const Link& link, const State& state, int i, Workspace& w) {
  const double* q = &state.q[link.q_index];
  const double* v = &state.v[link.v_index];
  Motion<double> v_J{{v[0], v[1], v[2]}, {}};
  if (link.kind == JointKind::kBall) {
    turn(link.X_T, rotation(Quaternion{q[0], q[1], q[2], q[3]}), w.X_PB[i]);
  } else {
    turn(link.X_T, rotation(Quaternion{q[3], q[4], q[5], q[6]}), w.X_PB[i]);
    w.X_PB[i].p += link.X_T.R * Vec3<double>{q[0], q[1], q[2]};
    v_J.v = {v[3], v[4], v[5]};
  }
  w.v[i] = link.parent.valid() ? to_child(w.X_PB[i], w.v[link.parent]) + v_J : v_J;
  w.c[i] = link.parent.valid() ? cross(w.v[i], v_J) : Motion<double>{};
}

// Writes X_PB, v and c of body i (and X_J, S_roll where they have a meaning); the parent's come first.
STANCE_INLINE void outward_step(const Tree& tree, const State& state, int i,
                                Workspace& w) noexcept {
  const Link& link = tree.links[i];
  const Motion<double> v_parent = link.parent.valid() ? w.v[link.parent] : Motion<double>{};
  switch (link.kind) {
    case JointKind::kRevolute: {
      const auto [sine, cosine] = sine_cosine(link.sign * state.q[link.q_index]);
      turn_z(link.X_T, cosine, sine, w.X_PB[i]);
      revolute_velocity(w.X_PB[i], v_parent, link.sign * state.v[link.v_index], w.v[i], w.c[i]);
      break;
    }
    case JointKind::kPrismatic: {
      const double qd = link.sign * state.v[link.v_index];
      w.X_PB[i] = {link.X_T.R, link.X_T.p + link.X_T.R.c * (link.sign * state.q[link.q_index])};
      w.v[i] = to_child(w.X_PB[i], v_parent);
      w.c[i] = {{}, {w.v[i].w.y * qd, -w.v[i].w.x * qd, 0}};
      w.v[i].v.z += qd;
      break;
    }
    case JointKind::kBall:
    case JointKind::kFree:
      if (!link.reversed) {
        quaternion_step(link, state, i, w);
        break;
      }
      [[fallthrough]];
    default: {
      const Crossing crossing = cross_joint(tree, link, state);
      w.X_PB[i] = crossing.X_PB;
      w.X_J[i] = crossing.X_J;
      w.v[i] = to_child(crossing.X_PB, v_parent) + crossing.v_J;
      w.c[i] = cross(w.v[i], crossing.v_J);
      if (link.kind == JointKind::kRoll) {
        // S turns with the angle: Ṡ q̇ = (0; rho sin q, rho cos q, 0) q̇²
        const double q = state.q[0], qd = state.v[0], unit = 1, rho = tree.support.radius;
        w.S_roll = joint_motion(JointKind::kRoll, &q, &unit, rho);
        w.c[i].v += Vec3<double>{std::sin(q), std::cos(q), 0} * (rho * qd * qd);
      }
    }
  }
}

}  // namespace stance
