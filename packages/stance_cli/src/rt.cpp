// stance rt: a scenario at a fixed rate on a real-time thread, and whether the rate was kept.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <limits>
#include <optional>
#include <thread>

#include "command.hpp"
#include "interrupt.hpp"
#include "option_checks.hpp"
#include "output.hpp"
#include "progress.hpp"
#include "robot_options.hpp"
#include "rt_loop.hpp"
#include "rt_text.hpp"
#include "set_option.hpp"
#include "stance_gait/make_law.hpp"
#include "stance_model/load_scenario.hpp"
#include "stance_report/latency_plot.hpp"
#include "stance_report/overwrite.hpp"
#include "text_table.hpp"

namespace stance {
namespace {

struct Options {
  std::string scenario;
  LoadOptions robot;
  std::vector<std::string> set;
  double rate = 1000;
  double seconds = 60;
  RealTimeWish wish;
  std::optional<std::string> out;
  bool quiet = false;
};

constexpr const char* kFiles[] = {"rt.svg", "rt.json", "rt.csv"};

constexpr const char* kFooter =
    R"(Example: a minute at 1 kHz on processor 3, with a picture
  stance rt config/compass.yaml --rate 1000 --seconds 60 --cpu 3 --out rt

A thread of its own sleeps until the planned instant of each cycle, takes as many steps of
the scenario as fit its period, and takes the events out of the ring. Measured: how late
it wakes up, how long the step takes, and both together, which must stay within the
period. After the start it counts heap calls, page faults and context switches: the first
must be zero, the second is where memory is locked. A robot that falls starts anew.
Where the system permits, memory is locked, the thread is bound to one processor, and its
scheduling is SCHED_FIFO; what is not permitted is left out, and a note says what would
permit it. Without them the numbers are those of an ordinary process.
Printed too: the most that a step can cost by construction, in forward dynamics. Size a
system by that number; the longest time seen is only the longest seen.
Written into DIR: rt.svg, rt.json, rt.csv.
Exit code: 0 the rate was kept, 4 it was not, 1 something is wrong, 128 + signal
interrupted.)";

Result<LoopPlan> plan_of(const Options& options, const Scenario& scenario) {
  LoopPlan plan;
  plan.wish = options.wish;
  plan.period = std::llround(1e9 / options.rate);
  plan.cycles = std::max(1LL, std::llround(options.seconds * options.rate));
  const double step = scenario.settings.step;
  const double steps = 1 / (options.rate * step);
  plan.steps_per_cycle = static_cast<int>(std::lround(steps));
  if (plan.steps_per_cycle < 1 || std::abs(steps - plan.steps_per_cycle) > 1e-6 * steps) {
    return Error{ErrorCode::kValue, "--rate",
                 fmt::format("{:g} Hz is {:g} steps of {:g} s a cycle, and must be a whole number: "
                             "the step's own rate is {:g} Hz",
                             options.rate, steps, step, 1 / step)};
  }
  return plan;
}

// The loop on its thread, while this one draws the progress bar.
LoopResult watch_loop(const Options& options, const LoopPlan& plan, ControlLoop& loop) {
  LoopResult result;
  LoopProgress progress;
  std::thread thread([&] { result = run_loop(plan, loop, progress); });
  const double period = 1e-9 * static_cast<double>(plan.period);
  Progress bar(!options.quiet, static_cast<double>(plan.cycles) * period, 1);
  while (!progress.done) {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    if (interrupted() != 0) progress.stop = true;
    bar.show(static_cast<double>(progress.cycles) * period,
             static_cast<std::size_t>(progress.touchdowns.load()));
  }
  thread.join();
  return result;
}

// Before the run, not after it.
std::optional<Error> check_files(const std::filesystem::path& dir, const Scenario& scenario) {
  for (const char* name : kFiles) {
    if (auto error = overwritten_input(dir / name, {scenario.file, scenario.robot_file}))
      return error;
  }
  return std::nullopt;
}

std::optional<Error> write_files(const std::string& dir, const Scenario& scenario,
                                 const LoopPlan& plan, const LoopResult& result) {
  std::error_code error;
  std::filesystem::create_directories(dir, error);
  if (error) return Error{ErrorCode::kFile, dir, "cannot be made: " + error.message()};
  const LatencySeries series[] = {{"wake-up", &result.wake}, {"step", &result.step}};
  const std::string title = fmt::format("{} at {:g} Hz: {} cycles", scenario.file.stem().string(),
                                        1e9 / static_cast<double>(plan.period),
                                        grouped(result.cycles));
  const std::string small = fmt::format(
      "{}; {}; {} heap calls, {} page faults", result.grant.text(),
      result.missed > 0 ? fmt::format("{} cycles late", grouped(result.missed))
                        : std::string("no cycle late"),
      result.counts.heap_calls, result.counts.minor_faults + result.counts.major_faults);
  const std::string texts[] = {draw_latency_plot(title, small, series, plan.period),
                               loop_json(result, plan, scenario), loop_csv(result)};
  for (std::size_t k = 0; k < std::size(kFiles); ++k) {
    auto file = Output::open((std::filesystem::path(dir) / kFiles[k]).string());
    if (!file) return file.error();
    file->write(texts[k]);
    if (auto trouble = file->close()) return trouble;
  }
  return std::nullopt;
}

void print_result(const Options& options, const Scenario& scenario, const LoopPlan& plan,
                  const LoopResult& result) {
  for (const std::string& text : result.grant.notes) note(text);
  fmt::print(
      "{}",
      wrapped(fmt::format("{}: {} cycles at {:g} Hz on {}{}; {} touchdowns{}",
                          scenario.file.filename().string(), grouped(result.cycles),
                          1e9 / static_cast<double>(plan.period), result.grant.text(),
                          result.grant.preempt_rt ? ", kernel PREEMPT_RT" : "", result.touchdowns,
                          result.restarts > 0
                              ? fmt::format(", {} new starts after falls", result.restarts)
                              : ""),
              0));
  if (!options.quiet) fmt::print("\n{}\n{}\n", percentile_table(result), histogram_text(result));
  fmt::print("{}", wrapped(counts_text(result), 0));
  fmt::print("{}", wrapped(worst_case_text(result, plan, scenario.settings), 0));
  fmt::print("{}", wrapped(verdict_text(result, plan), 0));
}

int run(const Options& options) {
  auto loaded = load_scenario_with(options.scenario, options.robot, options.set);
  if (!loaded) return fail(loaded.error());
  const Scenario& scenario = **loaded;
  if (options.out) {
    if (const auto error = check_files(*options.out, scenario)) return fail(*error);
  }
  const auto plan = plan_of(options, scenario);
  if (!plan) return fail(plan.error());
  if (options.wish.cpu >= 0) {
    const std::vector<int> cpus = usable_cpus();
    if (std::find(cpus.begin(), cpus.end(), options.wish.cpu) == cpus.end()) {
      return fail({ErrorCode::kValue, "--cpu",
                   fmt::format("{} is not among the processors this process may use: {}",
                               options.wish.cpu, fmt::join(cpus, ", "))});
    }
  }
  auto loop = make_control_loop(scenario);
  if (!loop) return fail(loop.error());
  note_leniency(*scenario.robot, scenario.robot_file.string());
  catch_interrupts();
  const LoopResult result = watch_loop(options, *plan, *loop);
  print_result(options, scenario, *plan, result);
  if (options.out) {
    if (const auto error = write_files(*options.out, scenario, *plan, result)) return fail(*error);
    fmt::print("written to {}: rt.svg rt.json rt.csv\n", *options.out);
  }
  std::fflush(stdout);
  if (result.status != Status::kOk) {
    return fail({ErrorCode::kValue, scenario.file.string(),
                 fmt::format("the simulation stopped at {:.6f} s: {}",
                             loop->simulator().state().time, to_string(result.status))});
  }
  if (interrupted() != 0) {
    fmt::print(stderr, "stance: interrupted after {} of {} cycles\n", grouped(result.cycles),
               grouped(plan->cycles));
    return kExitSignal + interrupted();
  }
  return rate_kept(result, *plan) ? kExitOk : kExitLate;
}

}  // namespace

