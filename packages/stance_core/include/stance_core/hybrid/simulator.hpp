// The hybrid step: flow, locate, jump, change of mode, emit. One support at a time.
//
// step() advances by exactly settings.step. Inside it the robot flows with one root; when a guard changes sign the
// instant is located, velocities jump, the tree is re-rooted if the support changed, events go into the ring, and the
// flow goes on for the rest of the step. Nothing in it allocates, locks, throws or prints, and every loop is bounded.
#pragma once

#include <cstdint>
#include <span>
#include <type_traits>

#include "stance_core/base/status.hpp"
#include "stance_core/contact/contact_event.hpp"
#include "stance_core/contact/ground.hpp"
#include "stance_core/contact/impact.hpp"
#include "stance_core/hybrid/integrator.hpp"
#include "stance_core/model/tree.hpp"
#include "stance_core/model/workspace.hpp"

namespace stance {

// A foot: the origin of a frame, or an arc of `radius` about it, meets the ground and stays as `support` allows.
struct Foot {
  FrameId frame;
  JointKind support = JointKind::kRevolute;  // pin, ball, roll or weld (fixed)
  double radius = 0;
  bool ignore_scuff =
      false;  // touches the ground only when it is ahead of the supporting foot (paper, B2)
};

// A joint limit that stops the joint dead and holds it, until a foot lifts off.
struct Stop {
  JointId joint;
  bool at_lower = true;   // which limit
  int release_foot = -1;  // index of the foot; -1: never
};

// An impulse along the trailing leg at the instant of touchdown, from the supporting foot towards a frame.
struct PushOff {
  double impulse = 0;  // N s
  FrameId towards;
};

struct SimulatorSettings {
  double step = 1e-3;  // s
  IntegratorSettings integrator;
  double event_tolerance = 1e-12;  // s
  Ground ground;
  int foot_count = 0, stop_count = 0, fall_count = 0;
  std::array<Foot, kMaxFeet> feet{};
  std::array<Stop, kMaxStops> stops{};
  std::array<FrameId, kMaxFallFrames> fall_frames{};  // what must not touch the ground
  PushOff push_off;
};

// All that a simulator of the same model and settings needs to go on from here to the last bit. The tree is not in it:
// it follows from root, support and locks. Nor are events: what was emitted stays emitted.
struct SimulatorSnapshot {
  State state;
  BodyId root;
  Support support;
  std::array<bool, kMaxBodies> locked{};
  std::array<double, kMaxBodies> locked_position{};
  int support_foot = -1;
  bool fallen = false;
  double start_time = 0;
  std::uint64_t step_count = 0;
  std::array<bool, kMaxFeet> foot_armed{};
  std::array<bool, kMaxStops> stop_armed{};
};

static_assert(std::is_trivially_copyable_v<SimulatorSnapshot>);

// What one step() took.
struct StepWork {
  long long integrations =
      0;  // from the last event towards the end of the step, whole or to locate an event
  long long impacts = 0;  // each a forward dynamics at rest
};

class Simulator {
 public:
  static constexpr int kMaxEventsPerStep = 16;

  // The model must outlive the simulator. Everything it will ever need exists after this.
  Simulator(const Model& model, const SimulatorSettings& settings) noexcept;

  // The robot in flight: the state is taken as it is, its time too; events start anew.
  void start_in_flight(const State& state, JointKind kind = JointKind::kFree) noexcept;

  // The robot stands on foot `foot`, whose contact point is at point_W: joint positions and velocities from `joints`
  // (State::q and v beyond the support's), the support's own coordinates and velocities given.
  void start_on_foot(int foot, const Vec3<double>& point_W, const State& joints,
                     const double* support_q, const double* support_v) noexcept;

  // Strikes the ground with a foot right now, wherever it is: for initial states that are given just before impact.
  Status strike(int foot) noexcept;

  // Holds a joint where it is.
  void lock(JointId joint) noexcept;

  // f_ext: forces on bodies, one per body in its home frame, constant during the step; empty: none.
  Status step(const DofVector& tau, std::span<const Force<double>> f_ext = {}) noexcept {
    return advance(tau, f_ext, false);
  }

  // The same, but the step ends at the first instant at which something happens, just after it: for maps from one
  // touchdown to the next. Events in the ring tell the two ends apart.
  Status step_to_event(const DofVector& tau) noexcept { return advance(tau, {}, true); }

  // The push-off of touchdowns to come, N s. kBadCommand: the settings have no frame to push towards, or the impulse
  // is below zero or not finite. It counts as a setting: snapshots do not carry it.
  Status set_push_off(double impulse) noexcept;

  SimulatorSnapshot save() const noexcept;
  void restore(const SimulatorSnapshot& snapshot) noexcept;

  const Model& model() const noexcept { return *model_; }
  const SimulatorSettings& settings() const noexcept { return settings_; }
  const State& state() const noexcept { return state_; }
  const Tree& tree() const noexcept { return tree_; }
  int support_foot() const noexcept { return support_foot_; }  // -1 in flight
  bool fallen() const noexcept { return fallen_; }
  EventRing& events() noexcept { return events_; }
  Workspace& workspace() noexcept { return workspace_; }
  // Of the last step; worst_case.hpp says how much it can be.
  const StepWork& work() const noexcept { return work_; }

  // Height of a foot above the ground, from the current state.
  double foot_height(int foot) noexcept;

  // 64 bits that are equal for equal trajectories: time, positions, velocities and the support.
  std::uint64_t hash() const noexcept;

 private:
  struct Guard {
    enum class Kind : unsigned char { kFoot, kStop, kFall } kind;
    int index;
  };
  static constexpr int kMaxGuards = kMaxFeet + kMaxStops + kMaxFallFrames;

  void begin() noexcept;
  Status advance(const DofVector& tau, std::span<const Force<double>> f_ext,
                 bool stop_at_event) noexcept;
  Status flow(const DofVector& tau, std::span<const Force<double>> f_ext, double h,
              State& state) noexcept;
  Status jump(const Tree& before, const State& state_before, const Tree& after, const Push* push,
              State& state, Impact& result) noexcept;
  int collect_guards(std::array<Guard, kMaxGuards>& guards) const noexcept;
  double guard_value(const Guard& guard, const State& state) const noexcept;
  bool ahead_of_support(int foot, const State& state) const noexcept;
  void arm(const State& state) noexcept;
  Status react(const Guard& guard) noexcept;
  Status touch_down(int foot) noexcept;
  Status hit_stop(int stop) noexcept;
  void release_stops(int lifted_foot) noexcept;
  void fall(FrameId frame) noexcept;
  Vec3<double> contact_point(int foot, const State& state) const noexcept;
  Vec3<double> point_velocity(const Tree& tree, const State& state, BodyId body,
                              const Vec3<double>& p_W) const noexcept;
  FrameId root_frame() const noexcept;

  const Model* model_;
  SimulatorSettings settings_;
  Tree tree_;
  State state_;
  int support_foot_ = -1;
  bool fallen_ = false;
  double start_time_ = 0;  // time is start_time_ + step_count_ * step
  std::uint64_t step_count_ = 0;
  std::array<bool, kMaxFeet> foot_armed_{};   // has been off the ground since it left it
  std::array<bool, kMaxStops> stop_armed_{};  // has been off the limit since it was released
  EventRing events_;
  Workspace workspace_;
  StepWork work_;
};

}  // namespace stance
