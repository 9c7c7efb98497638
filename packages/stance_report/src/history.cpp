#include "history.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "stance_core/spatial/rotation.hpp"

namespace stance::report {
namespace {

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

namespace {

// On the line through a and b. b is the nearer one: what is not a number is taken from it.
Sample continued(const Sample& a, const Sample& b, double time) {
  const double s = (time - b.time) / (b.time - a.time);
  const auto on = [s](const auto& x, const auto& y) { return y + (y - x) * s; };
  Sample c = b;
  c.time = time;
  c.jump = false;
  if (std::abs(b.angle - a.angle) < M_PI) c.angle = on(a.angle, b.angle);
  c.rate = on(a.rate, b.rate);
  c.energy = {on(a.energy.kinetic, b.energy.kinetic), on(a.energy.potential, b.energy.potential)};
  for (std::size_t i = 0; i < c.q.size(); ++i) c.q[i] = on(a.q[i], b.q[i]);
  for (std::size_t i = 0; i < c.points.size(); ++i) c.points[i] = on(a.points[i], b.points[i]);
  return c;
}

// A line through two samples can be continued by about their distance.
bool near(const Sample& a, const Sample& b, double time) {
  return std::abs(time - b.time) < 2 * std::abs(b.time - a.time);
}

}  // namespace

std::deque<Sample> with_jumps(const std::deque<Sample>& samples) {
  std::deque<Sample> result;
  const std::size_t n = samples.size();
  for (std::size_t i = 0; i < n; ++i) {
    const Sample& s = samples[i];
    const double time = s.jump_time;
    if (!s.jump || i == 0 || time < samples[i - 1].time || time > s.time) {
      result.push_back(s);
      continue;
    }
    if (i >= 2 && !samples[i - 1].jump && near(samples[i - 2], samples[i - 1], time)) {
      result.push_back(continued(samples[i - 2], samples[i - 1], time));
    }
    Sample after = s;
    if (i + 1 < n && !samples[i + 1].jump && near(samples[i + 1], s, time)) {
      result.push_back(continued(samples[i + 1], s, time));
      result.back().jump = true;
      after.jump = false;
    }
    result.push_back(after);
  }
  return result;
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
  if (steps_.size() > steps_kept_ + 1) steps_.pop_front();
}

void History::forget() {
  const double now = samples_.back().time;
  // the sample before a step's first is the state before its touchdown: it stays
  const double horizon = std::min(now - kSeconds,
                                  steps_.size() <= steps_kept_ ? now : steps_.front());
  while (samples_.size() > kMaxSamples || (samples_.size() > 2 && samples_[1].time < horizon)) {
    samples_.pop_front();
  }
  while (!contacts_.empty() && contacts_.front().to < samples_.front().time) contacts_.pop_front();
}

}  // namespace stance::report
