// What a controller sees of a robot: commands in, sensors and events out, and what a test bench does to it.
//
//   configure   Plant::make(model, simulator settings, plant settings)      may fail, by name; all memory exists now
//               JointId knee = *plant->find_driven_joint("left_knee")       names become ids
//   each cycle  plant->write(knee, command)
//               plant->step(n)                                              n fixed sub-steps
//               plant->joint(knee), plant->base(), plant->imu(0), plant->foot(0), plant->pop_event(event)
//
// One sub-step, in this order: commands leave their delay lines; faults; pushes; each joint's law, friction and limits
// become efforts (drive.hpp); the simulator steps; contacts are debounced; sensors are sampled. Sampling happens in the
// last sub-step of step(n), and in every one where a sensor has a latency.
//
// Times. Simulated time is the simulator's, begins at zero and is set back by reset() and restore(): pushes and faults
// are scheduled in it, and a run after a reset is the run before it to the last bit. time() is what a robot would stamp
// its messages with: it never goes back. It stands still in a pause.
//
// After make() nothing allocates, locks, prints or throws. One thread calls.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "stance_core/base/result.hpp"
#include "stance_core/hybrid/simulator.hpp"
#include "stance_core/plant/actuator.hpp"
#include "stance_core/plant/command.hpp"
#include "stance_core/plant/delay_line.hpp"
#include "stance_core/plant/drive.hpp"
#include "stance_core/plant/fault.hpp"
#include "stance_core/plant/sensor.hpp"
#include "stance_core/plant/wrench.hpp"

namespace stance {

// A named state to reset to: a snapshot of a simulator of the same robot.
struct Keyframe {
  std::string name;
  SimulatorSnapshot snapshot;
};

struct PlantSettings {
  std::uint64_t seed = 1;
  // Where in the sub-step joint laws are evaluated: 1/2 (midpoint) to 1 (implicit Euler). See drive.hpp.
  double theta = 1;
  // Dry friction of the robot file acts where an actuator gives none of its own. Off: it does not act at all.
  bool file_friction = true;
  // The force and torque of feet cost a forward and an inverse dynamics per sample.
  bool foot_forces = true;

  std::array<Actuator, kMaxBodies> actuators{};         // by joint
  std::array<JointSensor, kMaxBodies> joint_sensors{};  // by joint
  double joint_latency = 0;                             // s: of all joint sensors
  BaseSensor base;
  std::array<FootSensor, kMaxFeet> feet{};  // by foot of the simulator's settings
  std::vector<ImuSettings> imus;
  std::vector<ForceTorqueSettings> force_torques;
  std::vector<Keyframe>
      keyframes;  // the plant starts in the first; without one, in flight at the bind pose
  std::vector<Wrench> wrenches;  // pushes that come with every run
};

// What changes from sub-step to sub-step, apart from the simulator.
struct PlantState {
  std::uint64_t step = 0;                         // sub-steps since the last reset
  std::array<CommandSet, kMaxBodies> commands{};  // by joint, as all below
  std::array<Setpoint, kMaxBodies> written{};     // the last accepted
  std::array<double, kMaxBodies> reference{};     // the position that a velocity command moves
  std::array<double, kMaxBodies> frozen{};        // encoder position while a fault freezes it
  std::array<bool, kMaxBodies> is_frozen{};
  DriveEfforts efforts;
  double push_off = 0;  // N s, at the next touchdown
  int wrench_count = 0, fault_count = 0;
  std::array<Wrench, kMaxWrenches> wrenches{};
  std::array<Fault, kMaxFaults> faults{};
  std::array<int, kMaxFeet>
      contact_steps{};  // sub-steps since the raw contact last differed from the debounced
  std::array<bool, kMaxFeet> contact{};                 // debounced
  std::array<Force<double>, kMaxFeet> foot_impulses{};  // of the ground since the last sample
  double foot_time = 0;                                 // s since then
  // Where samples come more often than readings: the mean over the period so far, and its length.
  std::array<Force<double>, kMaxFeet> foot_means{};
  double foot_period = 0;
  std::array<JointReading, kMaxBodies> joints{};
  BaseReading base;
  std::array<ImuReading, kMaxImus> imus{};
  std::array<ForceTorqueReading, kMaxForceTorques> force_torques{};
  std::array<FootReading, kMaxFeet> feet{};
  DelayPool pool;
};

struct PlantSnapshot {
  SimulatorSnapshot simulator;
  PlantState plant;
};

static_assert(std::is_trivially_copyable_v<PlantSnapshot>, "a snapshot is a copy of bytes");

// What one step(n) or sub_step() took.
struct PlantWork {
  StepWork simulator;
  long long drives = 0;   // forward dynamics, for laws, friction and limits of the joints
  long long sensors = 0;  // forward and inverse dynamics, for accelerations and forces

