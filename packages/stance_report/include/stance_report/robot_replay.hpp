// A robot's motion as a Replay: bodies and their shapes from the robot file, poses from states by kinematics, series from
// the states' columns, energies and whatever else is given. A recorder adds its samples as they come; the memory it takes
// is bounded.
#pragma once

#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "stance_core/hybrid/simulator.hpp"
#include "stance_model/geometry.hpp"
#include "stance_model/state_columns.hpp"
#include "stance_report/event_table.hpp"
#include "stance_report/replay.hpp"

namespace stance {

struct RobotReplayInfo {
  std::string title;
  std::filesystem::path robot_file{};  // meshes are looked for from here
  std::vector<LinkShape> shapes{};     // of the robot file: parse_geometry
  Ground ground{};
  std::vector<ReplayContact> contacts{};  // without states and forces: foot_contacts
  // Series beside those of states: names, units, groups. Their values come with each sample.
  std::vector<ReplaySeries> others{};
  bool efforts = false;  // samples have StateRow::tau
};

// The force of the ground on the robot, to be given as RobotSample::others.
std::vector<ReplaySeries> ground_reaction_series();

constexpr ReplayContact::State replay_state(ContactMode mode) noexcept {
  return mode == ContactMode::kOpen    ? ReplayContact::kOpen
         : mode == ContactMode::kStick ? ReplayContact::kStick
                                       : ReplayContact::kSlide;
}

// The places of the feet: the origin of a point, the centre of an arc or a sphere, the corners of a sole.
std::vector<ReplayContact> foot_contacts(const Model& model, const SimulatorSettings& settings);

struct RobotSample {
  double time = 0;
  StateRow row;  // mimic joints set
  double kinetic = 0, potential = 0;
  // by contact; empty: not known
  std::vector<ReplayContact::State> states{};
  std::vector<Vec3<double>> forces_W{};
  std::vector<double> others{};
  bool at_event = false;  // stays where samples are thinned
};

class RobotReplay {
 public:
  // Of this many samples every second one goes; then every fourth of the run's, and so on.
  static constexpr std::size_t kMostSamples = 12000;

  // The model must outlive it.
  RobotReplay(const Model& model, RobotReplayInfo info);
  ~RobotReplay();

  void add(const RobotSample& sample);
  void add(const EventRow& event);
  void note(std::string sentence);

  // Once.
  Replay finish();

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

// The bodies of a model with what each looks like: of each link the <visual>s, if every mesh among them is found and read,
// else its <collision>s. A body for which there is nothing gets sticks to the joints and frames that it carries, and a box
// of its inertia. Large meshes are thinned. `notes` hears what was not found.
std::vector<ReplayBody> robot_bodies(const Model& model, const std::vector<LinkShape>& shapes,
                                     const std::filesystem::path& robot_file,
                                     std::vector<ReplayMesh>& meshes,
                                     std::vector<std::string>& notes);

}  // namespace stance
