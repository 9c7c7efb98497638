// stance run: a scenario, simulated to its end, with a table of steps and a report.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <limits>
#include <memory>
#include <optional>
#include <string>

#include "command.hpp"
#include "interrupt.hpp"
#include "kick.hpp"
#include "option_checks.hpp"
#include "progress.hpp"
#include "robot_options.hpp"
#include "set_option.hpp"
#include "stance_gait/make_law.hpp"
#include "stance_model/geometry.hpp"
#include "stance_model/load_scenario.hpp"
#include "stance_report/doubts.hpp"
#include "stance_report/recorder.hpp"
#include "stance_report/verdict.hpp"
#include "step_table.hpp"
#include "text_table.hpp"

namespace stance {
namespace {

struct Options {
  std::string scenario;
  LoadOptions robot;
  std::vector<std::string> set;
  std::optional<std::string> out;
  std::optional<double> duration;
  std::optional<int> steps;
  std::optional<std::uint64_t> seed;
  bool quiet = false;
};

constexpr const char* kFooter =
    R"(Example: walk, write tables and pictures; then see that a kick dies out
  stance run config/compass.yaml --out walk
  stance run config/compass.yaml --seed 7

Printed: a line for each step, with its length and period, the normal impulse on the
foot, and the energy lost in the impact and in the stops since the step before; lines
for the stops and pushes between; and in words whether the gait is steady.
Written into DIR, as the scenario's report says: trajectory.csv, events.csv,
summary.json, the pictures phase, energy, strip and timeline (SVG), and replay.html, the
run as a page for a browser (also: stance view DIR). Files of these names that an earlier
run left there are replaced or taken away.
--seed N kicks: every initial velocity is changed by up to 1 %, by numbers that follow
from N. Without it nothing is random, and two runs end with the same state hash.
Scenario files are described in config/README.md.
Exit code: 0 to the end, 3 the robot fell, 1 something is wrong, 128 + signal interrupted.)";

// Who fell on what, from the last event.
std::string describe_fall(const Model& model, const Recorder& recorder) {
  for (auto event = recorder.events().rbegin(); event != recorder.events().rend(); ++event) {
    if (event->kind == EventKind::kFall)
      return fmt::format("'{}' touched the ground", model.frames[event->frame].name.view());
  }
  return "it touched the ground";
}

// Steps until something ends the run.
Ending simulate(const Options& options, const Scenario& scenario, ControlLoop& loop,
                Recorder& recorder, Doubts& doubts) {
  const Simulator& simulator = loop.simulator();
  StepTable table(simulator.model(), simulator.settings());
  Progress progress(!options.quiet, scenario.duration);
  if (!options.quiet) fmt::print("{}", table.header());
  const std::size_t enough = options.steps ? static_cast<std::size_t>(*options.steps)
                                           : std::numeric_limits<std::size_t>::max();
  const long long count = std::max(1LL, std::llround(scenario.duration / scenario.settings.step));
  Status status = Status::kOk;
  const auto ending = [&](Ending::Why why, std::string detail) {
    return stance::ending(simulator, why, std::move(detail));
  };
  for (long long k = 0;; ++k) {
    if (status != Status::kOk) return ending(Ending::Why::kFailed, to_string(status));
    recorder.observe(simulator, loop.plant().events(), loop.plant().efforts());
    doubts.observe(simulator);
    if (!options.quiet) {
      if (const auto rows = table.rows(recorder.events(), recorder.steps()); !rows.empty()) {
        progress.clear();
        fmt::print("{}", rows);
        std::fflush(stdout);
      }
      progress.show(simulator.state().time, recorder.steps().size());
    }
    if (recorder.trouble()) return ending(Ending::Why::kFailed, recorder.trouble()->text());
    if (simulator.fallen())
      return ending(Ending::Why::kFell, describe_fall(simulator.model(), recorder));
    if (interrupted() != 0) return ending(Ending::Why::kInterrupted, "by a signal");
    if (recorder.steps().size() >= enough) return ending(Ending::Why::kSteps, "");
    if (k == count) return ending(Ending::Why::kDuration, "");
    status = loop.step();
  }
}

void print_summary(const Ending& ending, const Recorder& recorder) {
  const Verdict verdict = assess(recorder.steps());
  std::string words = verdict.words;
  if (std::isfinite(verdict.energy_lost))
    words += fmt::format("; {:.6g} J lost a step", verdict.energy_lost);
  fmt::print("{}{} steps in {:g} s; state hash {:016x}\n", wrapped(words, 0), verdict.steps,
             ending.time, ending.hash);
}

int report(const Options& options, const Scenario& scenario, const Ending& ending,
           Recorder& recorder, const Doubts& doubts) {
  print_summary(ending, recorder);
  const auto files = recorder.finish(ending);
  if (files && !files->empty()) {
    std::string names;
    for (const auto& file : *files) names += ' ' + file.filename().string();
    fmt::print("{}", wrapped(fmt::format("written to {}:{}", *options.out, names), 0));
  }
  std::fflush(stdout);
  for (const auto& sentence : doubts.sentences()) note(sentence);
  int exit_code = kExitOk;
  switch (ending.why) {
    case Ending::Why::kDuration:
    case Ending::Why::kSteps: break;
    case Ending::Why::kFell:
      fmt::print(stderr, "stance: the robot fell at {:.6f} s: {}\n", ending.time, ending.detail);
      exit_code = kExitFell;
      break;
    case Ending::Why::kInterrupted:
      fmt::print(stderr, "stance: interrupted at {:.6f} s of {:g} s{}\n", ending.time,
                 scenario.duration,
                 options.out ? "; what was written so far is kept, and summed up" : "");
      exit_code = kExitSignal + interrupted();
      break;
    case Ending::Why::kFailed:
      fmt::print(stderr, "stance: the simulation stopped at {:.6f} s: {}\n", ending.time,
                 ending.detail);
      exit_code = kExitBadInput;
      break;
  }
  if (!files) return fail(files.error());
  return exit_code;
}

int run(const Options& options) {
  auto loaded = load_scenario_with(options.scenario, options.robot, options.set);
  if (!loaded) return fail(loaded.error());
  Scenario& scenario = **loaded;
  if (options.duration) scenario.duration = *options.duration;
  if (scenario.duration < scenario.settings.step) {
    return fail({ErrorCode::kValue, "--duration",
                 fmt::format("is shorter than the step of {:g} s", scenario.settings.step)});
  }
  if (options.seed) kick(*options.seed, scenario.initial);

  auto loop = make_control_loop(scenario);
  if (!loop) return fail(loop.error());
  const Model& model = loop->plant().model();  // with the drives' armatures
  RunInfo info;
  info.title = scenario.title;
  info.robot_name = std::string(model.name.view());
  info.sample_period = scenario.sample_period;
  info.files = scenario.report;
  info.seed = options.seed.value_or(0);
  info.seeded = options.seed.has_value();
  info.inputs = {scenario.file, scenario.robot_file};
  info.pushes = scenario.plant.wrenches;
  info.robot_file = scenario.robot_file;
  if (auto shapes = read_geometry(scenario.robot_file, scenario.robot->options)) {
    info.shapes = *std::move(shapes);
  } else if (options.out) {
    note(shapes.error().text() + "; replay.html shows sticks instead");
  }
  std::optional<std::filesystem::path> dir;
  if (options.out) dir = *options.out;
  auto recorder = Recorder::open(model, scenario.settings, info, dir);
  if (!recorder) return fail(recorder.error());

  if (!options.quiet) fmt::print("{}", wrapped(scenario.title, 0));
  note_leniency(*scenario.robot, scenario.robot_file.string());
  catch_interrupts();
  Doubts doubts(model, scenario.settings);
  const Ending ending = simulate(options, scenario, *loop, **recorder, doubts);
  return report(options, scenario, ending, **recorder, doubts);
}

}  // namespace

void add_run(CLI::App& app, int& exit_code) {
  const auto options = std::make_shared<Options>();
  auto* command = app.add_subcommand("run", "Walk: simulate a scenario, and report on it");
  command->footer(kFooter);
  command->add_option("SCENARIO", options->scenario, "scenario (YAML)")->required();
  add_robot_options(*command, options->robot);
  add_set(*command, options->set);
  command->add_option("--duration", options->duration, "simulate this long instead: 5s, 2min")
      ->option_text("TIME")
      ->transform(quantity(kTime, 1e-9, 1e9));
  command->add_option("--steps", options->steps, "end after this many steps")
      ->option_text("N")
      ->check(whole_number(1, std::numeric_limits<int>::max()));
  command->add_option("--out", options->out, "write tables and pictures into this directory")
      ->option_text("DIR");
  command->add_option("--seed", options->seed, "kick: change the initial velocities by up to 1 %")
      ->option_text("N")
      ->check(whole_number(0));
  command->add_flag("--quiet", options->quiet, "print the summary alone");
  command->callback([options, &exit_code] { exit_code = run(*options); });
}

}  // namespace stance
