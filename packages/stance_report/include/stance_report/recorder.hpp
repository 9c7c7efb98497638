// Watches a simulation and reports on it: tables while it runs, a summary and pictures when it ends.
//
//   trajectory.csv  time, root foot, pose, twist and acceleration of the base, joints with their efforts, energies, and
//                   in world axes the force of the ground on the robot and on each foot, with its mode; 17 digits. The
//                   columns are those of `stance dynamics` and `stance inverse`
//   events.csv      every event of the simulator; 17 digits
//   summary.json    what the run came to, and in words whether the gait is steady
//   phase.svg       angle and rate of one leg (Stepien, Fig. 10)
//   energy.svg      potential over kinetic energy of two steps (Stepien, Fig. 11)
//   strip.svg       stick figures of two steps
//   timeline.svg    joints, contacts and impulses over time
//   replay.html     the whole run to look at in a browser: 3-D view, plots, events (replay.hpp)
// The tables are written as the run goes, so that an interrupted one keeps them. What the pictures need of the past is
// kept for the last steps only; of the whole run there remain the lists of events and of steps, and some ten thousand
// samples for the page.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "stance_core/base/result.hpp"
#include "stance_core/hybrid/simulator.hpp"
#include "stance_core/plant/wrench.hpp"
#include "stance_model/geometry.hpp"
#include "stance_report/step.hpp"

namespace stance {

struct RunInfo {
  std::string title, robot_name;
  double sample_period = 0.01;  // s, of trajectory.csv; events add the states before and after them
  // which of trajectory events summary phase energy strip timeline replay; empty: all
  std::set<std::string> files;
  std::uint64_t seed = 0;
  bool seeded = false;
  // what the run is made from: a report that would take the place of one of these is refused
  std::vector<std::filesystem::path> inputs{};
  std::vector<Wrench>
      pushes{};  // that act on the robot: trajectory.csv tells them from the ground's force
  // what the robot looks like, and where its file is, beside which meshes are: for replay.html
  std::vector<LinkShape> shapes{};
  std::filesystem::path robot_file{};
};

struct Ending {
  enum class Why { kDuration, kSteps, kFell, kInterrupted, kFailed } why{};
  double time = 0;
  std::string detail;
  std::uint64_t hash = 0;
  EnergyAccount energy{};            // since the start
  LawResidual residual{};            // the worst that the laws of contact were left with
  std::uint64_t implicit_steps = 0;  // that were ended as one, because too much happened in them
};

// How the simulator's run ended.
Ending ending(const Simulator& simulator, Ending::Why why, std::string detail);

class Recorder {
 public:
  // Makes the directory, takes away what an earlier run wrote there, and opens the tables. Without a directory nothing is written: events and steps are collected.
  // The model must outlive the recorder.
  static Result<std::unique_ptr<Recorder>> open(const Model& model,
                                                const SimulatorSettings& settings,
                                                const RunInfo& info,
                                                const std::optional<std::filesystem::path>& dir);
  ~Recorder();

  // To be called after the start, after a strike and after every step, with the efforts that act on the joints. Empties
  // the ring.
  void observe(const Simulator& simulator, EventRing& events, const DofVector& tau);
  void observe(Simulator& simulator) { observe(simulator, simulator.events(), {}); }

  const std::vector<ContactEvent>& events() const;
  const std::vector<Step>& steps() const;

  // The first thing that could not be written so far, if any. finish reports it too.
  const std::optional<Error>& trouble() const;

  // Writes the summary and the pictures. Returns the files that were written; an error names the first one that could
  // not be, and whatever else could be written has been.
  Result<std::vector<std::filesystem::path>> finish(const Ending& ending);

 private:
  struct Parts;
  explicit Recorder(std::unique_ptr<Parts> parts);
  std::unique_ptr<Parts> parts_;
};

}  // namespace stance
