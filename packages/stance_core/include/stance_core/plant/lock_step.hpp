// A plant in step with a controller, and its ways to other threads.
//
//   configure      LockStep(plant, sub-steps per cycle, opening events)
//   real-time      lock_step.run(now); each cycle: plant().write(...), cycle(), and states are read from plant()
//   other threads  pop(event)                          every event, stamped
//                  ask(request), then take(answer)     what a test bench wants
//                  want_report(), then update_report() how it fares
//
// One cycle: requests are carried out; the plant does its sub-steps; events go into a ring with their stamps; the clock
// moves on by the cycle's period, also where the plant stood still (a pause, a fall), so that whoever waits for the
// clock goes on. Stamps never go back: they are the plant's time from an origin that grows by what was not simulated, and
// by the nanoseconds that others nudged the clock.
//
// cycle() allocates, locks, prints and throws nothing and waits for nobody. Each other function belongs to one thread.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "stance_core/base/latest.hpp"
#include "stance_core/base/spsc_ring.hpp"
#include "stance_core/base/time_histogram.hpp"
#include "stance_core/plant/plant.hpp"
#include "stance_core/plant/simulation_clock.hpp"

namespace stance {

struct StampedEvent {
  ContactEvent event;  // its sequence counts all that were ever pushed, and its time is the plant's
  std::int64_t stamp = 0;   // ns, on the clock
  std::uint64_t epoch = 0;  // resets before it
};

enum class RequestKind : unsigned char {
  kReset,
  kPause,
  kGoOn,
  kStep,
  kPush,
  kInject,
  kClearFaults
};

struct Request {
  RequestKind kind{};
  std::uint64_t id = 0;  // to tell answers apart
  int keyframe = 0;      // kReset
  bool force = false;    // kReset: although joints are commanded
  int steps = 0;         // kStep: sub-steps of a paused plant
  Wrench wrench;         // kPush
  Fault fault;           // kInject
};

enum class Refusal : unsigned char {
  kNone,
  kCommanded,  // a reset, while `joint` is commanded
  kRunning,    // steps, of a plant that is not paused
  kFallen,     // steps, of a robot that lies on the ground
  kStatus,     // the plant's own: see `status`
};

struct Answer {
  std::uint64_t id = 0;
  Refusal refusal = Refusal::kNone;
  Status status = Status::kOk;
  JointId joint;
};

struct Report {
  std::int64_t stamp = 0;  // ns: of the state
  double time = 0;         // s, simulated since the last reset
  std::uint64_t steps = 0, epoch = 0, cycles = 0;
  bool paused = false, fallen = false;
  bool waits = false;           // for joints that nobody commands yet
  FrameId fallen_frame;         // what touched the ground that must not
  Status status = Status::kOk;  // why the plant stopped
  std::uint64_t hash = 0;
  std::uint64_t events = 0, dropped_events = 0, refused_commands = 0, saturated_steps = 0;
  JointId refused_joint;  // whose command was refused last
  int support_foot = -1;
  std::array<ContactMode, kMaxFeet> foot_modes{};
  std::array<Vec3<double>, kMaxFeet>
      foot_points{};           // the middle of what touches, in the world; zero in the air
  std::int64_t last_time = 0;  // ns, that the last cycle took
  std::uint64_t overruns = 0;
  TimeHistogram times;   // that cycles took
  TimeHistogram jitter;  // by how much the time from cycle to cycle differed from the period
};

class LockStep {
 public:
  // Opening events are those that led to the first keyframe: they come first, and again at each reset into it.
  LockStep(std::unique_ptr<Plant> plant, int sub_steps, std::vector<ContactEvent> opening = {});

  // ---- the real-time thread
  // The first cycle is about to come. The plant's present gets this stamp, in ns.
  void run(std::int64_t now) noexcept;
  // The plant stands still from now on, until each of these joints has commands, or a request says to go on.
  void wait_for(std::span<const JointId> joints) noexcept;
  // On a bad status the last good state stays. A fall is none.
  Status cycle() noexcept;
  // A command was refused: for the report.
  void refused(JointId joint) noexcept { refused_joint_ = joint; }
  // What the shell measured, ns: the time of this cycle, and from the last cycle to this one (0: not known).
  void measured(std::int64_t time, std::int64_t since_last) noexcept;
  std::int64_t stamp() const noexcept { return stamp_of(plant_->time()); }

  // ---- one other thread each
  [[nodiscard]] bool pop(StampedEvent& event) noexcept { return events_.pop(event); }
  [[nodiscard]] bool ask(const Request& request) noexcept { return requests_.push(request); }
  [[nodiscard]] bool take(Answer& answer) noexcept { return answers_.pop(answer); }
  std::uint64_t cycles() const noexcept { return cycles_.load(std::memory_order_relaxed); }
  void want_report() noexcept { report_wanted_.store(true, std::memory_order_release); }
  [[nodiscard]] bool update_report() noexcept { return reports_.update(); }
  const Report& report() const noexcept { return reports_.value(); }

  // ---- no other thread may run
  // What was asked while nobody called cycle(): whoever asked has given up.
  void forget_requests() noexcept;
  Plant& plant() noexcept { return *plant_; }
  const Plant& plant() const noexcept { return *plant_; }
  SimulationClock& clock() noexcept { return clock_; }
  int sub_steps() const noexcept { return sub_steps_; }
  std::int64_t period() const noexcept { return period_; }  // ns
  const TimeHistogram& times() const noexcept { return times_; }
  const TimeHistogram& jitter() const noexcept { return jitter_; }
  std::uint64_t overruns() const noexcept { return overruns_; }
  Status status() const noexcept { return status_; }  // why it stopped

 private:
  std::int64_t stamp_of(double time) const noexcept;
  bool is_driven() const noexcept;
  void go_on() noexcept;
  void emit(ContactEvent event) noexcept;
  void open() noexcept;
  void carry_out(const Request& request) noexcept;
  Answer answer_to(const Request& request) noexcept;
  void fill(Report& report) const noexcept;

  std::unique_ptr<Plant> plant_;
  int sub_steps_;
  std::vector<ContactEvent> opening_;
  std::int64_t period_;      // ns
  std::int64_t origin_ = 0;  // ns: the stamp of plant time zero
  SimulationClock clock_;

  std::uint64_t sequence_shift_ = 0;  // opening events so far
  std::uint64_t pushed_ = 0, lost_ = 0, overruns_ = 0;
  std::atomic<std::uint64_t> cycles_{0};  // only the real-time thread writes
  bool opened_ = false;
  Status status_ = Status::kOk;
  bool waits_ = false;
  std::array<bool, kMaxBodies> awaited_{};  // by joint
  FrameId fallen_;
  JointId refused_joint_;
  int steps_left_ = 0;  // of a request that waits for its answer
  std::uint64_t step_request_ = 0;
  std::int64_t last_time_ = 0;
  TimeHistogram times_, jitter_;

  SpscRing<StampedEvent, 4096> events_;
  SpscRing<Request, 16> requests_;
  SpscRing<Answer, 16> answers_;
  std::atomic<bool> report_wanted_{false};
  Latest<Report> reports_;
};

}  // namespace stance
