// stance gait: the limit cycle of a walker, its stability, and both along the slope.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cmath>
#include <complex>
#include <filesystem>
#include <memory>
#include <numbers>
#include <optional>
#include <string>

#include "command.hpp"
#include "interrupt.hpp"
#include "option_checks.hpp"
#include "output.hpp"
#include "progress.hpp"
#include "robot_options.hpp"
#include "scenario_notes.hpp"
#include "slope_range.hpp"
#include "stance_gait/find_exchange.hpp"
#include "stance_gait/multipliers.hpp"
#include "stance_gait/sweep.hpp"
#include "stance_model/load_scenario.hpp"
#include "stance_report/overwrite.hpp"
#include "stance_report/sweep_plot.hpp"
#include "text_table.hpp"

namespace stance {
namespace {

struct Options {
  std::string scenario;
  LoadOptions robot;
  int settle = 0;
  int steps = 1;
  std::optional<std::string> sweep_slope, out;
  bool quiet = false;
};

constexpr const char* kFooter =
    R"(Example: the gait of the compass, then its gaits on slopes from 1 to 5 degrees
  stance gait config/compass.yaml
  stance gait config/compass.yaml --sweep-slope 1deg:5deg:41 --out sweep

A gait repeats itself: the state just after a touchdown, legs exchanged, is the state
just after the next. It is found from the scenario's initial state by Newton's method,
stable or not. Its multipliers say what becomes of a small disturbance: each step
multiplies it by them, so the gait is stable if all are below 1 in size. A multiplier
that passes -1 along the slope begins a limp (period doubling); --steps 2 finds it.
For planar walkers with two legs that are alike, or wheels of spokes.

--sweep-slope A:B:N follows the gait through N slopes from A to B, in rad, or deg
where it says so. Written into DIR with --out: sweep.csv and sweep.svg.
If no gait is found, the initial state is too far from it: --settle N walks N steps
first, which helps where the gait is stable.
Exit code: 0 found, 1 not found or something is wrong, 128 + signal interrupted.)";

constexpr double kDegree = std::numbers::pi / 180;

double slope_of(const Scenario& scenario) {
  const Ground& ground = scenario.settings.ground;
  return std::atan2(-ground.forward().z, ground.normal.z);
}

// Walks until this many feet have come down, the one that the scenario lets strike among them.
Result<int> walk_steps(Simulator& simulator, int count) {
  constexpr double kPatience = 60;  // s
  int touched = 0;
  for (;;) {
    ContactEvent event;
    while (simulator.events().pop(event)) touched += event.kind == EventKind::kTouchdown ? 1 : 0;
    if (touched >= count) return touched;
    if (simulator.fallen() || simulator.state().time > kPatience) {
      return Error{ErrorCode::kValue, "initial",
                   simulator.fallen()
                       ? fmt::format("the robot falls at {:.3f} s, before {} touchdown{}",
                                     simulator.state().time, count, count > 1 ? "s" : "")
                       : fmt::format("no touchdown in {:g} s", kPatience)};
    }
    const Status status = simulator.step_to_event({});
    if (status != Status::kOk) return Error{ErrorCode::kValue, "initial", to_string(status)};
  }
}

// The walker just after a touchdown of the scenario.
Result<Walker> make_walker(const Scenario& scenario, int settle) {
  const Model& model = scenario.robot->model;
  Walker walker;
  walker.model = &model;
  walker.settings = scenario.settings;
  sharpen(walker.settings);
  const auto simulator = std::make_unique<Simulator>(model, walker.settings);
  const Status status = start(scenario, *simulator);
  if (status != Status::kOk) return Error{ErrorCode::kValue, "initial", to_string(status)};
  if (const auto walked = walk_steps(*simulator, 1 + settle); !walked) return walked.error();
  walker.foot = simulator->support_foot();
  walker.start = simulator->state();
  walker.start.time = 0;
  for (int i = 1; i < model.body_count; ++i) {
    if (simulator->tree().locked[static_cast<std::size_t>(i)]) walker.locked.emplace_back(i);
  }
  if (const auto walked = walk_steps(*simulator, 1); !walked) return walked.error();
  auto exchange = find_exchange(model, walker.settings, walker.foot, simulator->support_foot());
  if (!exchange) return exchange.error();
  walker.exchange = *exchange;
  return walker;
}

// Without a sign where only zeros are left.
std::string decimals(double x, int digits) {
  std::string text = fmt::format("{:.{}f}", x, digits);
  if (text[0] == '-' && text.find_first_not_of("-0.") == text.npos) text.erase(0, 1);
  return text;
}

std::string multiplier_text(const std::complex<double>& m) {
  if (std::abs(m.imag()) < 1e-12) return decimals(m.real(), 7);
  return fmt::format("{:.7f} {} {:.7f}i", m.real(), m.imag() < 0 ? '-' : '+', std::abs(m.imag()));
}

std::string stability(const FixedPoint& gait) {
  const auto leading = leading_multiplier(gait.multipliers);
  const double size = std::abs(leading);
  const bool limp = leading.real() < 0 && leading.imag() == 0;
  std::string words = fmt::format(
      "{}: a small disturbance {} to {:.4g} of its size with each step{}",
      size < 1 ? "stable" : "not stable", size < 1 ? "shrinks" : "grows", size,
      limp ? ", from one side to the other" : "");
  if (const int neutral = neutral_count(gait.multipliers); neutral > 0) {
    words += fmt::format(
        "; but for {} multiplier{} of 1, along a coordinate that nothing pulls on, such as the "
        "turn of a balanced hip",
        neutral, neutral > 1 ? "s" : "");
  }
  return words;
}

void print_gait(const Scenario& scenario, const StepMap& map, const FixedPoint& gait, int steps) {
  const Model& model = scenario.robot->model;
  const std::string unit = steps == 1 ? "a step" : fmt::format("{} steps", steps);
  const double slope = slope_of(scenario);
  fmt::print("slope        {} rad ({} deg)\n", decimals(slope, 12), decimals(slope / kDegree, 4));
  fmt::print("period       {:.12f} s, {}\n", gait.step.period, unit);
  fmt::print("length       {:.12f} m\n", gait.step.length);
  fmt::print("energy lost  {} J{}\n", decimals(gait.step.energy_lost, 12),
             scenario.settings.push_off.impulse != 0 ? ", less what push-offs gave" : "");
  std::string list;
  for (const auto& m : gait.multipliers) list += (list.empty() ? "" : ", ") + multiplier_text(m);
  fmt::print("{}", wrapped("multipliers  " + list, 0));
  fmt::print("largest      {:.7f} in size\n", std::abs(leading_multiplier(gait.multipliers)));
  fmt::print("\n{}", wrapped(stability(gait), 0));
  const auto& foot = model.frames[scenario.settings.feet[map.walker().foot].frame];
  fmt::print("\njust after touchdown of {}, to {:.1g} after {} iterations:\n", foot.name.view(),
             gait.residual, gait.iterations);
  const State state = map.state(gait.x);
  TextTable table;
  table.add_column("", TextTable::Align::kLeft);
  table.add_column("position", TextTable::Align::kRight);
  table.add_column("velocity", TextTable::Align::kRight);
  const auto row = [&](std::string_view name, double q, double v) {
    table.add_row({std::string(name), decimals(q, 12), decimals(v, 12)});
  };
  row("support", state.q[0], state.v[0]);
  for (int i = 1; i < model.body_count; ++i) {
    const Joint& joint = model.joints[i];
    row(joint.name.view(), state.q[joint.q_index], state.v[joint.v_index]);
  }
  fmt::print("{}", table.text(2));
}

int find(const Options& options, const Scenario& scenario, const Walker& walker) {
  const auto map = StepMap::make(walker);
  if (!map) return fail(map.error());
  NewtonSettings newton;
  newton.steps = options.steps;
  const auto gait = find_fixed_point(*map, newton);
  if (!gait) return fail(gait.error());
  if (!options.quiet) fmt::print("{}", wrapped(scenario.title, 0));
  print_gait(scenario, *map, *gait, options.steps);
  return kExitOk;
}

// Between two neighbours: where, on a straight line, the largest multiplier passes 1 in size, and in which way.
void print_changes(const std::vector<SweepPoint>& points) {
  for (std::size_t k = 1; k < points.size(); ++k) {
    const auto a = leading_multiplier(points[k - 1].gait.multipliers),
               b = leading_multiplier(points[k].gait.multipliers);
    const double x = std::abs(a) - 1, y = std::abs(b) - 1;
    if ((x < 0) == (y < 0)) continue;
    const double slope = points[k - 1].slope +
                         (points[k].slope - points[k - 1].slope) * x / (x - y);
    const auto& outside = y < 0 ? a : b;
    const char* how = outside.imag() != 0  ? "a pair of complex multipliers"
                      : outside.real() < 0 ? "a multiplier of -1: period doubling, the gait limps"
                                           : "a multiplier of 1";
    fmt::print("{}", wrapped(fmt::format("stability changes at about {:.5f} rad ({:.3f} deg): {}",
                                         slope, slope / kDegree, how),
                             0));
  }
}

std::string sweep_csv(const std::vector<SweepPoint>& points) {
  std::string csv = "slope,period,length,energy_lost,largest_multiplier,real,imaginary,stable\n";
  for (const auto& p : points) {
    const auto m = leading_multiplier(p.gait.multipliers);
    csv += fmt::format("{:.17g},{:.17g},{:.17g},{:.17g},{:.17g},{:.17g},{:.17g},{}\n", p.slope,
                       p.gait.step.period, p.gait.step.length, p.gait.step.energy_lost, std::abs(m),
                       m.real(), m.imag(), std::abs(m) < 1 ? 1 : 0);
  }
  return csv;
}

std::optional<Error> write_sweep(const std::filesystem::path& dir, const std::string& title,
                                 const std::vector<SweepPoint>& points) {
  std::error_code failure;
  std::filesystem::create_directories(dir, failure);
  if (failure) {
    return Error{ErrorCode::kFile, dir.string(),
                 fmt::format("the directory cannot be made ({})", failure.message())};
  }
  std::vector<SweepSample> samples;
  samples.reserve(points.size());
  for (const auto& p : points) {
    samples.push_back({p.slope, std::abs(leading_multiplier(p.gait.multipliers)),
                       p.gait.step.length, p.gait.step.period});
  }
  for (const auto& [name, text] : {std::pair{"sweep.csv", sweep_csv(points)},
                                   std::pair{"sweep.svg", draw_sweep(title, samples)}}) {
    auto file = Output::open((dir / name).string());
    if (!file) return file.error();
    file->write(text);
    if (auto error = file->close()) return error;
  }
  return std::nullopt;
}

int sweep(const Options& options, const Scenario& scenario, const Walker& walker) {
  const auto slopes = parse_slope_range(*options.sweep_slope);
  if (!slopes) return fail(slopes.error());
  for (const char* name : {"sweep.csv", "sweep.svg"}) {
    if (!options.out) break;
    if (const auto error = overwritten_input(std::filesystem::path(*options.out) / name,
                                             {scenario.file, scenario.robot_file}))
      return fail(*error);
  }
  NewtonSettings newton;
  newton.steps = options.steps;
  catch_interrupts();
  Progress progress(!options.quiet, static_cast<double>(slopes->size()));
  const auto swept = sweep_slopes(walker, slope_of(scenario), *slopes, newton,
                                  [&](std::size_t count) {
                                    progress.show_part(count, slopes->size(), "slopes");
                                    return interrupted() == 0;
                                  });
  progress.clear();
  if (!swept) return fail(swept.error());
  if (!options.quiet) {
    fmt::print("{}", wrapped(scenario.title, 0));
    fmt::print("{:>10}  {:>9}  {:>12}  {:>12}  {:>12}  {:>22}\n", "slope, rad", "deg", "period, s",
               "length, m", "lost, J", "largest multiplier");
    for (const auto& p : swept->points) {
      fmt::print("{:10.6f}  {:9.4f}  {:12.9f}  {:12.9f}  {:12.9f}  {:>22}\n", p.slope,
                 p.slope / kDegree, p.gait.step.period, p.gait.step.length, p.gait.step.energy_lost,
                 multiplier_text(leading_multiplier(p.gait.multipliers)));
    }
  }
  print_changes(swept->points);
  if (options.out) {
    if (const auto error = write_sweep(*options.out, scenario.title, swept->points))
      return fail(*error);
    fmt::print("written to {}: sweep.csv sweep.svg\n", *options.out);
  }
  std::fflush(stdout);
  for (const auto& loss : swept->losses) note(loss.text());
  if (interrupted() != 0) {
    fmt::print(stderr, "stance: interrupted after {} of {} slopes\n", swept->points.size(),
               slopes->size());
    return kExitSignal + interrupted();
  }
  return swept->points.empty() ? kExitBadInput : kExitOk;
}

int run(const Options& options) {
  const auto loaded = load_scenario(options.scenario, options.robot);
  if (!loaded) return fail(loaded.error());
  const Scenario& scenario = **loaded;
  note_leniency(*scenario.robot, scenario.robot_file.string());
  if (const auto count = scenario.plant.wrenches.size(); count > 0) {
    note(fmt::format("{} push{} of the scenario {} not simulated by stance gait", count,
                     count > 1 ? "es" : "", count > 1 ? "are" : "is"));
  }
  note_not_simulated(scenario, "stance gait");
  const auto walker = make_walker(scenario, options.settle);
  if (!walker) return fail(walker.error());
  return options.sweep_slope ? sweep(options, scenario, *walker) : find(options, scenario, *walker);
}

}  // namespace

void add_gait(CLI::App& app, int& exit_code) {
  const auto options = std::make_shared<Options>();
  auto* command = app.add_subcommand("gait",
                                     "The gait that repeats itself, and whether it is stable");
  command->footer(kFooter);
  command->add_option("SCENARIO", options->scenario, "scenario (YAML)")->required();
  add_robot_options(*command, options->robot);
  command->add_option("--settle", options->settle, "walk this many steps first")
      ->option_text("N")
      ->check(whole_number(0, 1000000));
  command->add_option("--steps", options->steps, "steps until the gait repeats (default 1)")
      ->option_text("N")
      ->check(whole_number(1, 64));
  auto* range = command
                    ->add_option("--sweep-slope", options->sweep_slope,
                                 "follow the gait through N slopes from A to B")
                    ->option_text("A:B:N");
  command->add_option("--out", options->out, "write the sweep into this directory")
      ->option_text("DIR")
      ->needs(range);
  command->add_flag("--quiet", options->quiet, "leave the title, the table and the progress out");
  command->callback([options, &exit_code] { exit_code = run(*options); });
}

}  // namespace stance
