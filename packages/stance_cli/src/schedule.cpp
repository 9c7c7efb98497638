// stance schedule: in which order a robot is assembled, found or given, what that is said to cost and what it does.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <thread>

#include "command.hpp"
#include "find_plan.hpp"
#include "output.hpp"
#include "stance_core/assembly/crew_dynamics.hpp"
#include "stance_core/assembly/find_schedule.hpp"
#include "stance_core/dynamics/aba.hpp"
#include "stance_model/load_robot.hpp"
#include "stance_model/loop_file.hpp"
#include "stance_report/overwrite.hpp"
#include "stance_report/schedule_tree.hpp"
#include "text_table.hpp"

namespace stance {
namespace {

struct Options {
  std::string robot, loops, schedule, out;
  int processors = 1;
  bool fixed_base = false;
};

constexpr const char* kFooter =
    R"(Example: a humanoid for two processors, with a picture of the tree
  stance schedule humanoid_34.urdf --processors 2 --out schedule

Forward dynamics by assembly adds joint after joint to free links; in which order is
free, and decides how much can be done at once and how much there is to do. Printed: the
order; its depth, the joints on the longest way down the tree; the work and the time that
are predicted, in steps; and the time that was measured. A step is what the
articulated-body algorithm takes for one joint. A joint whose subchain keeps two or more
handles costs a dozen: for one or two processors it is best to work inwards from the tips.
With half as many processors as there are bodies, or more, the tree of least depth is taken.

Written into DIR with --out: schedule.yaml, which --schedule FILE reads here and in
stance dynamics, and schedule.svg. A schedule by hand is such a file:
  schedule: [knee, ankle, hip, support]
every joint that moves once, and `support`, the base's joint to the world, where it counts.)";

constexpr const char* kRules[] = {"inertias", "mixed", "responses", "invert"};

// Seconds of one call: the least of many, as other work only ever adds time.
template <class Call>
double least_time(const Call& call) {
  using Clock = std::chrono::steady_clock;
  double least = 1e9;
  const auto end = Clock::now() + std::chrono::milliseconds(300);
  do {
    const auto start = Clock::now();
    for (int k = 0; k < 10; ++k) call();
    least = std::min(least, std::chrono::duration<double>(Clock::now() - start).count() / 10);
  } while (Clock::now() < end);
  return least;
}

// The file that --schedule reads.
std::string schedule_text(const std::vector<ScheduleEntry>& entries) {
  std::string text = "schedule:\n";
  for (const ScheduleEntry& entry : entries) text += fmt::format("  - \"{}\"\n", entry.name);
  return text;
}

int run(const Options& options) {
  if (options.processors < 1 || options.processors > 64)
    return fail_usage("--processors takes a number from 1 to 64", "stance schedule");
  const auto robot = load_robot(options.robot);
  if (!robot) return fail(robot.error());
  const Model& model = (*robot)->model;
  if (model.body_count == 1) {
    return fail({ErrorCode::kStructure, options.robot,
                 "has no joint that moves: there is nothing to assemble"});
  }
  std::vector<Closure> closures;
  if (!options.loops.empty()) {
    const auto loops = load_loops(options.loops, model);
    if (!loops) return fail(loops.error());
    for (const Loop& loop : *loops) closures.push_back(loop.closure);
  }
  Support support;
  if (options.fixed_base) support.kind = JointKind::kFixed;
  const auto tree = std::make_unique<Tree>(make_tree(model, BodyId(0), support));
  const auto given = options.schedule.empty() ? std::string("found") : options.schedule;
  const auto schedule = find_schedule(given, model, *tree, closures, options.processors);
  if (!schedule) return fail(schedule.error());
  auto plan = make_plan(model, *tree, closures, *schedule);
  if (!plan) return fail(plan.error());
  const Forecast forecast = share_out(*plan, options.processors);

  const std::vector<ScheduleEntry> entries = schedule_entries(model, *tree, *plan);
  const std::string title = fmt::format("{}: {} joints, {}, {} for {} processor{}",
                                        model.name.view(), entries.size(),
                                        options.fixed_base ? "fixed base" : "base in flight", given,
                                        options.processors, options.processors > 1 ? "s" : "");
  fmt::print("{}\n\n", title);
  TextTable table;
  table.add_column("", TextTable::Align::kRight);
  table.add_column("joint", TextTable::Align::kLeft);
  table.add_column("sides", TextTable::Align::kLeft);
  table.add_column("handles kept", TextTable::Align::kRight);
  table.add_column("depth", TextTable::Align::kRight);
  table.add_column("processor", TextTable::Align::kRight);
  std::size_t entry = 0;
  for (const PlanNode& node : plan->nodes) {
    if (node.rule == JointRule::kInvert) continue;
    table.add_row({std::to_string(entries[entry].number), entries[entry].name,
                   kRules[static_cast<int>(node.rule)], std::to_string(node.handle_count),
                   std::to_string(node.depth), std::to_string(node.processor + 1)});
    ++entry;
  }
  fmt::print("{}\n", table.text(2));

  // at rest in the zero pose: the time does not depend on the numbers
  const State state = neutral_state(model, *tree);
  DofVector a;
  ClosureForces forces;
  auto w = std::make_unique<Workspace>();
  AssemblyMemory memory(*plan);
  const auto by_one = [&](const Plan& p, AssemblyMemory& m) {
    return least_time([&] {
      (void)assembly_dynamics(model, *tree, p, state, {}, {}, closures, *w, m, a, forces);
    });
  };
  const auto serial = make_plan(model, *tree, closures, chain_schedule(model, *tree, closures));
  AssemblyMemory serial_memory(*serial);
  const double chain = by_one(*serial, serial_memory);
  double measured = by_one(*plan, memory);
  const int available = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
  const int threads = std::min(options.processors, available);
  if (threads > 1) {
    Crew crew(threads);
    NodeClock clock(*plan);
    measured = least_time([&] {
      (void)assembly_dynamics(model, *tree, *plan, state, {}, {}, closures, *w, memory, a, forces,
                              clock, crew);
    });
  }
  fmt::print("depth      {}\n", plan->depth);
  fmt::print("predicted  {:.1f} steps of work, done after {:.1f}\n", forecast.work, forecast.time);
  fmt::print("measured   {:.2f} us with {} thread{}; chain with one {:.2f} us\n", measured * 1e6,
             threads, threads > 1 ? "s" : "", chain * 1e6);
  if (threads < options.processors)
    note(fmt::format("this machine has {} processors: measured with those", available));

  if (options.out.empty()) return kExitOk;
  const std::filesystem::path folder = options.out;
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) return fail({ErrorCode::kFile, options.out, error.message()});
  const std::pair<const char*, std::string> files[] = {
      {"schedule.yaml", schedule_text(entries)},
      {"schedule.svg", draw_schedule(title, model, *tree, *plan)}};
  for (const auto& [name, text] : files) {
    auto file = Output::open((folder / name).string(),
                             {options.robot, options.loops, options.schedule});
    if (!file) return fail(file.error());
    file->write(text);
    if (const auto failed = file->close()) return fail(*failed);
  }
  return kExitOk;
}

}  // namespace

void add_schedule(CLI::App& app, int& exit_code) {
  const auto options = std::make_shared<Options>();
  auto* command = app.add_subcommand("schedule", "The order in which a robot is assembled");
  command->footer(kFooter);
  command->add_option("ROBOT", options->robot, "robot description (URDF)")->required();
  command->add_option("--processors", options->processors, "to find a schedule for (default 1)")
      ->option_text("N");
  command->add_option("--loops", options->loops, "loops of the mechanism, as in stance dynamics")
      ->option_text("FILE");
  command
      ->add_option("--schedule", options->schedule,
                   "take this one: chain, balanced, or a file with the list `schedule`")
      ->option_text("NAME");
  command->add_flag("--fixed-base", options->fixed_base, "weld the root link to the world");
  command->add_option("--out", options->out, "write schedule.yaml and schedule.svg there")
      ->option_text("DIR");
  command->callback([options, &exit_code] { exit_code = run(*options); });
}

}  // namespace stance
