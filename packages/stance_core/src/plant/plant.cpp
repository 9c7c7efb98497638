// The cycle of a plant, and what a test bench does to it.
#include "stance_core/plant/plant.hpp"

#include <algorithm>
#include <cmath>

#include "stance_core/hybrid/worst_case.hpp"

namespace stance {
namespace {

std::array<double, 5> numbers(const Setpoint& s) noexcept {
  return {s.position, s.velocity, s.effort, s.kp, s.kd};
}

bool finite(const Vec3<double>& v) noexcept {
  return std::isfinite(v.x) && std::isfinite(v.y) && std::isfinite(v.z);
}

// Drops the entries that are over.
template <class Items, class Over>
void drop(Items& items, int& count, const Over& over) noexcept {
  int kept = 0;
  for (int k = 0; k < count; ++k) {
    if (!over(items[k])) items[kept++] = items[k];
  }
  count = kept;
}

}  // namespace

bool Plant::is_driven(JointId joint) const noexcept {
  return joint >= 1 && joint < model_.body_count && driven_[joint];
}

double Plant::simulated_time() const noexcept {
  return static_cast<double>(state_.step) * simulator_.settings().step;
}

// ---- commands

Status Plant::switch_commands(JointId joint, CommandSet set) noexcept {
  if (!is_driven(joint) || !is_valid(set)) return Status::kBadCommand;
  const double q = simulator_.state().q[model_.joints[joint].q_index];
  state_.commands[joint] = set;
  state_.written[joint] = setpoint_at(q);
  state_.reference[joint] = q;
  fill(command_lines_[joint], numbers(state_.written[joint]), state_.pool);
  return Status::kOk;
}

Status Plant::write(JointId joint, const Command& command) noexcept {
  if (!is_driven(joint)) return Status::kBadCommand;
  for (int k = 0; k < state_.fault_count; ++k) {
    if (state_.faults[k].kind == FaultKind::kDroppedCommands && acts(state_.faults[k], joint))
      return Status::kOk;  // the sender cannot know
  }
  if (accept(state_.commands[joint], command, state_.written[joint])) return Status::kOk;
  ++refused_;
  return Status::kBadCommand;
}

Status Plant::write_push_off(double impulse) noexcept {
  if (std::isnan(impulse)) return Status::kOk;
  if (const Status status = simulator_.set_push_off(impulse); status != Status::kOk) {
    ++refused_;
    return status;
  }
  state_.push_off = impulse;
  return Status::kOk;
}

// Faults are compared with the middle of the sub-step: times that are multiples of the step are not a matter of rounding.
bool Plant::acts(const Fault& fault, JointId joint) const noexcept {
  const double middle = simulated_time() + 0.5 * simulator_.settings().step;
  return (!fault.joint.valid() || fault.joint == joint) && middle >= fault.start && !is_over(fault);
}

bool Plant::is_over(const Fault& fault) const noexcept {
  const double middle = simulated_time() + 0.5 * simulator_.settings().step;
  return middle >= fault.start + fault.duration;
}

// ---- the step

Status Plant::step(int n) noexcept {
  PlantWork work;
  Status status = Status::kOk;
  for (int k = 0; k < n && status == Status::kOk; ++k) {
    if (paused_) {
      if (allowed_ == 0) break;
      --allowed_;
    }
    status = sub_step(k == n - 1 || (paused_ && allowed_ == 0));
    work += work_;
  }
  work_ = work;
  return status;
}

Status Plant::sub_step(bool last) noexcept {
  work_ = {};
  if (simulator_.fallen()) return Status::kFallen;
  if (const Status status = compute_efforts(); status != Status::kOk) return status;
  const Status status = simulator_.step(state_.efforts.total, f_ext());
  work_.simulator = simulator_.work();
  if (status != Status::kOk) return status;
  ++state_.step;
  gather_impulses();
  const auto& saturated = state_.efforts.saturated;
  if (std::find(saturated.begin(), saturated.end(), true) != saturated.end()) ++saturated_;
  const double now = simulated_time();
  drop(state_.wrenches, state_.wrench_count,
       [&](const Wrench& wrench) { return wrench.start + wrench.duration <= now; });
  drop(state_.faults, state_.fault_count, [&](const Fault& fault) { return is_over(fault); });
  debounce();
  return last || latent_ ? sample(false, last) : Status::kOk;
}

Status Plant::compute_efforts() noexcept {
  for (int i = 1; i < model_.body_count; ++i) {
    if (driven_[i]) drives_[i] = drive(JointId(i));
  }
  pushed_ = wrench_forces(model_, simulator_.tree(), simulator_.state(),
                          {state_.wrenches.data(), static_cast<std::size_t>(state_.wrench_count)},
                          simulated_time(), simulator_.settings().step,
                          {f_ext_.data(), static_cast<std::size_t>(model_.body_count)});
  struct OnItsContacts final : Dynamics {
    Simulator& simulator;
    std::span<const Force<double>> f_ext;
    OnItsContacts(Simulator& of, std::span<const Force<double>> forces)
        : simulator(of), f_ext(forces) {}
    Status solve(const Tree& tree, const DofVector& tau, DofVector& a) noexcept override {
      return simulator.predict(tree, tau, f_ext, a);
    }
  };
  OnItsContacts dynamics(simulator_, f_ext());
  const Status status = drive_efforts(model_, simulator_.tree(), simulator_.state(), drives_,
                                      settings_.actuators, simulator_.settings().step,
                                      settings_.theta, dynamics, scratch_, state_.efforts);
  work_.drives += state_.efforts.solves;
  return status;
}

long long forward_dynamics(const PlantWork& work, const IntegratorSettings& settings) noexcept {
  return forward_dynamics(work.simulator, settings) + work.drives + work.sensors;
}

PlantWork Plant::worst_work(int n) const noexcept {
  const StepWork step = worst_case(simulator_.settings()).everything;
  const bool drives = std::find(driven_.begin(), driven_.end(), true) != driven_.end();
  const long long samples = latent_ ? n : std::min(n, 1);
  return {{n * step.integrations, n * step.looks, n * step.impacts},
          drives ? static_cast<long long>(n) * kMaxDriveSolves : 0,
          needs_forces_ ? samples * kSensorPasses : 0};
}

// The law of a joint in this sub-step: its commands as they leave the delay line, and its faults.
Drive Plant::drive(JointId joint) noexcept {
  Drive drive;
  drive.active = true;
  int delay = sub_steps(settings_.actuators[joint].delay);
  bool frozen = false;
  for (int k = 0; k < state_.fault_count; ++k) {
    const Fault& fault = state_.faults[k];
    if (!acts(fault, joint)) continue;
    switch (fault.kind) {
      case FaultKind::kTorqueLoss: drive.strength *= 1 - fault.amount; break;
      case FaultKind::kLatencySpike: delay += sub_steps(fault.amount); break;
      case FaultKind::kFrozenEncoder: frozen = true; break;
      case FaultKind::kDroppedCommands: break;  // in write()
    }
  }
  const DelayLine& line = command_lines_[joint];
  put(line, state_.step, numbers(state_.written[joint]), state_.pool);
  std::array<double, 5> out;
  get(line, state_.step, std::min(delay, line.longest), state_.pool, out);
  const Setpoint s{out[0], out[1], out[2], out[3], out[4]};

  const CommandSet set = state_.commands[joint];
  const auto takes = [&](CommandSet one) { return (set & one) != 0; };
  const Servo& servo = settings_.actuators[joint].servo;
  const double q = simulator_.state().q[model_.joints[joint].q_index];
  drive.feed_forward = s.effort;
  drive.q_target = s.position;
  drive.v_target = s.velocity;
  if (takes(kKpCommand) || takes(kKdCommand)) {
    drive.kp = s.kp;
    drive.kd = s.kd;
  } else if (takes(kPositionCommand)) {
    drive.kp = servo.kp;
    drive.kd = servo.kd;
  } else if (takes(kVelocityCommand)) {
    drive.kp = servo.kp;
    drive.kd = servo.kd;
    const double h = simulator_.settings().step;
    double& reference = state_.reference[joint];
    if (servo.kp > 0) {  // no further ahead than the motor can pull
      const double reach = settings_.actuators[joint].effort_limit / servo.kp;
      reference = std::clamp(reference, q - reach, q + reach);
    }
    drive.q_target = reference + settings_.theta * h * s.velocity;
    reference += h * s.velocity;
  }

  // the drive reads the same encoder
  if (frozen && !state_.is_frozen[joint]) state_.frozen[joint] = q;
  state_.is_frozen[joint] = frozen;
  if (frozen) {
    drive.feed_forward += drive.kp * (drive.q_target - state_.frozen[joint]) +
                          drive.kd * drive.v_target;
    drive.kp = drive.kd = 0;
  }
  return drive;
}

std::span<const Force<double>> Plant::f_ext() const noexcept {
  if (!pushed_) return {};
  return {f_ext_.data(), static_cast<std::size_t>(model_.body_count)};
}

bool Plant::pop_event(ContactEvent& event) noexcept {
  if (!simulator_.events().pop(event)) return false;
  event.time += offset_;
  return true;
}

// ---- test bench

void Plant::pause(bool paused) noexcept {
  paused_ = paused;
  allowed_ = 0;
}

// Sets the simulator, and time() goes on from where it was.
void Plant::begin(const SimulatorSnapshot& snapshot) noexcept {
  const double back = simulator_.state().time - snapshot.state.time;
  simulator_.restore(snapshot);
  offset_ += back;
  simulator_.events().shift_times(-back);
  ++epoch_;
}

Status Plant::reset(int keyframe) noexcept {
  if (keyframe < 0 || keyframe >= static_cast<int>(settings_.keyframes.size()))
    return Status::kBadCommand;
  SimulatorSnapshot snapshot = settings_.keyframes[static_cast<std::size_t>(keyframe)].snapshot;
  snapshot.state.time = snapshot.start_time = 0;
  snapshot.step_count = 0;
  begin(snapshot);
  work_ = {};
  state_.step = 0;
  state_.is_frozen = {};
  state_.efforts = {};
  state_.push_off = own_push_off_;
  if (can_push_off()) (void)simulator_.set_push_off(state_.push_off);
  state_.fault_count = 0;
  state_.wrench_count = static_cast<int>(settings_.wrenches.size());
  std::copy(settings_.wrenches.begin(), settings_.wrenches.end(), state_.wrenches.begin());
  for (int i = 1; i < model_.body_count; ++i) {
    if (driven_[i]) (void)switch_commands(JointId(i), state_.commands[i]);
  }
  state_.contact_steps = {};
  state_.contact = {};
  for (int i = 0; i < simulator_.settings().foot_count; ++i)
    state_.contact[i] = simulator_.foot_mode(i) != ContactMode::kOpen;
  state_.foot_impulses = {};
  state_.foot_time = 0;
  state_.foot_means = {};
  state_.foot_period = 0;
  if (const Status status = compute_efforts(); status != Status::kOk) return status;
  return sample(true, true);
}

void Plant::save(PlantSnapshot& snapshot) const noexcept {
  snapshot.simulator = simulator_.save();
  snapshot.plant = state_;
}

void Plant::restore(const PlantSnapshot& snapshot) noexcept {
  begin(snapshot.simulator);
  state_ = snapshot.plant;
  if (can_push_off()) (void)simulator_.set_push_off(state_.push_off);
}

Status Plant::push(Wrench wrench) noexcept {
  const bool sound = wrench.frame >= 0 && wrench.frame < model_.frame_count &&
                     finite(wrench.point_F) && finite(wrench.force_W) && finite(wrench.torque_W) &&
                     wrench.start >= 0 && std::isfinite(wrench.start) && wrench.duration > 0 &&
                     std::isfinite(wrench.duration) && wrench.ramp >= 0 &&
                     2 * wrench.ramp <= wrench.duration;
  if (!sound) return Status::kBadCommand;
  if (state_.wrench_count == kMaxWrenches) return Status::kFull;
  wrench.start += simulated_time();
  state_.wrenches[state_.wrench_count++] = wrench;
  return Status::kOk;
}

Status Plant::inject(Fault fault) noexcept {
  const bool amount_fits = fault.kind == FaultKind::kTorqueLoss
                               ? fault.amount >= 0 && fault.amount <= 1
                           : fault.kind == FaultKind::kLatencySpike
                               ? fault.amount >= 0 && fault.amount <= latency_room()
                               : true;
  const bool sound = (!fault.joint.valid() || is_driven(fault.joint)) && fault.start >= 0 &&
                     std::isfinite(fault.start) && fault.duration > 0 && amount_fits;
  if (!sound) return Status::kBadCommand;
  if (state_.fault_count == kMaxFaults) return Status::kFull;
  fault.start += simulated_time();
  state_.faults[state_.fault_count++] = fault;
  return Status::kOk;
}

}  // namespace stance
