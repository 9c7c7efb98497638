#include "stance_core/plant/lock_step.hpp"

#include <cmath>
#include <utility>

namespace stance {

LockStep::LockStep(std::unique_ptr<Plant> plant, int sub_steps, std::vector<ContactEvent> opening)
    : plant_(std::move(plant)),
      sub_steps_(sub_steps),
      opening_(std::move(opening)),
      period_(std::llround(1e9 * sub_steps * plant_->simulator().settings().step)) {}

std::int64_t LockStep::stamp_of(double time) const noexcept {
  return origin_ + std::llround(1e9 * time);
}

void LockStep::run(std::int64_t now) noexcept {
  origin_ += now - stamp();
  clock_.set(now);
  if (!opened_ && plant_->epoch() == 0) open();  // it may have been reset into another keyframe
}

void LockStep::forget_requests() noexcept {
  for (Request stale; requests_.pop(stale);) {
  }
  for (Answer late; answers_.pop(late);) {
  }
}

// ---- events

void LockStep::emit(ContactEvent event) noexcept {
  if (event.kind == EventKind::kFall) fallen_ = event.frame;
  event.sequence += sequence_shift_;
  const StampedEvent stamped{event, stamp_of(event.time), plant_->epoch()};
  ++pushed_;
  if (!events_.push(stamped)) ++lost_;
}

// What led to the state that the plant starts from.
void LockStep::open() noexcept {
  opened_ = true;
  for (ContactEvent event : opening_) {
    event.sequence = pushed_ - sequence_shift_ + plant_->dropped_events();
    event.time += plant_->time();
    emit(event);
    ++sequence_shift_;
  }
}

// ---- waiting for controllers

void LockStep::wait_for(std::span<const JointId> joints) noexcept {
  awaited_ = {};
  for (const JointId joint : joints) awaited_[joint] = true;
  waits_ = true;
  plant_->pause(true);
}

bool LockStep::is_driven() const noexcept {
  for (int i = 1; i < plant_->model().body_count; ++i)
    if (awaited_[i] && plant_->commands(JointId(i)) == kNoCommand) return false;
  return true;
}

void LockStep::go_on() noexcept {
  waits_ = false;
  plant_->pause(false);
}

// ---- the cycle

Status LockStep::cycle() noexcept {
  Request request;
  while (requests_.pop(request)) carry_out(request);

  if (waits_ && is_driven()) go_on();
  if (status_ == Status::kOk) status_ = plant_->step(sub_steps_);
  if (status_ == Status::kFallen) status_ = Status::kOk;  // it lies there, and waits for a reset
  ContactEvent event;
  while (plant_->pop_event(event)) emit(event);
  origin_ += clock_.advance(period_) - stamp();
  cycles_.store(cycles() + 1, std::memory_order_relaxed);

  if (steps_left_ > 0) {
    steps_left_ -= sub_steps_;
    if (steps_left_ <= 0 || status_ != Status::kOk || plant_->fallen()) {
      steps_left_ = 0;
      const Refusal refusal = status_ != Status::kOk ? Refusal::kStatus
                              : plant_->fallen()     ? Refusal::kFallen
                                                     : Refusal::kNone;
      (void)answers_.push({step_request_, refusal, status_, {}});
    }
  }
  if (report_wanted_.load(std::memory_order_relaxed) &&
      report_wanted_.exchange(false, std::memory_order_acq_rel)) {
    fill(reports_.slot());
    reports_.publish();
  }
  return status_;
}

void LockStep::measured(std::int64_t time, std::int64_t since_last) noexcept {
  last_time_ = time;
  times_.add(time);
  if (time > period_) ++overruns_;
  if (since_last > 0) jitter_.add(std::abs(since_last - period_));
}

// ---- requests

void LockStep::carry_out(const Request& request) noexcept {
  const Answer answer = answer_to(request);
  const bool waits = request.kind == RequestKind::kStep && answer.refusal == Refusal::kNone;
  if (!waits) (void)answers_.push(answer);  // as many fit as requests do
}

Answer LockStep::answer_to(const Request& request) noexcept {
  Answer answer{request.id, Refusal::kNone, Status::kOk, {}};
  const auto refuse = [&](Refusal refusal, Status status = Status::kOk) {
    answer.refusal = refusal;
    answer.status = status;
    return answer;
  };
  Status status = Status::kOk;
  switch (request.kind) {
    case RequestKind::kReset:
      for (int i = 1; i < plant_->model().body_count && !request.force; ++i) {
        answer.joint = JointId(i);
        if (plant_->commands(answer.joint) != kNoCommand) return refuse(Refusal::kCommanded);
      }
      status = plant_->reset(request.keyframe);
      if (status != Status::kOk) return refuse(Refusal::kStatus, status);
      status_ = Status::kOk;
      if (request.keyframe == 0) open();
      return answer;
    case RequestKind::kPause:
    case RequestKind::kGoOn:
      waits_ = false;  // whoever asks knows better
      plant_->pause(request.kind == RequestKind::kPause);
      return answer;
    case RequestKind::kStep:
      if (!plant_->paused()) return refuse(Refusal::kRunning);
      if (plant_->fallen()) return refuse(Refusal::kFallen);
      if (request.steps < 1 || steps_left_ > 0)
        return refuse(Refusal::kStatus, Status::kBadCommand);
      plant_->allow_steps(request.steps);
      steps_left_ = request.steps;
      step_request_ = request.id;
      return answer;
    case RequestKind::kPush: status = plant_->push(request.wrench); break;
    case RequestKind::kInject: status = plant_->inject(request.fault); break;
    case RequestKind::kClearFaults: plant_->clear_faults(); break;
  }
  return status == Status::kOk ? answer : refuse(Refusal::kStatus, status);
}

// ---- the report

void LockStep::fill(Report& report) const noexcept {
  const Plant& plant = *plant_;
  report.stamp = stamp();
  report.time = plant.simulator().state().time;
  report.steps = static_cast<std::uint64_t>(
      std::llround(report.time / plant.simulator().settings().step));
  report.epoch = plant.epoch();
  report.cycles = cycles();
  report.paused = plant.paused();
  report.fallen = plant.fallen();
  report.waits = waits_;
  report.fallen_frame = report.fallen ? fallen_ : FrameId();
  report.status = status_;
  report.hash = plant.simulator().hash();
  report.events = pushed_ - lost_;
  report.dropped_events = lost_ + plant_->dropped_events();
  report.refused_commands = plant.refused_commands();
  report.saturated_steps = plant.saturated_steps();
  report.refused_joint = refused_joint_;
  report.support_foot = plant.simulator().support_foot();
  const Simulator& simulator = plant.simulator();
  report.foot_points = {};
  std::array<int, kMaxFeet> sites{};
  for (int i = 0; i < simulator.site_count(); ++i) {
    if (simulator.mode().sites[i].mode == ContactMode::kOpen) continue;
    const int foot = simulator.site(i).foot;
    report.foot_points[foot] += simulator.site_point(i);
    ++sites[foot];
  }
  for (int i = 0; i < simulator.settings().foot_count; ++i) {
    report.foot_modes[i] = simulator.foot_mode(i);
    if (sites[i] > 0) report.foot_points[i] = report.foot_points[i] * (1.0 / sites[i]);
  }
  report.last_time = last_time_;
  report.overruns = overruns_;
  report.times = times_;
  report.jitter = jitter_;
}

}  // namespace stance
