// A scenario: a robot, the world it walks in, how it starts, and what is to be reported. Read by load_scenario.
#pragma once

#include <array>
#include <filesystem>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "stance_core/base/status.hpp"
#include "stance_core/hybrid/simulator.hpp"
#include "stance_core/plant/plant.hpp"
#include "stance_model/close_loops.hpp"
#include "stance_model/load_robot.hpp"
#include "stance_model/loop_file.hpp"

namespace stance {

// A joint of one degree of freedom. Joints that are not named start at zero and at rest.
struct JointStart {
  JointId joint;
  double position = 0;
  double velocity = 0;
};

// Where the robot is at time zero. On a foot its contact point is at the world's origin. Orientations are turns from
// the bind pose (all joints at zero): roll, pitch, yaw about the fixed x, then y, then z. Vectors are in world axes.
struct InitialState {
  int foot = -1;               // it stands on this foot; -1: in flight
  double angle = 0, rate = 0;  // of a pin or a roll
  std::vector<int> stand;      // it is set down on these feet: moved along the ground's normal
  JointKind flight = JointKind::kFree;  // or planar; not read on a foot
  Vec3<double> position;                // of the root link's origin; in flight
  Vec3<double> orientation;             // of the root link in flight, of the foot on a ball support
  Vec3<double> velocity;                // of the root link's origin; in flight
  Vec3<double> angular_velocity;        // in flight, and on a ball support
  std::vector<JointStart> joints;
  std::vector<JointId> locked;  // held where they are
  int strike = -1;  // the state is the one just before this foot strikes; -1: nothing strikes
};

// A law by its name (stance_gait/make_law.hpp) and what it is told, as the scenario has it: who makes the law reads it.
struct LawSettings {
  struct Entry {
    std::string key, text;
    std::string where;  // "trot.yaml:12:9"
  };
  std::string name;  // empty: none
  std::string where;
  double period = 1e-3;  // s, of its cycle
  std::vector<Entry> entries;
};

// The files a run can write, by the name they have in a scenario.
inline constexpr std::array<const char*, 8> kReportFiles = {
    "trajectory", "events", "summary", "phase", "energy", "strip", "timeline", "replay"};

struct Scenario {
  std::string title;
  std::filesystem::path file, robot_file;
  std::unique_ptr<Robot> robot;
  SimulatorSettings settings;
  InitialState initial;
  PlantSettings plant;  // its first keyframe is the initial state, "initial"
  LawSettings law;
  std::vector<Loop> loops;                 // that close legs; settings has their closures
  Assemble assemble = Assemble::kAsGiven;  // of states that do not close them
  double duration = 0;                     // s
  double sample_period = 0.01;             // s
  std::set<std::string> report{kReportFiles.begin(), kReportFiles.end()};
};

// Puts the simulator, which was made from this scenario's model and settings, into the initial state. The strike, if
// there is one, is the first event in its ring.
Status start(const Scenario& scenario, Simulator& simulator) noexcept;
// The same with another state of the same robot, such as a keyframe's.
Status start(const InitialState& initial, Simulator& simulator) noexcept;

// The scenario's plant at its start, and the events that led there: a strike, if there is one.
struct StartedPlant {
  std::unique_ptr<Plant> plant;
  std::vector<ContactEvent> opening;
};
// With these settings instead of the scenario's own, whose first keyframe becomes the initial state.
Result<StartedPlant> make_plant(const Scenario& scenario, PlantSettings settings);
inline Result<StartedPlant> make_plant(const Scenario& scenario) {
  return make_plant(scenario, scenario.plant);
}

}  // namespace stance
