#include "gait_find.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <utility>

#include "command.hpp"
#include "gait_text.hpp"
#include "option_checks.hpp"
#include "output.hpp"
#include "robot_options.hpp"
#include "scenario_notes.hpp"
#include "set_option.hpp"
#include "stance_model/write_scenario.hpp"
#include "stance_report/overwrite.hpp"
#include "text_table.hpp"

namespace stance {
namespace {

constexpr const char* kFooter =
    R"(Example: the gait of the compass; a limp on a steeper slope; one to start from
  stance gait find config/compass.yaml
  stance gait find config/compass.yaml --set ground.slope=4.45deg --steps 2 --json
  stance gait find config/compass_powered.yaml --write steady.yaml

The walk from the scenario's state is followed until it repeats itself; Newton's method
leads from there to the gait, and from the state itself to the gait next to it, which may
be another and not stable: then a note says so. Where neither leads to a gait of --steps
steps, other states around are tried. A gait that repeats after fewer is not taken.
Multipliers are over the whole period; those of a family of gaits are told apart.
--robust: the smallest change of one coordinate from which it does not come back.
--write FILE: a scenario that starts on the gait.
Exit code: 0 found, 1 not found or something is wrong.)";

std::optional<Error> write_start(const FindOptions& options, const GaitSubject& subject,
                                 const StepMap& map, const FixedPoint& gait) {
  if (const auto error = overwritten_input(options.write,
                                           {subject.scenario->file, subject.scenario->robot_file}))
    return error;
  const auto text = scenario_text(
      *subject.scenario, subject.assignments, initial_state(map.walker(), map.state(gait.x)),
      fmt::format("{}, on its gait of {} step{}", subject.scenario->title, options.steps,
                  options.steps > 1 ? "s" : ""),
      options.write);
  if (!text) return text.error();
  auto file = Output::open(options.write);
  if (!file) return file.error();
  file->write(*text);
  return file->close();
}

}  // namespace

void add_gait_options(CLI::App& command, GaitOptions& options) {
  command.add_option("SCENARIO", options.scenario, "scenario (YAML)")->required();
  add_set(command, options.set);
  add_robot_options(command, options.robot);
  command.add_option("--settle", options.settle, "walk this many steps first")
      ->option_text("N")
      ->check(whole_number(0, 1000000));
  command.add_option("--steps", options.steps, "steps until the gait repeats (default 1)")
      ->option_text("N")
      ->check(whole_number(1, 64));
  command.add_flag("--quiet", options.quiet, "leave the title and the progress out");
}

Result<std::unique_ptr<Scenario>> load_gait_scenario(const GaitOptions& options,
                                                     std::vector<Assignment> assignments) {
  LoadOptions robot = options.robot;
  robot.set = std::move(assignments);
  return load_scenario(options.scenario, robot);
}

Result<GaitSubject> load_subject(const GaitOptions& options) {
  GaitSubject subject;
  auto assignments = parse_assignments(options.set);
  if (!assignments) return assignments.error();
  subject.assignments = *std::move(assignments);
  auto scenario = load_gait_scenario(options, subject.assignments);
  if (!scenario) return scenario.error();
  subject.scenario = *std::move(scenario);
  note_leniency(*subject.scenario->robot, subject.scenario->robot_file.string());
  note_not_simulated(*subject.scenario, "stance gait");
  if (const auto count = subject.scenario->plant.wrenches.size(); count > 0) {
    note(fmt::format("{} push{} of the scenario {} not simulated by stance gait", count,
                     count > 1 ? "es" : "", count > 1 ? "are" : "is"));
  }
  auto walker = make_walker(*subject.scenario, options.settle);
  if (!walker) return walker.error();
  subject.walker = *std::move(walker);
  return subject;
}

void add_find_options(CLI::App& command, FindOptions& options) {
  add_gait_options(command, options);
  command.add_flag("--json", options.json, "the same as JSON, with all digits");
  command.add_flag("--robust", options.robust, "measure how far it is from falling, too");
  command.add_option("--write", options.write, "write a scenario that starts on the gait")
      ->option_text("FILE");
}

int find_and_print(const FindOptions& options) {
  const auto subject = load_subject(options);
  if (!subject) return fail(subject.error());
  const auto map = StepMap::make(subject->walker);
  if (!map) return fail(map.error());
  GaitSearch search;
  search.newton.steps = options.steps;
  const auto found = find_gait(*map, search);
  if (!found) return fail(found.error());
  GaitReport report{*subject->scenario, *map, *found, options.steps, {}, {}};
  if (const auto step = map->walk(found->gait.x, options.steps, &report.needs); !step)
    return fail(step.error());
  if (options.robust) report.robust = robustness(*map, found->gait, options.steps);
  if (!options.write.empty()) {
    if (const auto error = write_start(options, *subject, *map, found->gait)) return fail(*error);
  }
  auto output = Output::open("");
  if (!output) return fail(output.error());
  if (options.json) {
    output->write(gait_json(report));
  } else {
    if (!options.quiet) output->write(wrapped(subject->scenario->title, 0));
    output->write(gait_text(report));
    if (!options.write.empty()) output->write(fmt::format("written to {}\n", options.write));
  }
  if (const auto error = output->close()) return fail(*error);
  return kExitOk;
}

void add_gait_find(CLI::App& gait, int& exit_code) {
  const auto options = std::make_shared<FindOptions>();
  auto* command = gait.add_subcommand("find", "The gait, its stability, its needs and its cost");
  command->footer(kFooter);
  add_find_options(*command, *options);
  command->callback([options, &exit_code] { exit_code = find_and_print(*options); });
}

}  // namespace stance
