#include "stance_report/recorder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string_view>
#include <system_error>
#include <utility>

#include "csv_writer.hpp"
#include "energy_plot.hpp"
#include "history.hpp"
#include "phase_portrait.hpp"
#include "stance_core/dynamics/kinematics.hpp"
#include "stance_core/dynamics/momentum.hpp"
#include "stance_report/event_table.hpp"
#include "stance_report/overwrite.hpp"
#include "stance_report/robot_replay.hpp"
#include "step_counter.hpp"
#include "strip.hpp"
#include "summary.hpp"
#include "timeline.hpp"
#include "whole_motion.hpp"

namespace stance {

using namespace report;
namespace fs = std::filesystem;

namespace {

struct ReportFile {
  std::string_view key, name;  // in a scenario, and in the directory
};
constexpr ReportFile kFiles[] = {{"trajectory", "trajectory.csv"}, {"events", "events.csv"},
                                 {"summary", "summary.json"},      {"phase", "phase.svg"},
                                 {"energy", "energy.svg"},         {"strip", "strip.svg"},
                                 {"timeline", "timeline.svg"},     {"replay", "replay.html"}};
constexpr double kPicturePeriod = 5e-3;  // s, at most
constexpr double kTimeSlack = 1e-9;      // s: what a sum of steps may lack to a sample's time

// Takes the files of an earlier run away, so that none stands beside those of this one. All or none.
std::optional<Error> clear(const fs::path& dir, const std::vector<fs::path>& inputs) {
  for (const ReportFile& file : kFiles) {
    if (auto error = overwritten_input(dir / file.name, inputs)) return error;
  }
  for (const ReportFile& file : kFiles) {
    const fs::path path = dir / file.name;
    std::error_code failure;
    if (!fs::is_regular_file(fs::symlink_status(path, failure))) continue;
    if (!fs::remove(path, failure)) {
      return Error{
          ErrorCode::kFile, path.string(),
          fmt::format("is of an earlier run and cannot be removed ({})", failure.message())};
    }
  }
  return std::nullopt;
}

// The multiples of a period, as they come due.
class Clock {
 public:
  explicit Clock(double period) : period_(period) {}
  void restart(double time) { start_ = time, count_ = 0; }
  bool due(double time) {
    if (time + kTimeSlack < start_ + static_cast<double>(count_) * period_) return false;
    count_ = std::max(count_ + 1,
                      static_cast<std::int64_t>((time + kTimeSlack - start_) / period_) + 1);
    return true;
  }

 private:
  double period_, start_ = 0;
  std::int64_t count_ = 0;
};

}  // namespace

struct Recorder::Parts {
  Parts(const Model& model_, const SimulatorSettings& settings_, const RunInfo& info_)
      : model(model_),
        settings(settings_),
        info(info_),
        columns(trajectory_columns(model_)),
        motion_reader(model_, settings_, info_.pushes),
        skeleton(make_skeleton(model_, settings_)),
        history(cycle_steps(settings_)),
        table_clock(info_.sample_period),
        picture_clock(std::min(info_.sample_period, kPicturePeriod)),
        step_counter(settings_.ground) {}

  bool wants(std::string_view file) const {
    return dir && (info.files.empty() || info.files.count(std::string(file)) > 0);
  }
  std::string_view name(FrameId frame) const {
    return frame.valid() ? model.frames[frame].name.view() : std::string_view();
  }
  int foot_of(FrameId frame) const;
  std::vector<std::string> feet() const;
  void begin(const Simulator& simulator, const DofVector& efforts);
  void take(const ContactEvent& event);
  void sample(const SimulatorSnapshot& at, const DofVector& efforts, bool jump, bool table,
              bool picture);
  void open_replay();
  void add_to_replay(double time, const WholeMotion& motion, const Energies& energy);
  void keep_error(const std::optional<Error>& error) {
    if (!trouble && error) trouble = error;
  }

  const Model& model;
  const SimulatorSettings settings;
  const RunInfo info;
  const std::vector<Column> columns;  // of the trajectory
  MotionReader motion_reader;
  std::optional<fs::path> dir;
  std::optional<CsvWriter> trajectory_csv;
  std::optional<EventTable> events_csv;
  std::unique_ptr<RobotReplay> replay;

  Skeleton skeleton;
  History history;
  Clock table_clock, picture_clock;
  StepCounter step_counter;
  std::vector<ContactEvent> events;
  std::vector<Step> steps;
  std::uint64_t dropped = 0;
  std::optional<Error> trouble;