  PlantWork& operator+=(const PlantWork& more) noexcept {
    simulator.integrations += more.simulator.integrations;
    simulator.looks += more.simulator.looks;
    simulator.impacts += more.simulator.impacts;
    drives += more.drives, sensors += more.sensors;
    return *this;
  }
};

// Forward dynamics that this work can take, as of hybrid/worst_case.hpp. An inverse dynamics counts as one, and costs less.
long long forward_dynamics(const PlantWork& work, const IntegratorSettings& settings) noexcept;

class Plant {
 public:
  // Copies the model, as actuators may change armatures.
  static Result<std::unique_ptr<Plant>> make(const Model& model, const SimulatorSettings& simulator,
                                             PlantSettings settings);

  // ---- names, for configure time
  // A joint that can be driven: of one degree of freedom, and no mimic.
  Result<JointId> find_driven_joint(std::string_view name) const;
  int find_imu(std::string_view name) const noexcept;           // -1: none
  int find_force_torque(std::string_view name) const noexcept;  // -1: none
  int find_foot(std::string_view link) const noexcept;          // -1: none
  int find_keyframe(std::string_view name) const noexcept;      // -1: none
  bool is_driven(JointId joint) const noexcept;

  // ---- each cycle
  // Which commands a joint takes from now on. The joint stays where it is until a command says otherwise. A switch is
  // at once, whatever the delay. Sets that are not valid leave all as it is: kBadCommand.
  Status switch_commands(JointId joint, CommandSet set) noexcept;
  CommandSet commands(JointId joint) const noexcept { return state_.commands[joint]; }
  // kBadCommand, and the last command stays, where a number is infinite or a gain below zero.
  Status write(JointId joint, const Command& command) noexcept;
  // What the trailing leg gives at touchdowns to come, N s: of a spring that is loaded in swing and let go by the other
  // foot's touchdown. NaN: as before; at first, and after a reset, the settings'. kBadCommand as Simulator::set_push_off.
  Status write_push_off(double impulse) noexcept;
  bool can_push_off() const noexcept { return simulator_.settings().push_off.towards.valid(); }

  // n sub-steps of simulator().settings().step. On a bad status the last good state stays.
  Status step(int n = 1) noexcept;
  // One of them. `last`: it ends a cycle, and sensors are sampled.
  Status sub_step(bool last) noexcept;

  const JointReading& joint(JointId joint) const noexcept { return state_.joints[joint]; }
  const BaseReading& base() const noexcept { return state_.base; }
  const ImuReading& imu(int index) const noexcept { return state_.imus[index]; }
  const ForceTorqueReading& force_torque(int index) const noexcept {
    return state_.force_torques[index];
  }
  const FootReading& foot(int index) const noexcept { return state_.feet[index]; }
  // The efforts of the joints in the last sub-step, and the pushes on the bodies.
  const DofVector& efforts() const noexcept { return state_.efforts.total; }
  // Events of the simulator, with the time of time().
  bool pop_event(ContactEvent& event) noexcept;
  EventRing& events() noexcept { return simulator_.events(); }  // with simulated times
  std::uint64_t dropped_events() noexcept { return simulator_.events().dropped(); }

  // ---- test bench
  // A paused plant ignores step() but for as many sub-steps as were allowed since.
  void pause(bool paused) noexcept;
  void allow_steps(int n) noexcept { allowed_ += n; }
  bool paused() const noexcept { return paused_; }