void add_rt(CLI::App& app, int& exit_code) {
  const auto options = std::make_shared<Options>();
  auto* command = app.add_subcommand("rt", "Prove real time: a scenario at a fixed rate, measured");
  command->footer(kFooter);
  command->add_option("SCENARIO", options->scenario, "scenario (YAML)")->required();
  add_robot_options(*command, options->robot);
  add_set(*command, options->set);
  command->add_option("--rate", options->rate, "cycles a second: 500, 1kHz (1000)")
      ->option_text("HZ")
      ->transform(quantity(kFrequency, 0.1, 1e6));
  command->add_option("--seconds", options->seconds, "how long: 60, 5min (60)")
      ->option_text("TIME")
      ->transform(quantity(kTime, 1e-3, 1e6));
  command->add_option("--cpu", options->wish.cpu, "processor to run on (the last)")
      ->option_text("N")
      ->check(whole_number(0, std::numeric_limits<int>::max()));
  command
      ->add_option("--priority", options->wish.priority,
                   "of SCHED_FIFO, 1 to 99 (80); 0: ordinary scheduling")
      ->option_text("P")
      ->check(whole_number(0, 99));
  command->add_option("--out", options->out, "write picture and numbers into this directory")
      ->option_text("DIR");
  command->add_flag("--quiet", options->quiet, "print neither table, histogram nor progress");
  command->callback([options, &exit_code] { exit_code = run(*options); });
}

}  // namespace stance
