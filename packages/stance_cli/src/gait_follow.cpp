// stance gait follow: a branch of gaits along any parameter, and the branches that double off it.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cmath>
#include <filesystem>
#include <optional>

#include "command.hpp"
#include "gait_find.hpp"
#include "gait_range.hpp"
#include "gait_text.hpp"
#include "interrupt.hpp"
#include "option_checks.hpp"
#include "output.hpp"
#include "progress.hpp"
#include "stance_gait/follow.hpp"
#include "stance_gait/multipliers.hpp"
#include "stance_model/json.hpp"
#include "stance_report/branch_plot.hpp"
#include "stance_report/overwrite.hpp"
#include "text_table.hpp"

namespace stance {
namespace {

struct Options : GaitOptions {
  std::string along, from, to;
  int cascade = 0;
  int points = 2000;
  bool json = false;
  std::optional<std::string> out;
};

constexpr const char* kFooter =
    R"(Example: the compass from 1 to 5 degrees, with the gaits of two and four steps
  stance gait follow config/compass.yaml --along ground.slope --from 1deg --to 5deg --cascade 2 --out branch

The gait of the scenario is followed both ways along the parameter, through folds where
it turns back, by pseudo-arclength. Where a multiplier passes -1 (period doubling), or
1 (fold), or a pair the unit circle (Neimark-Sacker), the parameter is located to 1e-8
or better; --cascade N follows the gaits of twice the steps that begin at a period
doubling, and those that double off them, N times.
Written into DIR with --out: branch.csv with state and multipliers of every point, and
branch.svg, the bifurcation diagram.
Parameters are listed by stance info SCENARIO --parameters.
Exit code: 0 followed, 1 not found or something is wrong, 128 + signal interrupted.)";

std::string events_text(const std::vector<Branch>& branches, const std::string& unit) {
  std::string text;
  for (const Branch& branch : branches) {
    for (const BranchPoint& p : branch.points) {
      if (p.event == BranchEvent::kNone || p.event == BranchEvent::kEnd) continue;
      const char* name = p.event == BranchEvent::kFold       ? "fold"
                         : p.event == BranchEvent::kDoubling ? "period doubling"
                                                             : "Neimark-Sacker";
      text += fmt::format("{:16} at {:.12g}{}{}, of the gait of {} step{}: {:.9f} s, {:.9f} m\n",
                          name, p.parameter, unit.empty() ? "" : " ", unit, branch.steps,
                          branch.steps > 1 ? "s" : "", p.gait.step.period, p.gait.step.length);
    }
  }
  return text.empty() ? "no change of stability on the way\n" : text;
}

std::complex<double> leading(const FixedPoint& gait) {
  return leading_multiplier(gait.multipliers, gait.neutral);
}

std::string branch_csv(const std::vector<Branch>& branches, const std::string& name,
                       const StepMap& map) {
  std::string csv = fmt::format(
      "branch,steps,arc,{},event,stable,largest_multiplier,period,length,energy_lost,neutral",
      name);
  for (int i = 0; i < map.dimension(); ++i) csv += ",state." + map.name(i);
  for (int i = 0; i < map.dimension(); ++i)
    csv += fmt::format(",multiplier_{0}.real,multiplier_{0}.imaginary", i);
  csv += '\n';
  for (std::size_t b = 0; b < branches.size(); ++b) {
    for (const BranchPoint& p : branches[b].points) {
      const double size = std::abs(leading(p.gait));
      csv += fmt::format("{},{},{:.17g},{:.17g},{},{},{:.17g},{:.17g},{:.17g},{:.17g},{}", b,
                         branches[b].steps, p.arc, p.parameter, to_string(p.event),
                         size < 1 ? 1 : 0, size, p.gait.step.period, p.gait.step.length,
                         p.gait.step.energy_lost, p.gait.neutral);
      for (const double x : p.gait.x) csv += fmt::format(",{:.17g}", x);
      for (const auto& m : p.gait.multipliers)
        csv += fmt::format(",{:.17g},{:.17g}", m.real(), m.imag());
      csv += '\n';
    }
  }
  return csv;
}

std::string branches_json(const std::vector<Branch>& branches, const std::string& name) {
  JsonWriter json;
  json.begin_object().key("parameter").string(name).key("branches").begin_array();
  for (const Branch& branch : branches) {
    json.begin_object().key("period_steps").integer(branch.steps);
    json.key("parent").integer(branch.parent).key("end").string(branch.end);
    json.key("points").begin_array();
    for (const BranchPoint& p : branch.points) {
      json.begin_object().key("parameter").number(p.parameter);
      json.key("event").string(to_string(p.event));
      json.key("stable").boolean(std::abs(leading(p.gait)) < 1);
      json.key("period").number(p.gait.step.period).key("length").number(p.gait.step.length);
      json.key("energy_lost").number(p.gait.step.energy_lost);
      json.key("multipliers").begin_array();
      for (const auto& m : p.gait.multipliers)
        json.begin_array().number(m.real()).number(m.imag()).end_array();
      json.end_array().end_object();
    }
    json.end_array().end_object();
  }
  json.end_array().end_object();
  return json.text() + '\n';
}

std::string picture(const std::vector<Branch>& branches, const std::string& title,
                    const std::string& axis) {
  std::vector<BranchLine> lines;
  for (const Branch& branch : branches) {
    BranchLine line;
    line.steps = branch.steps;
    for (const BranchPoint& p : branch.points) {
      const bool event = p.event != BranchEvent::kNone && p.event != BranchEvent::kEnd;
      line.samples.push_back({p.parameter, std::abs(leading(p.gait)),
                              event ? to_string(p.event) : "", p.gait.step.lengths});
    }
    lines.push_back(std::move(line));
  }
  return draw_branches(title, axis, lines);
}

int run(const Options& options) {
  const auto subject = load_subject(options);
  if (!subject) return fail(subject.error());
  const auto parameters = list_parameters(options.scenario, subject->assignments);
  if (!parameters) return fail(parameters.error());
  const auto parameter = find_parameter(*parameters, options.along);
  if (!parameter) return fail(parameter.error());
  const auto from = parameter_value(options, parameter->name, options.from, "--from");
  if (!from) return fail(from.error());
  const auto to = parameter_value(options, parameter->name, options.to, "--to");
  if (!to) return fail(to.error());
  for (const char* name : {"branch.csv", "branch.svg"}) {
    if (!options.out) break;
    if (const auto error = overwritten_input(
            std::filesystem::path(*options.out) / name,
            {subject->scenario->file, subject->scenario->robot_file}))
      return fail(*error);
  }

  const Family family = [&](double value) -> Result<FamilyMember> {
    std::vector<Assignment> assignments = subject->assignments;
    assignments.push_back(assignment(options.along, value));
    if (subject->scenario->initial.strike >= 0) assignments.push_back({"initial.strike", ""});
    auto scenario = load_gait_scenario(options, assignments);
    if (!scenario) return scenario.error();
    const std::shared_ptr<const Scenario> kept = *std::move(scenario);
    const auto walker = with_numbers_of(subject->walker, *kept);
    if (!walker) return walker.error();
    auto map = StepMap::make(*walker);
    if (!map) return map.error();
    return FamilyMember{kept, std::make_shared<const StepMap>(*std::move(map))};
  };
  const auto map = StepMap::make(subject->walker);
  if (!map) return fail(map.error());
  GaitSearch search;
  search.newton.steps = options.steps;
  const auto found = find_gait(*map, search);
  if (!found) return fail(found.error());

  FollowSettings settings;
  settings.from = *from, settings.to = *to;
  settings.newton.steps = options.steps;
  settings.cascade = options.cascade;
  settings.max_points = options.points;
  catch_interrupts();
  const double low = std::min(*from, *to), range = std::abs(*to - *from);
  Progress progress(!options.quiet && !options.json, range);
  settings.progress = [&](const Branch& branch) {
    progress.show(branch.points.back().parameter - low, branch.points.size());
    return interrupted() == 0;
  };
  // a scenario that stands outside of the range begins at its nearer end
  const double start = std::clamp(parameter->value, low, low + range);
  const auto branches = follow(family, start, found->gait.x, settings);
  progress.clear();
  if (!branches) return fail(branches.error());

  if (options.json) {
    fmt::print("{}", branches_json(*branches, options.along));
  } else {
    if (!options.quiet) fmt::print("{}", wrapped(subject->scenario->title, 0));
    for (std::size_t b = 0; b < branches->size(); ++b) {
      const Branch& branch = (*branches)[b];
      fmt::print(
          "{}", wrapped(fmt::format("branch {}: gaits of {} step{}, {} points; {}", b, branch.steps,
                                    branch.steps > 1 ? "s" : "", branch.points.size(), branch.end),
                        0));
    }
    fmt::print("{}", events_text(*branches, parameter->unit));
  }
  if (options.out) {
    std::error_code failure;
    std::filesystem::create_directories(*options.out, failure);
    if (failure) {
      return fail({ErrorCode::kFile, *options.out,
                   fmt::format("the directory cannot be made ({})", failure.message())});
    }
    const std::string axis = parameter->unit.empty()
                                 ? options.along
                                 : fmt::format("{} [{}]", options.along, parameter->unit);
    for (const auto& [name, text] :
         {std::pair{"branch.csv", branch_csv(*branches, options.along, *map)},
          std::pair{"branch.svg", picture(*branches, subject->scenario->title, axis)}}) {
      auto file = Output::open((std::filesystem::path(*options.out) / name).string());
      if (!file) return fail(file.error());
      file->write(text);
      if (const auto error = file->close()) return fail(*error);
    }
    if (!options.json) fmt::print("written to {}: branch.csv branch.svg\n", *options.out);
  }
  if (interrupted() != 0) {
    std::fflush(stdout);
    fmt::print(stderr, "stance: interrupted\n");
    return kExitSignal + interrupted();
  }
  return kExitOk;
}

}  // namespace

void add_gait_follow(CLI::App& gait, int& exit_code) {
  const auto options = std::make_shared<Options>();
  auto* command = gait.add_subcommand("follow", "A branch of gaits along a parameter");
  command->footer(kFooter);
  add_gait_options(*command, *options);
  command->add_option("--along", options->along, "the parameter")->option_text("NAME")->required();
  command->add_option("--from", options->from, "one end of its range")
      ->option_text("A")
      ->required();
  command->add_option("--to", options->to, "the other end")->option_text("B")->required();
  command->add_option("--cascade", options->cascade, "follow doubled branches, N deep (default 0)")
      ->option_text("N")
      ->check(whole_number(0, 10));
  command->add_option("--points", options->points, "at most so many on a branch (default 2000)")
      ->option_text("N")
      ->check(whole_number(2, 100000));
  command->add_flag("--json", options->json, "points and events as JSON, with all digits");
  command->add_option("--out", options->out, "write branch.csv and branch.svg into this directory")
      ->option_text("DIR");
  command->callback([options, &exit_code] { exit_code = run(*options); });
}

}  // namespace stance
