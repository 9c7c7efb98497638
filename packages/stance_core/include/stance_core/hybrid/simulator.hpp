// The hybrid step: begin, flow, inspect, locate, collide, transit, emit, commit. Any set of contacts.
//
// step() advances by exactly settings.step. Inside it the robot flows under its Mode; when a guard changes sign the instant is
// located, velocities jump, contacts open, close, stick or slide, the tree is re-rooted at a foot that stands, and the flow
// goes on for the rest of the step. State, mode and events are committed together or not at all. Nothing in it allocates,
// locks, throws or prints, and every loop is bounded.
//
// Which foot is the root: the one that is, as long as it sticks; else the foot that sticks with the largest normal force; in
// the air, or if all slide, none; and none of several feet of one body. It costs nothing but time: the motion does not depend on it.
#pragma once

#include <cstdint>
#include <span>
#include <type_traits>

#include "stance_core/base/status.hpp"
#include "stance_core/constraint/keep_closed.hpp"
#include "stance_core/contact/collide.hpp"
#include "stance_core/contact/contact_event.hpp"
#include "stance_core/contact/ground.hpp"
#include "stance_core/contact/material.hpp"
#include "stance_core/contact/sole.hpp"
#include "stance_core/hybrid/integrator.hpp"
#include "stance_core/hybrid/mode.hpp"
#include "stance_core/model/tree.hpp"
#include "stance_core/model/workspace.hpp"

namespace stance {

// A foot: the origin of a frame, a sphere or an arc of `radius` about it, or the corners of a sole.
//   pin (revolute)   a point of a robot that moves in the plane of the ground's lateral axis
//   roll             an arc of such a robot, rolling
//   ball             a point
//   free             a sphere of `radius`, which rolls and turns as it likes: it is never the root
//   weld (fixed)     a sole, held by as many of its corners as carry it: an edge or a corner where the others rise
struct Foot {
  FrameId frame;
  JointKind support = JointKind::kRevolute;
  double radius = 0;
  bool ignore_scuff =
      false;  // touches the ground only when it is ahead of the supporting foot (paper, B2)
  Material material{};
  bool grips = false;    // a hand: once closed it holds whatever the force, and never slips
  int corner_count = 0;  // of a sole; 0: the origin of the frame alone
  std::array<Vec3<double>, kMaxCorners> corners{};  // in the frame
};

// A limit that stops a joint. With a release foot it is a latch: the joint is held until that foot lifts off. Without one
// it presses against its stop and may leave it.
struct Stop {
  JointId joint;
  bool at_lower = true;   // which limit
  int release_foot = -1;  // index of the foot; -1: no latch
  double restitution = 0;
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
  ImpactLaw impact_law = ImpactLaw::kNewton;
  double capture_speed = 1e-5;  // m/s: what arrives slower does not bounce
  int foot_count = 0, stop_count = 0, fall_count = 0;
  std::array<Foot, kMaxFeet> feet{};
  std::array<Stop, kMaxStops> stops{};
  std::array<FrameId, kMaxFallFrames> fall_frames{};  // what must not touch the ground
  PushOff push_off;
  int loop_count = 0;
  std::array<Closure, kMaxClosures> loops{};  // that close legs: kept together whatever the force
};

// A place of a foot that may touch the ground.
struct Site {
  int foot = -1;
  ContactPoint point;
};
// The sites of these feet, in their order; the number of them. More than kMaxContacts: those beyond are left out.
int contact_sites(const Model& model, const SimulatorSettings& settings,
                  std::array<Site, kMaxContacts>& sites) noexcept;

// What acts on the robot's places at an instant, or over a time.
struct Load {
  std::array<Vec3<double>, kMaxContacts> force_W{};  // of the ground, by site
  std::array<double, kMaxStops> stop{};              // effort, by stop; not of those that latch
  double efforts = 0, damping = 0, friction = 0,
         pushes = 0;  // power: of the joints' efforts, of damping, …
};

// Where energy came from and went to since the start, in J. What is left is the integrator's error.
struct EnergyAccount {
  double efforts = 0;   // work of the joints' efforts and of the push-offs
  double pushes = 0;    // of forces on bodies
  double damping = 0;   // lost in the joints
  double friction = 0;  // lost to the ground in sliding
  double impacts = 0;   // lost in impacts
  double holding = 0;   // brought in by what keeps contacts together
};

// All that a simulator of the same model and settings needs to go on from here to the last bit. The tree is not in it: it
// follows from the mode. Nor are events: what was emitted stays emitted.
struct SimulatorSnapshot {
  State state;
  Mode mode;
  double start_time = 0;
  std::uint64_t step_count = 0;
  bool fresh = true;  // no step yet since the start
  bool below_ground = false;
};

static_assert(std::is_trivially_copyable_v<SimulatorSnapshot>);

// What one step() took.
struct StepWork {
  long long integrations =
      0;  // from the last event towards the end of the step, whole or to locate an event
  long long looks = 0;    // forward dynamics at the end of a flow, for the guards of forces
  long long impacts = 0;  // forward dynamics at events: impacts, and modes that are found
};

inline constexpr int kLocatorLimit = 120;  // probes for one instant, whatever the tolerance

class Simulator {
 public:
  static constexpr int kMaxEventsPerStep = 32;  // instants; what is more is one implicit step
  static constexpr int kMaxHalvings = 128;      // of flows with slip, in a step

