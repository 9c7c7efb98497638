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
#include "gait_find.hpp"
#include "gait_text.hpp"
#include "interrupt.hpp"
#include "option_checks.hpp"
#include "output.hpp"
#include "progress.hpp"
#include "slope_range.hpp"
#include "stance_gait/multipliers.hpp"
#include "stance_gait/sweep.hpp"
#include "stance_report/overwrite.hpp"
#include "stance_report/sweep_plot.hpp"
#include "text_table.hpp"

namespace stance {
namespace {

struct Options : FindOptions {
  std::optional<std::string> sweep_slope, out;
};

constexpr const char* kFooter =
    R"(Example: the gait of the compass, then its gaits on slopes from 1 to 5 degrees
  stance gait find config/compass.yaml
  stance gait config/compass.yaml --sweep-slope 1deg:5deg:41 --out sweep

A gait repeats itself: the state just after a touchdown, legs exchanged, is the state
just after the next. Newton's method finds it, stable or not. Without a command,
stance gait SCENARIO is stance gait find. Its multipliers say what becomes of a small
disturbance: each step multiplies it by them, so the gait is stable if all are below 1 in
size. A multiplier that passes -1 along the slope begins a limp (period doubling);
--steps 2 finds it.
With legs that cannot be exchanged one for the other, a step is a whole stride.

--sweep-slope A:B:N follows the gait through N slopes from A to B, in rad, or deg
where it says so. Written into DIR with --out: sweep.csv and sweep.svg.
Exit code: 0 found, 1 not found or something is wrong, 128 + signal interrupted.)";

constexpr double kDegree = std::numbers::pi / 180;

std::complex<double> leading(const SweepPoint& p) {
  return leading_multiplier(p.gait.multipliers, p.gait.neutral);
}

// Between two neighbours: where, on a straight line, the largest multiplier passes 1 in size, and in which way.
void print_changes(const std::vector<SweepPoint>& points) {
  for (std::size_t k = 1; k < points.size(); ++k) {
    const auto a = leading(points[k - 1]), b = leading(points[k]);
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
    const auto m = leading(p);
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
    samples.push_back({p.slope, std::abs(leading(p)), p.gait.step.length, p.gait.step.period});
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
  const auto swept = sweep_slopes(walker, slope_of(scenario.settings), *slopes, newton,
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
                 multiplier_text(leading(p)));
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
  if (!options.sweep_slope) return find_and_print(options);
  const auto subject = load_subject(options);
  if (!subject) return fail(subject.error());
  return sweep(options, *subject->scenario, subject->walker);
}

}  // namespace

void add_gait(CLI::App& app, int& exit_code) {
  const auto options = std::make_shared<Options>();
  auto* command = app.add_subcommand(
      "gait", "Gaits that repeat themselves: found, followed, mapped, tuned");
  command->footer(kFooter);
  command->require_subcommand(0, 1);
  add_gait_find(*command, exit_code);
  add_gait_follow(*command, exit_code);
  add_gait_map(*command, exit_code);
  add_gait_sweep(*command, exit_code);
  add_gait_tune(*command, exit_code);
  add_find_options(*command, *options);
  command->get_option("SCENARIO")->required(false);
  auto* range = command
                    ->add_option("--sweep-slope", options->sweep_slope,
                                 "follow the gait through N slopes from A to B")
                    ->option_text("A:B:N");
  command->add_option("--out", options->out, "write the sweep into this directory")
      ->option_text("DIR")
      ->needs(range);
  command->callback([options, command, &exit_code] {
    if (!command->get_subcommands().empty()) return;
    if (options->scenario.empty())
      throw CLI::RequiredError("SCENARIO, or a command (find, follow, map, sweep, tune),");
    exit_code = run(*options);
  });
}

}  // namespace stance
