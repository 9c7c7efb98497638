// The classical Runge-Kutta method, semi-implicit Euler, and the pair 5(4) of Dormand and Prince (Hairer, Norsett,
// Wanner, "Solving Ordinary Differential Equations I", Tables II.1.2 and II.5.2). Coordinates are integrated as they
// are, quaternions in four dimensions, and brought back to unit length once a step: the order of the method is kept.
#include "stance_core/hybrid/integrator.hpp"

#include <algorithm>
#include <cmath>

#include "stance_core/dynamics/aba.hpp"

namespace stance {
namespace {

struct Derivative {
  std::array<double, kMaxCoordinates> q;
  DofVector v;
};

// What acts on the robot during the step: the joints' efforts, and forces on bodies, one each (or none at all).
struct Efforts {
  const DofVector& tau;
  std::span<const Force<double>> f_ext;
};

// f(state)
Status flow(const Model& model, const Tree& tree, const State& state, const Efforts& tau,
            Workspace& w, Derivative& d) noexcept {
  DofVector effort;
  for (int k = 0; k < model.dof_count; ++k) effort[k] = tau.tau[k] - model.damping[k] * state.v[k];
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
  return aba_lanes(model, tree, state, effort, tau.f_ext, w, d.v);
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

void normalize(const Model& model, const Tree& tree, State& state) noexcept {
  joint_normalize(tree.support.kind, state.q.data());
  if (model.joints_have_one_coordinate) return;
  for (int i = 1; i < model.body_count; ++i)
    joint_normalize(model.joints[i].kind, &state.q[model.joints[i].q_index]);
}

Status runge_kutta_4(const Model& model, const Tree& tree, const Efforts& tau, double h,
                     State& state, Workspace& w) noexcept {
  Derivative d[4];
  State stage = state;
  Status status = flow(model, tree, state, tau, w, d[0]);
  if (status != Status::kOk) return status;
  combine<1>(model, tree, state, {h / 2}, &d[0], stage);
  if ((status = flow(model, tree, stage, tau, w, d[1])) != Status::kOk) return status;
  combine<1>(model, tree, state, {h / 2}, &d[1], stage);
  if ((status = flow(model, tree, stage, tau, w, d[2])) != Status::kOk) return status;
  combine<1>(model, tree, state, {h}, &d[2], stage);
  if ((status = flow(model, tree, stage, tau, w, d[3])) != Status::kOk) return status;
  combine<4>(model, tree, state, {h / 6, h / 3, h / 3, h / 6}, d, state);
  normalize(model, tree, state);
  return Status::kOk;
}

Status semi_implicit_euler(const Model& model, const Tree& tree, const Efforts& tau, double h,
                           State& state, Workspace& w) noexcept {
  Derivative d;
  if (const Status status = flow(model, tree, state, tau, w, d); status != Status::kOk)
    return status;
  for_each_velocity(model, tree, [&](int i) { state.v[i] += h * d.v[i]; });
  joint_integrate(tree.support.kind, state.q.data(), state.v.data(), h);
  if (model.joints_have_one_coordinate) {
    for (int k = kSupportDofs; k < model.dof_count; ++k)
      state.q[k + kSupportCoordinates - kSupportDofs] += h * state.v[k];
    return Status::kOk;
  }
  for (int i = 1; i < model.body_count; ++i) {
    const Joint& joint = model.joints[i];
    joint_integrate(joint.kind, &state.q[joint.q_index], &state.v[joint.v_index], h);
  }
  return Status::kOk;
}

Status dormand_prince(const Model& model, const Tree& tree, const Efforts& tau,
                      const IntegratorSettings& settings, double duration, State& state,
                      Workspace& w) noexcept {
  Derivative d[7];
  State now = state, stage = state, next = state;
  double done = 0, h = duration;
  for (int substep = 0; substep < settings.max_substeps; ++substep) {
    h = std::min(h, duration - done);
    Status status = flow(model, tree, now, tau, w, d[0]);
    if (status != Status::kOk) return status;
    combine<1>(model, tree, now, {h / 5}, d, stage);
    if ((status = flow(model, tree, stage, tau, w, d[1])) != Status::kOk) return status;
    combine<2>(model, tree, now, {h * 3 / 40, h * 9 / 40}, d, stage);
    if ((status = flow(model, tree, stage, tau, w, d[2])) != Status::kOk) return status;
    combine<3>(model, tree, now, {h * 44 / 45, -h * 56 / 15, h * 32 / 9}, d, stage);
    if ((status = flow(model, tree, stage, tau, w, d[3])) != Status::kOk) return status;
    combine<4>(model, tree, now,
               {h * 19372 / 6561, -h * 25360 / 2187, h * 64448 / 6561, -h * 212 / 729}, d, stage);
    if ((status = flow(model, tree, stage, tau, w, d[4])) != Status::kOk) return status;
    combine<5>(model, tree, now,
               {h * 9017 / 3168, -h * 355 / 33, h * 46732 / 5247, h * 49 / 176, -h * 5103 / 18656},
               d, stage);
    if ((status = flow(model, tree, stage, tau, w, d[5])) != Status::kOk) return status;
    combine<6>(model, tree, now,
               {h * 35 / 384, 0, h * 500 / 1113, h * 125 / 192, -h * 2187 / 6784, h * 11 / 84}, d,
               next);
    if ((status = flow(model, tree, next, tau, w, d[6])) != Status::kOk) return status;
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

}  // namespace

Status integrate(const Model& model, const Tree& tree, const DofVector& tau,
                 const IntegratorSettings& settings, double h, State& state, Workspace& w,
                 std::span<const Force<double>> f_ext) noexcept {
  const Efforts efforts{tau, f_ext};
  const double end = state.time + h;
  Status status = Status::kOk;  // each method writes the state as the last thing it does
  switch (settings.method) {
    case Method::kRungeKutta4: status = runge_kutta_4(model, tree, efforts, h, state, w); break;
    case Method::kSemiImplicitEuler:
      status = semi_implicit_euler(model, tree, efforts, h, state, w);
      break;
    case Method::kDormandPrince:
      status = dormand_prince(model, tree, efforts, settings, h, state, w);
      break;
  }
  if (status == Status::kOk) state.time = end;
  return status;
}

}  // namespace stance
