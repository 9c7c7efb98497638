#include "history.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "stance_core/spatial/rotation.hpp"

namespace stance::report {
namespace {

constexpr std::size_t kSteps = 5;          // touchdowns, so four steps
constexpr double kSeconds = 6;             // of the time line, at least
constexpr std::size_t kMaxSamples = 8000;  // whatever the gait

// The part of a rotation that is about `axis`, in (-pi, pi]: the twist of its swing-twist split.
double angle_about(const Vec3<double>& axis, const Mat3<double>& R) {
  const Quaternion r = quaternion(R);
  const double angle = 2 * std::atan2(axis.x * r.x + axis.y * r.y + axis.z * r.z, r.w);
  return std::remainder(angle, 2 * M_PI);
}

}  // namespace

Sample take_sample(const Model& model, const SimulatorSettings& settings, const Skeleton& skeleton,
                   const Tree& tree, const State& state, int support, const Energies& energy,
                   const Workspace& w) {
  Sample sample;
  sample.time = state.time;
  sample.support = support;
  sample.energy = energy;
  if (settings.foot_count > 0) {
    const BodyId leg = model.frames[settings.feet[0].frame].body;
    const auto [X_WH, V_H] = body_motion(model, tree, state, leg);
    sample.angle = angle_about(settings.ground.lateral,
                               X_WH.R * transpose(model.bodies[leg].R_bind));
    sample.rate = dot(settings.ground.lateral, X_WH.R * V_H.w);
  }
  for (int i = 1; i < model.body_count; ++i) {
    const Joint& joint = model.joints[i];
    if (dof_count(joint.kind) == 1) sample.q.push_back(state.q[joint.q_index]);
  }
  for (const auto& node : skeleton.nodes) {
    const Transform<double> X_WH = w.X_WB[node.body] * inverse(tree.links[node.body].X_HB);
    sample.points.push_back(X_WH * node.p_H);
  }
  return sample;
}

void History::add(Sample sample) {
  samples_.push_back(std::move(sample));
  forget();
}

void History::touch(int foot, double time) {
  leave(foot, time);
  contacts_.push_back({foot, time});
}

void History::leave(int foot, double time) {
  for (auto& contact : contacts_) {
    if (contact.foot == foot && std::isinf(contact.to)) contact.to = time;
  }
}

void History::step(double time) {
  steps_.push_back(time);
  if (steps_.size() > kSteps) steps_.pop_front();
}

void History::forget() {
  const double now = samples_.back().time;
  // the sample before a step's first is the state before its touchdown: it stays
  const double horizon = std::min(now - kSeconds, steps_.size() < kSteps ? now : steps_.front());
  while (samples_.size() > kMaxSamples || (samples_.size() > 2 && samples_[1].time < horizon)) {
    samples_.pop_front();
  }
  while (!contacts_.empty() && contacts_.front().to < samples_.front().time) contacts_.pop_front();
}

}  // namespace stance::report