  // the robot at the last observation, the times of the last samples, and of the last jump
  bool begun = false;
  bool happening = false;  // the samples being taken are those before and after events
  SimulatorSnapshot last;
  DofVector last_tau{};
  double table_time = 0, picture_time = 0;
  double jump_time = 0;
};

std::vector<std::string> Recorder::Parts::feet() const {
  std::vector<std::string> names;
  for (int i = 0; i < settings.foot_count; ++i) names.emplace_back(name(settings.feet[i].frame));
  return names;
}

int Recorder::Parts::foot_of(FrameId frame) const {
  for (int i = 0; i < settings.foot_count; ++i) {
    if (settings.feet[i].frame == frame) return i;
  }
  return -1;
}

Ending ending(const Simulator& simulator, Ending::Why why, std::string detail) {
  return {why,
          simulator.state().time,
          std::move(detail),
          simulator.hash(),
          simulator.energy(),
          simulator.residual(),
          simulator.settled_steps()};
}

// ---- opening

Recorder::Recorder(std::unique_ptr<Parts> parts) : parts_(std::move(parts)) {}
Recorder::~Recorder() = default;

Result<std::unique_ptr<Recorder>> Recorder::open(const Model& model,
                                                 const SimulatorSettings& settings,
                                                 const RunInfo& info,
                                                 const std::optional<fs::path>& dir) {
  if (!(info.sample_period > 0) || !std::isfinite(info.sample_period)) {
    return Error{ErrorCode::kValue, "sample period",
                 fmt::format("must be a positive time in seconds, not {}", info.sample_period)};
  }
  for (const auto& file : info.files) {
    if (std::ranges::find(kFiles, file, &ReportFile::key) != std::end(kFiles)) continue;
    std::vector<std::string_view> keys;
    for (const ReportFile& known : kFiles) keys.push_back(known.key);
    return Error{ErrorCode::kValue, fmt::format("report '{}'", file),
                 fmt::format("is unknown; choose from {}", fmt::join(keys, ", "))};
  }
  auto parts = std::make_unique<Parts>(model, settings, info);
  parts->dir = dir;
  if (dir) {
    std::error_code failure;
    fs::create_directories(*dir, failure);
    if (failure) {
      return Error{ErrorCode::kFile, dir->string(),
                   fmt::format("the directory cannot be made ({})", failure.message())};
    }
    if (auto error = clear(*dir, info.inputs)) return *error;
  }
  if (parts->wants("trajectory")) {
    auto file = OutputFile::open(*dir / "trajectory.csv");
    if (!file) return file.error();
    parts->trajectory_csv.emplace(*std::move(file),
                                  trajectory_header(parts->columns, parts->feet()));
  }
  if (parts->wants("events")) {
    auto table = EventTable::open(*dir / "events.csv");
    if (!table) return table.error();
    parts->events_csv.emplace(*std::move(table));
  }
  if (parts->wants("replay")) parts->open_replay();
  return std::unique_ptr<Recorder>(new Recorder(std::move(parts)));
}

void Recorder::Parts::open_replay() {
  RobotReplayInfo looks;
  looks.title = info.title;
  looks.robot_file = info.robot_file;
  looks.shapes = info.shapes;
  looks.ground = settings.ground;
  looks.contacts = foot_contacts(model, settings);
  looks.others = ground_reaction_series();
  looks.efforts = true;
  replay = std::make_unique<RobotReplay>(model, std::move(looks));
}

// ---- observing

void Recorder::Parts::begin(const Simulator& simulator, const DofVector& efforts) {
  begun = true;
  last = simulator.save();
  last_tau = efforts;
  table_clock.restart(last.state.time);
  picture_clock.restart(last.state.time);
  table_time = picture_time = -std::numeric_limits<double>::infinity();
}

void Recorder::Parts::take(const ContactEvent& event) {
  events.push_back(event);
  if (step_counter.take(event, steps)) history.step(event.time);
  const int foot = foot_of(event.frame);
  if (event.kind == EventKind::kTouchdown) history.touch(foot, event.time);
  if (event.kind == EventKind::kLiftoff) history.leave(foot, event.time);

  if (events_csv) events_csv->add(event_row(event, model));
  if (replay) replay->add(event_row(event, model));
}

void Recorder::Parts::add_to_replay(double time, const WholeMotion& motion,
                                    const Energies& energy) {
  RobotSample sample;
  sample.time = time;
  sample.row = motion.row;
  sample.kinetic = energy.kinetic, sample.potential = energy.potential;
  for (int i = 0; i < motion_reader.simulator().site_count(); ++i) {
    const FootForce& site = motion.sites[static_cast<std::size_t>(i)];
    sample.states.push_back(replay_state(site.mode));
    sample.forces_W.push_back(site.force_W);
  }
  sample.others = {motion.ground_W.x, motion.ground_W.y, motion.ground_W.z};
  sample.at_event = happening;
  replay->add(sample);
}

void Recorder::Parts::sample(const SimulatorSnapshot& at, const DofVector& efforts, bool jump,
                             bool table, bool picture) {
  table = table && (trajectory_csv || replay), picture = picture && dir;
  if (!table && !picture) return;
  WholeMotion motion;
  // no number where there is none: the simulation is about to say why
  [[maybe_unused]] const Status status = motion_reader.read(at, efforts, motion);
  Simulator& robot = motion_reader.simulator();
  Workspace& w = robot.workspace();
  kinematics(model, robot.tree(), at.state, w);
  const Energies energy{kinetic_energy(robot.tree(), at.state, w),
                        potential_energy(model, robot.tree(), w)};
  const double time = at.state.time;
  const int root_foot = robot.support_foot();
  if (table && replay) add_to_replay(time, motion, energy);
  if (table) table_time = time;
  if (table && trajectory_csv) {
    const FrameId root = root_foot < 0 ? FrameId() : settings.feet[root_foot].frame;
    write_trajectory_row(columns, settings.foot_count, time, name(root), motion, energy,
                         *trajectory_csv);
  }
  if (picture) {
    auto s = take_sample(model, settings, skeleton, robot.tree(), at.state, root_foot, energy, w);
    s.jump = jump;
    if (jump) s.jump_time = jump_time;
    history.add(std::move(s));
    picture_time = time;
  }
}

void Recorder::observe(const Simulator& simulator, EventRing& events, const DofVector& tau) {
  Parts& p = *parts_;
  const bool first = !p.begun || simulator.state().time < p.last.state.time;
  if (first) p.begin(simulator, tau);

  // events, with the state before them: the one at the end of the step before
  bool jump = false, happened = false;
  ContactEvent event;
  while (events.pop(event)) {
    p.happening = true;
    if (!happened && !first) {
      p.sample(p.last, p.last_tau, false, p.table_time < p.last.state.time,
               p.picture_time < p.last.state.time);
    }
    happened = true;
    if (jumps(event.kind)) jump = true, p.jump_time = event.time;
    p.take(event);
  }
  p.dropped = events.dropped();
  if (first && !happened) {
    for (int f = 0; f < p.settings.foot_count; ++f) {
      if (simulator.foot_mode(f) != ContactMode::kOpen) p.history.touch(f, p.last.state.time);
    }
  }

  // the state now, if its time has come or something happened
  const State& now = simulator.state();
  const bool table = p.table_clock.due(now.time), picture = p.picture_clock.due(now.time);
  p.last = simulator.save();
  p.last_tau = tau;
  p.sample(p.last, tau, jump && !first, table || happened, picture || happened);
  p.happening = false;
  if (happened) {
    if (p.trajectory_csv) p.trajectory_csv->flush();
    if (p.events_csv) p.events_csv->flush();
  }

  if (p.trajectory_csv) p.keep_error(p.trajectory_csv->file().error());
  if (p.events_csv) p.keep_error(p.events_csv->error());
}

const std::vector<ContactEvent>& Recorder::events() const { return parts_->events; }
const std::vector<Step>& Recorder::steps() const { return parts_->steps; }
const std::optional<Error>& Recorder::trouble() const { return parts_->trouble; }

// ---- finishing

Result<std::vector<fs::path>> Recorder::finish(const Ending& ending) {
  Parts& p = *parts_;
  std::vector<fs::path> written;
  const auto close = [&](auto& table, const fs::path& path, const std::optional<Error>& error) {
    table.close();
    p.keep_error(error);
    if (!error) written.push_back(path);
  };
  if (p.trajectory_csv) {
    const OutputFile& file = p.trajectory_csv->file();
    close(*p.trajectory_csv, file.path(), file.error());
  }
  if (p.events_csv) close(*p.events_csv, p.events_csv->path(), p.events_csv->error());
  const auto write = [&](const char* name, const std::string& text) {
    const auto error = write_file(*p.dir / name, text);
    p.keep_error(error);
    if (!error) written.push_back(*p.dir / name);
  };
  const auto samples = with_jumps(p.history.samples());
  const Scene scene{p.model, p.settings,           p.info,   p.skeleton,
                    samples, p.history.contacts(), p.events, p.steps};
  if (p.wants("phase")) write("phase.svg", draw_phase_portrait(scene));
  if (p.wants("energy")) write("energy.svg", draw_energy_plot(scene));
  if (p.wants("strip")) write("strip.svg", draw_strip(scene));
  if (p.wants("timeline")) write("timeline.svg", draw_timeline(scene));
  if (p.replay && p.begun) {
    const auto error = write_replay(p.replay->finish(), *p.dir / "replay.html");
    p.keep_error(error);
    if (!error) written.push_back(*p.dir / "replay.html");
  }
  // the summary last: it names the other files
  if (p.wants("summary")) {
    auto files = written;
    files.emplace_back("summary.json");
    write("summary.json",
          summary_json(p.info, ending, assess(p.steps), p.events.size(), p.dropped, files));
  }
  if (p.trouble) return *p.trouble;
  return written;
}

}  // namespace stance
