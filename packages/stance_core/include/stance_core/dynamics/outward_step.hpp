// The first pass of every algorithm, body by body: cross the joint, carry the velocity out. RBDA Table 5.1, 1-3.
#pragma once

#include <algorithm>
#include <cmath>
#include <span>
#include <type_traits>

#include "stance_core/model/tree.hpp"
#include "stance_core/model/workspace.hpp"
#include "stance_core/spatial/sine_cosine.hpp"

namespace stance {

// X = X_T rot_z(angle), a vector at a time: g++ would copy a whole Transform that was just made in larger words than it
// was written in, and wait for them.
template <class T>
STANCE_INLINE void turn_z(const Transform<T>& X_T, const T& cosine, const T& sine,
                          Transform<T>& X) {
  if constexpr (std::is_same_v<T, double>) {
    X = X_T;  // X_T was written long ago
  } else {
    X.R.c = X_T.R.c;
    X.p = X_T.p;
  }
  X.R.a = X_T.R.a * cosine + X_T.R.b * sine;
  X.R.b = X_T.R.b * cosine - X_T.R.a * sine;
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

// The angle of a hinge as the walk reads it.
STANCE_INLINE double walked_angle(const Link& link, const State& state) {
  return link.sign * state.q[link.q_index];
}

// Writes X_PB, v and c of body i (and X_J, S_roll where they have a meaning); the parent's come first. `angle` is that of
// a hinge, and for other joints not read.
STANCE_INLINE void outward_step(const Tree& tree, const State& state, int i,
                                const SineCosine<double>& angle, Workspace& w) noexcept {
  const Link& link = tree.links[i];
  const Motion<double> v_parent = link.parent.valid() ? w.v[link.parent] : Motion<double>{};
  switch (link.kind) {
    case JointKind::kRevolute: {
      turn_z(link.X_T, angle.cosine, angle.sine, w.X_PB[i]);
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

// One body by itself.
STANCE_INLINE void outward_step(const Tree& tree, const State& state, int i,
                                Workspace& w) noexcept {
  const Link& link = tree.links[i];
  SineCosine<double> angle{};
  if (link.kind == JointKind::kRevolute) angle = sine_cosine(walked_angle(link, state));
  outward_step(tree, state, i, angle, w);
}

// Bodies in walking order, each followed by f(body). Sines and cosines are taken four at a time, whatever the joints are:
// those of a length are not read.
template <class F>
STANCE_INLINE void walk_outward(const Tree& tree, std::span<const BodyId> bodies,
                                const State& state, Workspace& w, F&& f) {
  if (bodies.size() == 1) {
    outward_step(tree, state, bodies[0], w);
    f(bodies[0]);
    return;
  }
  const std::size_t last = bodies.size() - 1;
  for (std::size_t first = 0; first <= last; first += 4) {
    const auto angle = [&](std::size_t k) __attribute__((always_inline)) {
      return walked_angle(tree.links[bodies[std::min(first + k, last)]], state);
    };
    const auto [sines, cosines] = sine_cosine(
        Lanes<4>(Lanes<4>::Vector{angle(0), angle(1), angle(2), angle(3)}));
    double sine[4], cosine[4];
    for (int k = 0; k < 4; ++k) sine[k] = sines[k], cosine[k] = cosines[k];
    for (std::size_t k = 0; k < 4 && first + k <= last; ++k) {
      outward_step(tree, state, bodies[first + k], {sine[k], cosine[k]}, w);
      f(bodies[first + k]);
    }
  }
}

}  // namespace stance