  // The model must outlive the simulator. Everything it will ever need exists after this.
  Simulator(const Model& model, const SimulatorSettings& settings) noexcept;

  // The robot in flight: the state is taken as it is, its time too; events start anew. Feet that touch the ground count as
  // landed with the first step.
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
  const Mode& mode() const noexcept { return mode_; }
  int site_count() const noexcept { return site_count_; }
  const Site& site(int index) const noexcept { return sites_[static_cast<std::size_t>(index)]; }
  int support_foot() const noexcept { return mode_.root_foot; }  // the root's; -1: none
  bool fallen() const noexcept { return mode_.fallen; }
  EventRing& events() noexcept { return events_; }
  Workspace& workspace() noexcept { return workspace_; }
  // Of the last step; worst_case.hpp says how much it can be.
  const StepWork& work() const noexcept { return work_; }
  const EnergyAccount& energy() const noexcept { return energy_; }
  // The worst of the laws of contact that any event or step has left since the start.
  const LawResidual& residual() const noexcept { return residual_; }
  std::uint64_t settled_steps() const noexcept {
    return settled_;
  }  // that ended in an implicit step

  // How a foot is on the ground, from all of its sites.
  ContactMode foot_mode(int foot) const noexcept;
  // Impulse of the ground on the robot by site in the last step, impacts included. N s, world axes.
  const std::array<Vec3<double>, kMaxContacts>& impulses() const noexcept { return impulses_; }

  // Accelerations at the present state under the mode and these inputs, and what acts on the sites. Leaves what kinematics
  // and the acceleration of bodies are in the workspace, for sensors.
  Status observe(const DofVector& tau, std::span<const Force<double>> f_ext, DofVector& a,
                 Load& load) noexcept;
  // Accelerations at the present state under the mode, of the robot with the armatures of this tree, which else is tree().
  // For laws that act where the joint will be; efforts are those that act, damping included.
  Status predict(const Tree& tree, const DofVector& tau, std::span<const Force<double>> f_ext,
                 DofVector& a) noexcept;
  Vec3<double> site_point(int site) const noexcept;     // where it would touch, in the world
  Vec3<double> site_velocity(int site) const noexcept;  // of the material there

  // Height of a foot above the ground, from the current state: of its lowest site.
  double foot_height(int foot) const noexcept;

  // 64 bits that are equal for equal trajectories: time, positions, velocities and contacts.
  std::uint64_t hash() const noexcept;

 private:
  // What can end a flow. A guard is positive while nothing happens.
  struct Guard {
    enum class Kind : unsigned char { kGap, kPull, kCone, kSlow, kStop, kStopPull, kFall };
    Kind kind{};
    bool off =
        false;  // its mode was found although the forces, which corners share by least norm, forbid it
    bool slow =
        false;  // of a site that has just left the ground: value over time, as its height begins at zero
    int index = 0;
    double floor = 0;           // the height at which a gap counts as closed
    double start = 0, end = 0;  // values where the flow begins and ends
    double at_a = 0, at_b = 0,
           at_c = 0;  // of locate(): at the ends of its bracket, and at the end left last
    bool reads_force() const noexcept {
      return kind == Kind::kPull || kind == Kind::kCone || kind == Kind::kStopPull;
    }
  };
  static constexpr int kMaxGuards = 2 * kMaxContacts + 2 * kMaxStops + kMaxFallFrames;

