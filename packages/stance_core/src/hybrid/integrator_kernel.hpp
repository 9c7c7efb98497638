// One step of a smooth flow q̇ = N(q) v, v̇ = a(q, v), for whatever gives a. The text; integrator.cpp flows without contacts,
// the simulator under its mode.
//
// The classical Runge-Kutta method, semi-implicit Euler, and the pair 5(4) of Dormand and Prince (Hairer, Norsett,
// Wanner, "Solving Ordinary Differential Equations I", Tables II.1.2 and II.5.2). Coordinates are integrated as they
// are, quaternions in four dimensions, and brought back to unit length once a step: the order of the method is kept.
//
// A field has
//   Status operator()(const State& state, int stage, DofVector& a)     the accelerations; it may note what else it finds
//   void add(int stage, double weight)                                 stage's share of an integral over the step: what was
//                                                                      noted there counts for this long (s)
// add() is called for the sub-steps that are taken, not for those that error control rejects.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <span>

#include "stance_core/hybrid/integrator.hpp"

namespace stance {

inline constexpr int kMaxStages = 7;  // of one step

struct Derivative {
  std::array<double, kMaxCoordinates> q;
  DofVector v;
};

// f(state)
template <class Field>
Status slope(const Model& model, const Tree& tree, const State& state, Field& field, int stage,
             Derivative& d) noexcept {
  joint_derivative(tree.support.kind, state.q.data(), state.v.data(), d.q.data());
  if (model.joints_have_one_coordinate) {
    for (int k = kSupportDofs; k < model.dof_count; ++k)
      d.q[k + kSupportCoordinates - kSupportDofs] = state.v[k];
  } else {
    for (int i = 1; i < model.body_count; ++i) {
      const Joint& joint = model.joints[i];
      joint_derivative(joint.kind, &state.q[joint.q_index], &state.v[joint.v_index],
                       &d.q[joint.q_index]);
    }
  }
  return field(state, stage, d.v);
}

// Coordinates that the support does not use are left alone.
template <class F>
void for_each_coordinate(const Model& model, const Tree& tree, F&& f) noexcept {
  for (int i = 0; i < coordinate_count(tree.support.kind); ++i) f(i);
  for (int i = kSupportCoordinates; i < model.coordinate_count; ++i) f(i);
}

template <class F>
void for_each_velocity(const Model& model, const Tree& tree, F&& f) noexcept {
  for (int i = 0; i < dof_count(tree.support.kind); ++i) f(i);
  for (int i = kSupportDofs; i < model.dof_count; ++i) f(i);
}

// from + sum of h b_k d_k
template <int N>
void combine(const Model& model, const Tree& tree, const State& from,
             const std::array<double, N>& hb, const Derivative* d, State& to) noexcept {
  for_each_coordinate(model, tree, [&](int i) {
    double sum = 0;
    for (int k = 0; k < N; ++k) sum += hb[static_cast<std::size_t>(k)] * d[k].q[i];
    to.q[i] = from.q[i] + sum;
  });
  for_each_velocity(model, tree, [&](int i) {
    double sum = 0;
    for (int k = 0; k < N; ++k) sum += hb[static_cast<std::size_t>(k)] * d[k].v[i];
    to.v[i] = from.v[i] + sum;
  });
}

inline void normalize(const Model& model, const Tree& tree, State& state) noexcept {
  joint_normalize(tree.support.kind, state.q.data());
  if (model.joints_have_one_coordinate) return;
  for (int i = 1; i < model.body_count; ++i)
    joint_normalize(model.joints[i].kind, &state.q[model.joints[i].q_index]);
}

template <class Field>
Status runge_kutta_4(const Model& model, const Tree& tree, Field& field, double h,
                     State& state) noexcept {
  Derivative d[4];
  State stage = state;
  Status status = slope(model, tree, state, field, 0, d[0]);
  if (status != Status::kOk) return status;
  combine<1>(model, tree, state, {h / 2}, &d[0], stage);
  if ((status = slope(model, tree, stage, field, 1, d[1])) != Status::kOk) return status;
  combine<1>(model, tree, state, {h / 2}, &d[1], stage);
  if ((status = slope(model, tree, stage, field, 2, d[2])) != Status::kOk) return status;
  combine<1>(model, tree, state, {h}, &d[2], stage);
  if ((status = slope(model, tree, stage, field, 3, d[3])) != Status::kOk) return status;
  const std::array<double, 4> weights{h / 6, h / 3, h / 3, h / 6};
  combine<4>(model, tree, state, weights, d, state);
  for (int k = 0; k < 4; ++k) field.add(k, weights[static_cast<std::size_t>(k)]);
  normalize(model, tree, state);
  return Status::kOk;
}

// Positions along v for a time h.
inline void move_positions(const Model& model, const Tree& tree, const DofVector& v, double h,
                           State& state) noexcept {
  joint_integrate(tree.support.kind, state.q.data(), v.data(), h);
  if (model.joints_have_one_coordinate) {
    for (int k = kSupportDofs; k < model.dof_count; ++k)
      state.q[k + kSupportCoordinates - kSupportDofs] += h * v[k];
    return;
  }
  for (int i = 1; i < model.body_count; ++i) {
    const Joint& joint = model.joints[i];
    joint_integrate(joint.kind, &state.q[joint.q_index], &v[joint.v_index], h);
  }
}

template <class Field>
Status semi_implicit_euler(const Model& model, const Tree& tree, Field& field, double h,
                           State& state) noexcept {
  Derivative d;
  if (const Status status = slope(model, tree, state, field, 0, d); status != Status::kOk)
    return status;
  for_each_velocity(model, tree, [&](int i) { state.v[i] += h * d.v[i]; });
  field.add(0, h);
  move_positions(model, tree, state.v, h, state);
  return Status::kOk;
}

template <class Field>
Status dormand_prince(const Model& model, const Tree& tree, Field& field,
                      const IntegratorSettings& settings, double duration, State& state) noexcept {
  Derivative d[7];
  State now = state, stage = state, next = state;
  double done = 0, h = duration;
  for (int substep = 0; substep < settings.max_substeps; ++substep) {
    h = std::min(h, duration - done);
    Status status = slope(model, tree, now, field, 0, d[0]);
    if (status != Status::kOk) return status;
    combine<1>(model, tree, now, {h / 5}, d, stage);
    if ((status = slope(model, tree, stage, field, 1, d[1])) != Status::kOk) return status;
    combine<2>(model, tree, now, {h * 3 / 40, h * 9 / 40}, d, stage);
    if ((status = slope(model, tree, stage, field, 2, d[2])) != Status::kOk) return status;
    combine<3>(model, tree, now, {h * 44 / 45, -h * 56 / 15, h * 32 / 9}, d, stage);
    if ((status = slope(model, tree, stage, field, 3, d[3])) != Status::kOk) return status;
    combine<4>(model, tree, now,
               {h * 19372 / 6561, -h * 25360 / 2187, h * 64448 / 6561, -h * 212 / 729}, d, stage);
    if ((status = slope(model, tree, stage, field, 4, d[4])) != Status::kOk) return status;
    combine<5>(model, tree, now,
               {h * 9017 / 3168, -h * 355 / 33, h * 46732 / 5247, h * 49 / 176, -h * 5103 / 18656},
               d, stage);
    if ((status = slope(model, tree, stage, field, 5, d[5])) != Status::kOk) return status;
    const std::array<double, 6> weights{h * 35 / 384,     0,          h * 500 / 1113, h * 125 / 192,
                                        -h * 2187 / 6784, h * 11 / 84};
    combine<6>(model, tree, now, weights, d, next);
    if ((status = slope(model, tree, next, field, 6, d[6])) != Status::kOk) return status;
    // difference to the embedded fourth order, over tolerance (1 + |value|); the largest counts
    constexpr double kE[7] = {71.0 / 57600,      0,          -71.0 / 16695, 71.0 / 1920,
                              -17253.0 / 339200, 22.0 / 525, -1.0 / 40};
    double error = 0;
    for_each_coordinate(model, tree, [&](int i) {
      double e = 0;
      for (int k = 0; k < 7; ++k) e += kE[k] * d[k].q[i];
      error = std::max(error, std::abs(h * e) / (1 + std::abs(now.q[i])));
    });
    for_each_velocity(model, tree, [&](int i) {
      double e = 0;
      for (int k = 0; k < 7; ++k) e += kE[k] * d[k].v[i];
      error = std::max(error, std::abs(h * e) / (1 + std::abs(now.v[i])));
    });
    const double ratio = error / settings.tolerance;
    if (ratio <= 1) {
      for (int k = 0; k < 6; ++k) field.add(k, weights[static_cast<std::size_t>(k)]);
      done += h;
      normalize(model, tree, next);
      now = next;
      if (done >= duration) {
        state = now;
        return Status::kOk;
      }
    }
    h *= std::clamp(0.9 * std::pow(std::max(ratio, 1e-10), -0.2), 0.2, 5.0);
  }
  return Status::kStepLimit;
}

// `state` advanced by h (its time too). On a bad status `state` is as it was.
template <class Field>
Status integrate_field(const Model& model, const Tree& tree, Field& field,
                       const IntegratorSettings& settings, double h, State& state) noexcept {
  const double end = state.time + h;
  Status status = Status::kOk;  // each method writes the state as the last thing it does
  switch (settings.method) {
    case Method::kRungeKutta4: status = runge_kutta_4(model, tree, field, h, state); break;
    case Method::kSemiImplicitEuler:
      status = semi_implicit_euler(model, tree, field, h, state);
      break;
    case Method::kDormandPrince:
      status = dormand_prince(model, tree, field, settings, h, state);
      break;
  }
  if (status == Status::kOk) state.time = end;
  return status;
}

}  // namespace stance
