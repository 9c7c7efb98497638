// What the sensors say at the end of a sub-step.
#include <algorithm>
#include <bit>
#include <cmath>

#include "stance_core/dynamics/rnea.hpp"
#include "stance_core/plant/noise.hpp"
#include "stance_core/plant/plant.hpp"

namespace stance {
namespace {

// Channels of noise: a kind of quantity, and the number of the thing that has it.
enum class Quantity : std::uint32_t {
  kJointPosition,
  kJointVelocity,
  kJointEffort,
  kBasePosition,
  kBaseOrientation,
  kBaseLinearVelocity,
  kBaseAngularVelocity,
  kImuOrientation,
  kImuAngularVelocity,
  kImuLinearAcceleration,
  kForce,
  kTorque,
  kFootForce,
  kFootTorque,
};

struct Noise {
  std::uint64_t seed, count;

  NoiseKey key(Quantity quantity, int index) const noexcept {
    return {seed, (static_cast<std::uint32_t>(quantity) << 16) | static_cast<std::uint32_t>(index),
            count};
  }
  void spoil(double& value, const ScalarError& error, Quantity quantity, int index) const noexcept {
    value += error.bias;
    if (error.deviation > 0) value += error.deviation * normal(key(quantity, index), 0);
  }
  Vec3<double> of(const VectorError& error, Quantity quantity, int index) const noexcept {
    if (error.deviation == 0) return error.bias;
    return error.bias + normal_vector(key(quantity, index)) * error.deviation;
  }
  void spoil(Vec3<double>& value, const VectorError& error, Quantity quantity,
             int index) const noexcept {
    value += of(error, quantity, index);
  }
  // A small turn about the link's own axes.
  void spoil(Quaternion& q, const VectorError& error, Quantity quantity, int index) const noexcept {
    const Vec3<double> turn = of(error, quantity, index);
    if (turn == Vec3<double>{}) return;
    q = normalized(q * exponential(turn));
  }
};

// A reading goes into its line, and the one of as many sub-steps ago as the line is long comes out.
void delay(const DelayLine& line, std::uint64_t step, bool first, std::span<double> numbers,
           DelayPool& pool) noexcept {
  if (line.width == 0) return;
  if (first) fill(line, numbers, pool);
  put(line, step, numbers, pool);
  get(line, step, line.longest, pool, numbers);
}

template <class Reading>
Reading delayed(const DelayLine& line, std::uint64_t step, bool first, const Reading& reading,
                DelayPool& pool) noexcept {
  if (line.width == 0) return reading;
  auto numbers = std::bit_cast<std::array<double, sizeof(Reading) / sizeof(double)>>(reading);
  delay(line, step, first, numbers, pool);
  return std::bit_cast<Reading>(numbers);
}

Transform<double> frame_in_kernel(const Tree& tree, const Frame& frame) noexcept {
  return inverse(tree.links[frame.body].X_HB) * frame.X_HF;
}

}  // namespace

void Plant::debounce() noexcept {
  for (int i = 0; i < simulator_.settings().foot_count; ++i) {
    const bool raw = simulator_.foot_mode(i) != ContactMode::kOpen;
    int& steps = state_.contact_steps[i];
    steps = raw == state_.contact[i] ? 0 : steps + 1;
    if (steps > sub_steps(raw ? settings_.feet[i].on_time : settings_.feet[i].off_time)) {
      state_.contact[i] = raw;
      steps = 0;
    }
  }
}

// Accelerations and forces at the end of the sub-step under the efforts that acted in it: in the workspace.
Status Plant::compute_forces() noexcept {
  const State& state = simulator_.state();
  const Tree& tree = simulator_.tree();
  Workspace& w = simulator_.workspace();
  DofVector a{}, tau;
  work_.sensors += kSensorPasses;
  if (const Status status = simulator_.observe(state_.efforts.total, f_ext(), a, load_);
      status != Status::kOk)
    return status;
  // feet on the ground beside the root's are forces on their bodies
  std::array<Force<double>, kMaxBodies> forces;
  std::copy(f_ext_.begin(), f_ext_.begin() + model_.body_count, forces.begin());
  if (!pushed_) std::fill(forces.begin(), forces.begin() + model_.body_count, Force<double>{});
  for (int i = 0; i < simulator_.site_count(); ++i) {
    const Site& site = simulator_.site(i);
    if (site.foot == simulator_.support_foot() &&
        simulator_.mode().sites[i].mode == ContactMode::kStick)
      continue;
    if (load_.force_W[i] == Vec3<double>{}) continue;
    const Transform<double> X_WH = body_motion(model_, tree, state, site.point.body).X_WH;
    const Vec3<double> f_H = transpose_times(X_WH.R, load_.force_W[i]);
    const Vec3<double> p_H = transpose_times(X_WH.R, simulator_.site_point(i) - X_WH.p);
    forces[site.point.body] += Force<double>{cross(p_H, f_H), f_H};
  }
  return rnea(model_, tree, state, a, {forces.data(), static_cast<std::size_t>(model_.body_count)},
              w, tau);
}

// What the ground gave the feet in this sub-step, about their origins in world axes.
void Plant::gather_impulses() noexcept {
  state_.foot_time += simulator_.settings().step;
  for (int i = 0; i < simulator_.site_count(); ++i) {
    const Vec3<double>& impulse_W = simulator_.impulses()[i];
    if (impulse_W == Vec3<double>{}) continue;
    const Site& site = simulator_.site(i);
    const Frame& frame = model_.frames[simulator_.settings().feet[site.foot].frame];
    const Vec3<double> origin_W =
        body_motion(model_, simulator_.tree(), simulator_.state(), frame.body).X_WH * frame.X_HF.p;
    state_.foot_impulses[site.foot] += Force<double>{
        cross(simulator_.site_point(i) - origin_W, impulse_W), impulse_W};
  }
}

FootReading Plant::read_foot(int foot) const noexcept {
  FootReading reading;
  const ContactMode mode = simulator_.foot_mode(foot);
  reading.contact = state_.contact[foot] ? 1 : 0;
  reading.contact_raw = mode != ContactMode::kOpen ? 1 : 0;
  reading.support = foot == simulator_.support_foot() ? 1 : 0;
  const Frame& frame = model_.frames[simulator_.settings().feet[foot].frame];
  const PoseTwist motion = body_motion(model_, simulator_.tree(), simulator_.state(), frame.body);
  const Transform<double> X_WF = motion.X_WH * frame.X_HF;
  const Motion<double> V_F = to_child(frame.X_HF, motion.V_H);
  const Mat3<double>& R_WF = X_WF.R;
  reading.position = X_WF.p;
  reading.orientation = quaternion(R_WF);
  reading.linear_velocity = R_WF * V_F.v;
  reading.angular_velocity = R_WF * V_F.w;
  const Vec3<double>& normal = simulator_.settings().ground.normal;
  reading.normal = normal;
  Vec3<double> force_W;
  for (int i = 0; i < simulator_.site_count(); ++i) {
    if (simulator_.site(i).foot != foot) continue;
    force_W += load_.force_W[i];
    if (mode != ContactMode::kSlide || simulator_.mode().sites[i].mode != ContactMode::kSlide)
      continue;
    const Vec3<double> u = simulator_.site_velocity(i);
    reading.slip = std::max(reading.slip, norm(u - normal * dot(normal, u)));
  }
  if (!settings_.foot_forces) return reading;
  reading.force_now = transpose_times(R_WF, force_W);
  if (state_.foot_time > 0) {
    reading.force = transpose_times(R_WF, state_.foot_impulses[foot].f) * (1 / state_.foot_time);
    reading.torque = transpose_times(R_WF, state_.foot_impulses[foot].n) * (1 / state_.foot_time);
  } else {
    reading.force = reading.force_now;
  }
  return reading;
}

// Of a reading over foot_time, with those before it in the period.
void Plant::average(FootReading& reading, Force<double>& mean) const noexcept {
  const double share = state_.foot_time / state_.foot_period;
  mean.f += (reading.force - mean.f) * share;
  mean.n += (reading.torque - mean.n) * share;
  reading.force = mean.f;
  reading.torque = mean.n;
}

Status Plant::sample(bool first, bool last) noexcept {
  const State& state = simulator_.state();
  const Tree& tree = simulator_.tree();
  const Workspace& w = simulator_.workspace();
  const Noise noise{settings_.seed, state_.step};
  if (needs_forces_) {
    if (const Status status = compute_forces(); status != Status::kOk) return status;
  }

  // joints
  std::array<double, std::size_t{3} * kMaxBodies> all{};
  for (int i = 1; i < model_.body_count; ++i) {
    const Joint& joint = model_.joints[i];
    if (dof_count(joint.kind) != 1) continue;
    JointReading reading{state.q[joint.q_index], state.v[joint.v_index], state_.efforts.motor[i]};
    if (state_.is_frozen[i]) reading.position = state_.frozen[i], reading.velocity = 0;
    const JointSensor& sensor = settings_.joint_sensors[i];
    noise.spoil(reading.position, sensor.position, Quantity::kJointPosition, i);
    noise.spoil(reading.velocity, sensor.velocity, Quantity::kJointVelocity, i);
    noise.spoil(reading.effort, sensor.effort, Quantity::kJointEffort, i);
    const std::size_t k = std::size_t{3} * static_cast<std::size_t>(i);
    all[k] = reading.position, all[k + 1] = reading.velocity, all[k + 2] = reading.effort;
  }
  delay(joint_line_, state_.step, first, all, state_.pool);
  for (std::size_t i = 1; i < static_cast<std::size_t>(model_.body_count); ++i)
    state_.joints[i] = {all[3 * i], all[3 * i + 1], all[3 * i + 2]};

  const auto out = [&](const DelayLine& line, const auto& reading) {
    return delayed(line, state_.step, first, reading, state_.pool);
  };
  const PoseTwist motion = body_motion(model_, tree, state, BodyId(0));
  BaseReading base{motion.X_WH.p, quaternion(motion.X_WH.R), motion.V_H.v, motion.V_H.w};
  noise.spoil(base.position, settings_.base.position, Quantity::kBasePosition, 0);
  noise.spoil(base.orientation, settings_.base.orientation, Quantity::kBaseOrientation, 0);
  noise.spoil(base.linear_velocity, settings_.base.linear_velocity, Quantity::kBaseLinearVelocity,
              0);
  noise.spoil(base.angular_velocity, settings_.base.angular_velocity,
              Quantity::kBaseAngularVelocity, 0);
  state_.base = out(base_line_, base);

  for (int i = 0; i < static_cast<int>(settings_.imus.size()); ++i) {
    const ImuSettings& imu = settings_.imus[static_cast<std::size_t>(i)];
    const Frame& frame = model_.frames[imu.frame];
    const Transform<double> X_BF = frame_in_kernel(tree, frame);
    const Motion<double> v = to_child(X_BF, w.v[frame.body]), a = to_child(X_BF, w.a[frame.body]);
    const Mat3<double> R = body_motion(model_, tree, state, frame.body).X_WH.R * frame.X_HF.R;
    // w.a is without gravity's share, and the acceleration of a point is that of the frame's components plus w × v
    ImuReading reading{quaternion(R), v.w, a.v + cross(v.w, v.v)};
    noise.spoil(reading.orientation, imu.orientation, Quantity::kImuOrientation, i);
    noise.spoil(reading.angular_velocity, imu.angular_velocity, Quantity::kImuAngularVelocity, i);
    noise.spoil(reading.linear_acceleration, imu.linear_acceleration,
                Quantity::kImuLinearAcceleration, i);
    state_.imus[i] = out(imu_lines_[i], reading);
  }

  for (int i = 0; i < static_cast<int>(settings_.force_torques.size()); ++i) {
    const ForceTorqueSettings& sensor = settings_.force_torques[static_cast<std::size_t>(i)];
    const Force<double> f = force_on_child(sensor.joint, w);
    ForceTorqueReading reading{-f.f, -f.n};
    noise.spoil(reading.force, sensor.force, Quantity::kForce, i);
    noise.spoil(reading.torque, sensor.torque, Quantity::kTorque, i);
    state_.force_torques[i] = out(force_torque_lines_[i], reading);
  }

  state_.foot_period += state_.foot_time;
  for (int i = 0; i < simulator_.settings().foot_count; ++i) {
    const FootSensor& sensor = settings_.feet[i];
    FootReading& reading = state_.feet[i];
    reading = out(foot_lines_[i], read_foot(i));
    if (latent_ && !first) average(reading, state_.foot_means[i]);
    noise.spoil(reading.force, sensor.force, Quantity::kFootForce, i);
    noise.spoil(reading.torque, sensor.torque, Quantity::kFootTorque, i);
  }
  state_.foot_impulses = {};
  state_.foot_time = 0;
  if (last) {
    state_.foot_means = {};
    state_.foot_period = 0;
  }
  return Status::kOk;
}

// The force across a joint on the file's child, in the child link's frame. The walk may cross the joint backwards: then
// it knows the force on the file's parent, in the joint's near frame.
Force<double> Plant::force_on_child(JointId joint, const Workspace& w) const noexcept {
  const Tree& tree = simulator_.tree();
  const BodyId child(joint);
  const Frame& link = model_.frames[model_.bodies[child].link];
  if (tree.links[child].joint == joint) return to_child(link.X_HF, w.f[child]);
  const Joint& j = model_.joints[joint];
  const Transform<double> X_NH = joint_transform(j.kind, &simulator_.state().q[j.q_index]);
  return to_child(link.X_HF, to_child(X_NH, -w.f[model_.bodies[child].parent]));
}

std::uint64_t Plant::hash() const noexcept {
  std::uint64_t h = simulator_.hash();
  const auto mix = [&](const auto& reading) {
    const auto words =
        std::bit_cast<std::array<std::uint64_t, sizeof(reading) / sizeof(std::uint64_t)>>(reading);
    for (const std::uint64_t word : words)
      h = (h ^ word) * 1099511628211u;  // FNV-1a, as the simulator's
  };
  for (int i = 1; i < model_.body_count; ++i) mix(state_.joints[i]);
  mix(state_.base);
  for (std::size_t i = 0; i < settings_.imus.size(); ++i) mix(state_.imus[i]);
  for (std::size_t i = 0; i < settings_.force_torques.size(); ++i) mix(state_.force_torques[i]);
  for (int i = 0; i < simulator_.settings().foot_count; ++i) mix(state_.feet[i]);
  return h;
}

}  // namespace stance