  // A site or a stop through an instant.
  struct SiteInstant {
    ContactMode before{};
    bool touches = false;  // takes part in the impact
    bool stays = false;    // and does not leave by it
    double restitution = 0;
    Vec3<double> point_W, velocity_before_W, velocity_after_W, impulse_W;
    double energy_lost = 0;
  };
  struct StopInstant {
    StopMode before{};
    bool touches = false, stays = false;
    double impulse = 0, energy_lost = 0, restitution = 0;
  };
  struct Instant {
    std::array<SiteInstant, kMaxContacts> sites;
    std::array<StopInstant, kMaxStops> stops;
    FrameId root_before;
    int root_foot_before = -1;
    bool struck = false;   // velocities jump
    bool settled = false;  // in an implicit step
    int forced = -1;       // a foot that strikes wherever it is
    int fallen = -1;       // which of the settings' fall frames
    int released_count = 0;
    std::array<int, kMaxStops> released;  // latches
    bool pushed_off = false;
    ContactEvent push_off;
  };

  // The step that is being made.
  struct Draft {
    const DofVector* tau = nullptr;
    std::span<const Force<double>> f_ext;
    State state;  // as far as the step has come
    State
        next;  // where the flow leads; after locate() the first instant at which something happens
    double end = 0;                // the time at which the step ends
    double rest = 0;               // s left of the step
    double flowed = 0;             // s from state to next
    double piece = 0;              // s that a flow may last: less than the rest where slip needs it
    int halvings = 0;              // of flows so far
    bool modes_are_found = false;  // at `state`, for these inputs
    bool settled = false;
    int guard_count = 0;
    std::array<Guard, kMaxGuards> guards;
    Load load;                   // at `next`, where the guards ask for it
    Load load_before;            // at `state`
    std::array<Load, 7> stages;  // of the flow
    Load sum;                    // over the flow
    std::array<Vec3<double>, kMaxContacts> impulses;
    EnergyAccount energy;
    double energy_here = 0;  // kinetic and potential, at `state`, where a site slides
    LawResidual residual;
    int event_count = 0;
    std::array<ContactEvent, kMaxEvents> events;
  };

  struct Field;  // what the integrator flows along

  // ---- the stages of a step
  Status advance(const DofVector& tau, std::span<const Force<double>> f_ext,
                 bool stop_at_event) noexcept;
  bool are_finite(const DofVector& tau, std::span<const Force<double>> f_ext) const noexcept;
  void begin(const DofVector& tau, std::span<const Force<double>> f_ext) noexcept;
  bool watch() noexcept;
  Status flow(bool& due) noexcept;
  Status inspect(bool& crossed) noexcept;
  Status locate() noexcept;
  bool slips() const noexcept;
  bool leaves_energy() noexcept;
  void take_flow() noexcept;
  void open_instant() noexcept;
  bool falls() noexcept;
  Status collide() noexcept;
  Status transit() noexcept;
  void emit() noexcept;
  Status settle() noexcept;
  Status commit(bool whole) noexcept;

  // ---- flow
  Status integrate_over(double h, State& state) noexcept;
  std::span<const Closure> loops() const noexcept {
    return {settings_.loops.data(), static_cast<std::size_t>(settings_.loop_count)};
  }
  bool has_rows() const noexcept;
  Status add_holding_rows(const Tree& tree) noexcept;
  Status add_mode_rows() noexcept;
  Status accelerate(const State& state, const DofVector& tau, std::span<const Force<double>> f_ext,
                    Load& load, DofVector& a) noexcept;
  void read_loads(Load& load) noexcept;
  double push_power(const State& state, std::span<const Force<double>> f_ext) const noexcept;
  Status hold_together(State& state) noexcept;
  std::array<double, 2> slide_direction(int site, const Vec3<double>& u_W) const noexcept;
  Row stop_row(int stop) const noexcept;