  // Into a keyframe, at simulated time zero: commands keep their kind and hold the robot as it is there; faults and
  // pushes that came later than the settings are gone.
  Status reset(int keyframe = 0) noexcept;
  void save(PlantSnapshot& snapshot) const noexcept;
  void restore(const PlantSnapshot& snapshot) noexcept;

  // `start` counts from now. kBadCommand: not finite, no such link or joint, or a duration below zero. kFull: as many
  // act or wait already as there may be.
  Status push(Wrench wrench) noexcept;
  Status inject(Fault fault) noexcept;
  void clear_pushes() noexcept { state_.wrench_count = 0; }
  void clear_faults() noexcept { state_.fault_count = 0; }
  void reseed(std::uint64_t seed) noexcept { settings_.seed = seed; }

  // ---- observers
  double time() const noexcept { return offset_ + simulator_.state().time; }
  std::uint64_t epoch() const noexcept { return epoch_; }  // resets and restores so far
  std::uint64_t refused_commands() const noexcept { return refused_; }
  std::uint64_t saturated_steps() const noexcept { return saturated_; }
  // Of the last step(n), and the most that one can take: every loop of it ends at a bound.
  const PlantWork& work() const noexcept { return work_; }
  PlantWork worst_work(int n) const noexcept;
  // Seconds by which a latency spike can delay commands at most: what the delay lines have room for.
  double latency_room() const noexcept { return room_ * simulator_.settings().step; }
  bool fallen() const noexcept { return simulator_.fallen(); }
  // 64 bits that are equal for equal runs: the simulator's, and all that sensors say.
  std::uint64_t hash() const noexcept;
  const Model& model() const noexcept { return model_; }
  const Simulator& simulator() const noexcept { return simulator_; }
  const PlantSettings& settings() const noexcept { return settings_; }
  const Actuator& actuator(JointId joint) const noexcept { return settings_.actuators[joint]; }

 private:
  Plant(const Model& model, const SimulatorSettings& simulator, PlantSettings settings);
  int lay_lines() noexcept;  // returns the numbers they lack
  int sub_steps(double seconds) const noexcept;
  double simulated_time() const noexcept;
  void begin(const SimulatorSnapshot& snapshot) noexcept;
  Status compute_efforts() noexcept;
  Drive drive(JointId joint) noexcept;
  std::span<const Force<double>> f_ext() const noexcept;
  void gather_impulses() noexcept;
  void debounce() noexcept;
  Status sample(bool first, bool last) noexcept;
  void average(FootReading& reading, Force<double>& mean) const noexcept;
  Status compute_forces() noexcept;
  FootReading read_foot(int foot) const noexcept;
  Force<double> force_on_child(JointId joint, const Workspace& w) const noexcept;
  bool acts(const Fault& fault, JointId joint) const noexcept;
  bool is_over(const Fault& fault) const noexcept;

  Model model_;
  PlantSettings settings_;
  Simulator simulator_;
  PlantState state_;
  double offset_ = 0;  // of time() to simulated time
  std::uint64_t epoch_ = 0, refused_ = 0, saturated_ = 0;
  bool paused_ = false;
  int allowed_ = 0;  // sub-steps that a pause lets through
  PlantWork work_;

  // made at configure time
  std::array<bool, kMaxBodies> driven_{};
  std::array<DelayLine, kMaxBodies> command_lines_{};
  DelayLine joint_line_, base_line_;
  std::array<DelayLine, kMaxImus> imu_lines_{};
  std::array<DelayLine, kMaxForceTorques> force_torque_lines_{};
  std::array<DelayLine, kMaxFeet> foot_lines_{};
  double own_push_off_ = 0;  // the settings'
  int room_ = 0;             // sub-steps that command lines reach back beyond the actuator's delay
  bool latent_ = false;      // some sensor has a latency
  bool needs_forces_ = false;  // some sensor needs accelerations or forces

  static constexpr int kSensorPasses = 2;  // a forward and an inverse dynamics

  // scratch
  std::array<Drive, kMaxBodies> drives_{};
  std::array<Force<double>, kMaxBodies> f_ext_{};
  bool pushed_ = false;  // f_ext_ holds something
  Load load_;            // of the ground at the end of the sub-step
  Tree scratch_;
};

}  // namespace stance