  // ---- guards
  Status look_at(const State& state, Load& load) noexcept;
  void evaluate(const State& state, const Load& load, double s, double Guard::*value) noexcept;
  void evaluate_forces(const Load& load, double Guard::*value) noexcept;
  bool needs_load() const noexcept;
  bool forces_forbid() const noexcept;
  double pressure(int site, const Load& load) const noexcept;
  double room_in_cone(int site, const Load& load) const noexcept;
  double stop_gap(int stop, const State& state) const noexcept;
  double stop_rate(int stop, const State& state) const noexcept;
  double fall_height(int index) const noexcept;
  bool may_touch(int site) const noexcept;
  bool ahead_of_support(int site) const noexcept;
  void arm() noexcept;

  // ---- an instant
  void change_mode() noexcept;
  void loosen() noexcept;
  void measure(Vec3<double> SiteInstant::*velocity_W) noexcept;
  Status push_off() noexcept;
  Status strike_pinned() noexcept;
  Status pin_down(int site, State& state, Vec3<double>& impulse_W) noexcept;
  Status find_pinned_modes() noexcept;
  bool can_be_pinned(int site) const noexcept;
  bool grips(int site) const noexcept {
    return settings_.feet[static_cast<std::size_t>(sites_[static_cast<std::size_t>(site)].foot)]
        .grips;
  }
  Status add_site_rows(int site) noexcept;
  Vec3<double> force_of(int site) const noexcept;
  bool holds_turns(int site) const noexcept;
  Status find_modes() noexcept;
  bool release_latches() noexcept;
  void set_down() noexcept;
  void emit_foot(int foot, bool leaving) noexcept;
  bool carries_otherwise(int foot) const noexcept;
  ContactEvent stop_event(int index, EventKind kind) const noexcept;
  void push(const ContactEvent& event) noexcept;
  void note_residual(const LawResidual& from) noexcept;

  void start(const State& state) noexcept;
  void check_heights() noexcept;
  void rebuild(const Mode& mode) noexcept;
  void settle_locked(State& state) const noexcept;
  bool can_fly() noexcept;
  bool planar() const noexcept { return mode_.flight == JointKind::kPlanar; }
  int tangents() const noexcept { return planar() ? 1 : 2; }
  const Material& material(int site) const noexcept {
    return settings_.feet[static_cast<std::size_t>(sites_[static_cast<std::size_t>(site)].foot)]
        .material;
  }
  Vec3<double> center_of(
      int site) const noexcept;  // of its sphere, from the workspace's kinematics
  double gap(const Vec3<double>& center_W, double radius) const noexcept {
    return settings_.ground.height(center_W) - radius;
  }
  Sole sticking_sole(int foot, std::array<int, kMaxCorners>& which) const noexcept;
  bool may_root(int foot) const noexcept;
  FrameId root_frame() const noexcept;

  const Model* model_;
  SimulatorSettings settings_;
  int site_count_ = 0;
  std::array<Site, kMaxContacts> sites_{};
  std::array<int, kMaxFeet + 1> first_site_{};  // of a foot
  ContactFrame frame_;                          // of the ground
  bool flies_ =
      true;  // the robot has inertia enough to be in the air: a wheel of one point mass has not
  double weight_ = 0;  // N: the scale of forces

  Tree tree_;
  State state_;
  Mode mode_;
  double start_time_ = 0;  // time is start_time_ + step_count_ * step
  std::uint64_t step_count_ = 0;
  bool fresh_ = true;          // no step yet since the start
  bool below_ground_ = false;  // a foot began there
  EnergyAccount energy_;
  LawResidual residual_;
  std::uint64_t settled_ = 0;
  std::array<Vec3<double>, kMaxContacts> impulses_{};
  EventRing events_;
  StepWork work_;

  Tree before_, after_;        // of an impact of a robot that cannot fly
  Mode kept_;                  // the mode as it was when the step began, once it
  bool tree_changed_ = false;  //   has changed
  Draft draft_;
  Instant instant_;
  Workspace workspace_;
  RowSystem rows_;
  ClosureKeeper keeper_;
  std::array<Sole, kMaxFeet> soles_;  // by foot, whose rows are in rows_
  std::array<int, kMaxFeet> sole_row_;
  std::array<std::array<int, kMaxCorners>, kMaxFeet> sole_sites_;
  std::array<int, kMaxContacts> site_contact_;  // of a site in rows_.contacts; -1
  std::array<int, kMaxContacts> grip_row_;      // of a site that grips, in rows_.rows; -1
  std::array<int, kMaxStops> stop_row_;
};

}  // namespace stance
