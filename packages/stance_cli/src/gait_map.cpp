// stance gait map and stance gait sweep: what becomes of each point of a plane, and the gait at each point of a table.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>

#include "command.hpp"
#include "gait_find.hpp"
#include "gait_range.hpp"
#include "gait_text.hpp"
#include "interrupt.hpp"
#include "option_checks.hpp"
#include "output.hpp"
#include "progress.hpp"
#include "stance_gait/multipliers.hpp"
#include "stance_gait/work_list.hpp"
#include "stance_report/overwrite.hpp"
#include "text_table.hpp"

namespace stance {
namespace {

struct WorkOptions : GaitOptions {
  int threads = 0, chunk = 64;
  std::string shard, out;
};

struct MapOptions : WorkOptions {
  std::vector<std::string> x, y;
  int walk = 50;
  double tolerance = 1e-9;
};

struct SweepOptions : WorkOptions {
  std::vector<std::string> vary;
  std::string table;
};

constexpr const char* kScale =
    R"(
Work is done by a thread for each core (--threads) in chunks, which are kept in DIR as they
are finished: a call that was interrupted or killed is taken up by the same call again. The
file does not depend on who did what. A job array gives each of its n tasks --shard i/n and
the same DIR; the last that ends writes the file. Under mpirun rank 0 hands out the chunks.
  laptop       stance gait map ... --out basin
  host file    mpirun --hostfile hosts -np 32 stance gait map ... --out basin
  Slurm array  stance gait map ... --shard $SLURM_ARRAY_TASK_ID/$SLURM_ARRAY_TASK_COUNT --out basin
Exit code: 0 done, 1 something is wrong, 128 + signal interrupted.)";

constexpr const char* kMapFooter =
    R"(Example: the basin of attraction of the compass in two of its coordinates
  stance gait map config/compass.yaml --x state.support.velocity 0.8:1.4:200 --y state.right_hip.velocity 0:1.5:200 --out basin

Each point of the plane is a state just after touchdown, or a value of a parameter: the
walker starts there and walks until it repeats itself, falls, or has taken --walk steps.
Written into DIR: map.csv with outcome, steps, period and, for a fall, its reason.)";

constexpr const char* kSweepFooter =
    R"(Example: gaits over slope and hip mass; or over the rows of a table, whose head has the names
  stance gait sweep config/compass.yaml --vary ground.slope 1deg:5deg:41 --vary robot.link.hip.mass 1:10:10 --out gaits
  stance gait sweep config/compass.yaml --table rows.csv --out gaits

At each point the gait is found as stance gait find does.
Written into DIR: sweep.csv with the gait's period, length, multiplier, needs and cost.)";

void add_work_options(CLI::App& command, WorkOptions& options) {
  add_gait_options(command, options);
  command.add_option("--threads", options.threads, "threads (default: one for each physical core)")
      ->option_text("N")
      ->check(whole_number(1, 1024));
  command.add_option("--chunk", options.chunk, "points of a chunk (default 64)")
      ->option_text("N")
      ->check(whole_number(1, 1000000));
  command.add_option("--shard", options.shard, "do the i-th of n parts of the work")
      ->option_text("i/n");
  command.add_option("--out", options.out, "directory of what is written")
      ->option_text("DIR")
      ->required();
}

Result<WorkPlan> plan_of(const WorkOptions& options, const GaitSubject& subject, const char* file) {
  WorkPlan plan;
  plan.threads = options.threads;
  plan.chunk = static_cast<std::size_t>(options.chunk);
  plan.file = std::filesystem::path(options.out) / file;
  if (!options.shard.empty()) {
    const int read = std::sscanf(options.shard.c_str(), "%d/%d", &plan.shard, &plan.shards);
    if (read != 2 || plan.shards < 1 || plan.shard < 1 || plan.shard > plan.shards) {
      return Error{ErrorCode::kValue, fmt::format("--shard {}", options.shard),
                   "must be i/n with i from 1 to n, such as 3/8"};
    }
  }
  if (const auto error = overwritten_input(plan.file,
                                           {subject.scenario->file, subject.scenario->robot_file}))
    return *error;
  std::error_code failure;
  std::filesystem::create_directories(options.out, failure);
  if (failure) {
    return Error{ErrorCode::kFile, options.out,
                 fmt::format("the directory cannot be made ({})", failure.message())};
  }
  return plan;
}

// Does it, with a bar, and says what came of it. What is printed of the whole is up to `sum_up`.
int work(const WorkOptions& options, const std::string& title, WorkPlan& plan,
         const std::function<std::string()>& sum_up) {
  catch_interrupts();
  Progress progress(!options.quiet, static_cast<double>(plan.count), 1);
  plan.progress = [&](std::size_t done, std::size_t of) {
    progress.show_part(done, of, "points");
    return interrupted() == 0;
  };
  const auto done = do_work(plan);
  progress.clear();
  if (!done) return fail(done.error());
  if (done->stopped) {
    fmt::print(stderr,
               "stance: interrupted after {} of {} points; the same call goes on from there\n",
               done->found + done->done, plan.count);
    return kExitSignal + interrupted();
  }
  if (!options.quiet && (done->whole || done->done > 0)) fmt::print("{}", wrapped(title, 0));
  if (done->whole) {
    fmt::print("{}written to {}\n", sum_up(), plan.file.string());
  } else if (done->done > 0) {
    fmt::print("{} of {} points are done; other parts of the work are missing\n",
               done->found + done->done, plan.count);
  }
  return kExitOk;
}

// The walker at a point: with these values of parameters.
struct Point {
  std::unique_ptr<Scenario> scenario;
  std::unique_ptr<StepMap> map;
};

Result<Point> walker_at(const GaitOptions& options, const GaitSubject& subject,
                        const std::vector<Assignment>& values, const MapOptions* coarse) {
  std::vector<Assignment> assignments = subject.assignments;
  assignments.insert(assignments.end(), values.begin(), values.end());
  if (subject.scenario->initial.strike >= 0) assignments.push_back({"initial.strike", ""});
  Point point;
  auto scenario = load_gait_scenario(options, assignments);
  if (!scenario) return scenario.error();
  point.scenario = *std::move(scenario);
  auto walker = with_numbers_of(subject.walker, *point.scenario);
  if (!walker) return walker.error();
  if (coarse) {
    walker->settings.integrator.tolerance = coarse->tolerance;
    walker->settings.event_tolerance = 1e-2 * coarse->tolerance;
    if (!walker->law) walker->settings.step *= 4;
  }
  auto map = StepMap::make(*walker);
  if (!map) return map.error();
  point.map = std::make_unique<StepMap>(*std::move(map));
  return point;
}

// A text as a cell of a CSV.
std::string cell(std::string text) {
  for (char& c : text)
    if (c == '"' || c == '\n') c = '\'';
  return text.find(',') == text.npos ? text : '"' + text + '"';
}

// ---- map

std::string outcome(const StepMap& map, const Eigen::VectorXd& x, int walk) {
  SettleSettings settings;
  settings.max_steps = walk;
  settings.max_period = 8;
  settings.alike = 1e-4;
  const Settled settled = settle(map, x, settings);
  const char* what = settled.end ? "ends" : settled.period > 0 ? "repeats" : "walks";
  return fmt::format("{},{},{},{}", what, settled.steps, settled.period,
                     settled.end ? cell(settled.end->message) : "");
}

LineMaker map_hand(const MapOptions& options, const GaitSubject& subject, const Axis& x,
                   const Axis& y) {
  struct Hand {
    std::optional<Result<Point>> point;  // where no parameter varies
    Eigen::VectorXd start;
  };
  const auto hand = std::make_shared<Hand>();
  const bool fixed = x.coordinate >= 0 && y.coordinate >= 0;
  if (fixed) hand->point = walker_at(options, subject, {}, &options);
  return [=, &options, &subject](std::size_t index) -> std::string {
    const double at[] = {x.values[index % x.values.size()], y.values[index / x.values.size()]};
    const Axis* axes[] = {&x, &y};
    std::string line = fmt::format("{},{:.17g},{:.17g},", index, at[0], at[1]);
    if (!fixed) {
      std::vector<Assignment> values;
      for (const int k : {0, 1})
        if (axes[k]->coordinate < 0) values.push_back(assignment(axes[k]->name, at[k]));
      hand->point = walker_at(options, subject, values, &options);
    }
    const Result<Point>& point = *hand->point;
    if (!point) return line + "refused,0,0," + cell(point.error().text());
    Eigen::VectorXd state = point->map->coordinates(point->map->walker().start);
    for (const int k : {0, 1})
      if (axes[k]->coordinate >= 0) state[axes[k]->coordinate] = at[k];
    return line + outcome(*point->map, state, options.walk);
  };
}

// Shares and areas of what became of the points.
std::string basin(const std::filesystem::path& file, const Axis& x, const Axis& y) {
  std::map<std::string, long long> counts;
  std::ifstream in(file);
  std::string line;
  std::getline(in, line);
  long long all = 0;
  while (std::getline(in, line)) {
    std::vector<std::string> cells;
    std::stringstream cut(line);
    for (std::string part; std::getline(cut, part, ',');) cells.push_back(part);
    if (cells.size() < 6) continue;
    std::string what = cells[3];
    if (what == "repeats")
      what = fmt::format("repeats after {} step{}", cells[5], cells[5] == "1" ? "" : "s");
    ++counts[what];
    ++all;
  }
  const auto width = [](const Axis& a) { return std::abs(a.values.back() - a.values.front()); };
  const double area = width(x) * width(y);
  std::string text;
  for (const auto& [what, n] : counts) {
    const double share = static_cast<double>(n) / static_cast<double>(all);
    text += fmt::format("{:22} {:8.4f} % of the points, area {:.6g}\n", what, 100 * share,
                        share * area);
  }
  return text;
}

int run_map(const MapOptions& options) {
  const auto subject = load_subject(options);
  if (!subject) return fail(subject.error());
  const auto map = StepMap::make(subject->walker);
  if (!map) return fail(map.error());
  const auto x = parse_axis(options, *map, options.x[0], options.x[1], "--x");
  if (!x) return fail(x.error());
  const auto y = parse_axis(options, *map, options.y[0], options.y[1], "--y");
  if (!y) return fail(y.error());
  auto plan = plan_of(options, *subject, "map.csv");
  if (!plan) return fail(plan.error());
  plan->count = x->values.size() * y->values.size();
  plan->header = fmt::format("index,{},{},outcome,steps,period,why", x->name, y->name);
  plan->make_hand = [&] { return map_hand(options, *subject, *x, *y); };
  return work(options, subject->scenario->title, *plan, [&] { return basin(plan->file, *x, *y); });
}

// ---- sweep

struct Rows {
  std::vector<std::string> names;
  std::vector<std::vector<std::string>> values;  // by row
};

Result<Rows> read_table(const std::string& file) {
  std::ifstream in(file);
  if (!in) return Error{ErrorCode::kFile, file, "cannot be read"};
  Rows rows;
  std::string line;
  for (int number = 1; std::getline(in, line); ++number) {
    if (!line.empty() && line.back() == '\r') line.pop_back();
    if (line.empty()) continue;
    std::vector<std::string> cells;
    std::stringstream cut(line);
    for (std::string part; std::getline(cut, part, ',');) cells.push_back(part);
    if (rows.names.empty()) {
      rows.names = cells;
      continue;
    }
    if (cells.size() != rows.names.size()) {
      return Error{ErrorCode::kStructure, fmt::format("{}:{}", file, number),
                   fmt::format("has {} values for {} names", cells.size(), rows.names.size())};
    }
    rows.values.push_back(cells);
  }
  if (rows.values.empty())
    return Error{ErrorCode::kStructure, file, "has no rows below its head of names"};
  return rows;
}

Result<Rows> make_grid(const SweepOptions& options, const StepMap& map) {
  Rows rows;
  rows.values.push_back({});
  for (std::size_t k = 0; k + 1 < options.vary.size(); k += 2) {
    const auto axis = parse_axis(options, map, options.vary[k], options.vary[k + 1], "--vary");
    if (!axis) return axis.error();
    if (axis->coordinate >= 0) {
      return Error{ErrorCode::kValue, "--vary " + axis->name,
                   "is a state, and a gait has its own; vary a parameter, or see stance gait map"};
    }
    rows.names.push_back(axis->name);
    std::vector<std::vector<std::string>> longer;
    for (const auto& row : rows.values) {
      for (const double value : axis->values) {
        longer.push_back(row);
        longer.back().push_back(fmt::format("{:.17g}", value));
      }
    }
    rows.values = std::move(longer);
  }
  return rows;
}

LineMaker sweep_hand(const SweepOptions& options, const GaitSubject& subject, const Rows& rows) {
  return [&](std::size_t index) -> std::string {
    std::vector<Assignment> values;
    std::string line = std::to_string(index);
    for (std::size_t k = 0; k < rows.names.size(); ++k) {
      values.push_back({rows.names[k], rows.values[index][k]});
      line += ',' + rows.values[index][k];
    }
    const auto none = [&](const Error& error) { return line + ",0,,,,,,,,," + cell(error.text()); };
    const auto point = walker_at(options, subject, values, nullptr);
    if (!point) return none(point.error());
    GaitSearch search;
    search.newton.steps = options.steps;
    const auto found = find_gait(*point->map, search);
    if (!found) return none(found.error());
    GaitReport report{*point->scenario, *point->map, *found, options.steps, {}, {}};
    if (const auto step = point->map->walk(found->gait.x, options.steps, &report.needs); !step)
      return none(step.error());
    const FixedPoint& gait = found->gait;
    const double size = std::abs(leading_multiplier(gait.multipliers, gait.neutral));
    return line + fmt::format(",1,{},{:.17g},{:.17g},{:.17g},{:.17g},{:.17g},{:.17g},{:.17g},",
                              size < 1 ? 1 : 0, size, gait.step.period, gait.step.length,
                              gait.step.energy_lost, report.needs.least_normal,
                              report.needs.most_friction, cost_of_transport(report));
  };
}

int run_sweep(const SweepOptions& options) {
  if (options.vary.empty() == options.table.empty())
    return fail_usage("one of --vary and --table says what is swept", "stance gait sweep");
  const auto subject = load_subject(options);
  if (!subject) return fail(subject.error());
  const auto map = StepMap::make(subject->walker);
  if (!map) return fail(map.error());
  const auto rows = options.table.empty() ? make_grid(options, *map) : read_table(options.table);
  if (!rows) return fail(rows.error());
  for (const std::string& name : rows->names) {  // before hours of work
    const auto all = list_parameters(options.scenario, subject->assignments);
    if (!all) return fail(all.error());
    if (const auto found = find_parameter(*all, name); !found) return fail(found.error());
  }
  auto plan = plan_of(options, *subject, "sweep.csv");
  if (!plan) return fail(plan.error());
  plan->count = rows->values.size();
  plan->chunk = std::min<std::size_t>(plan->chunk,
                                      4);  // a gait takes as long as many points of a map
  plan->header = "index";
  for (const std::string& name : rows->names) plan->header += ',' + name;
  plan->header +=
      ",found,stable,largest_multiplier,period,length,energy_lost,least_normal_force,friction,"
      "cost_of_transport,why";
  plan->make_hand = [&] { return sweep_hand(options, *subject, *rows); };
  return work(options, subject->scenario->title, *plan, [] { return std::string(); });
}

}  // namespace

void add_gait_map(CLI::App& gait, int& exit_code) {
  const auto options = std::make_shared<MapOptions>();
  auto* command = gait.add_subcommand("map", "What becomes of each point of a plane: basins");
  command->footer(std::string(kMapFooter) + kScale);
  add_work_options(*command, *options);
  command->add_option("--x", options->x, "a coordinate or parameter, and its values")
      ->option_text("NAME A:B:N")
      ->expected(2)
      ->required();
  command->add_option("--y", options->y, "the other")
      ->option_text("NAME A:B:N")
      ->expected(2)
      ->required();
  command->add_option("--walk", options->walk, "steps at most (default 50)")
      ->option_text("N")
      ->check(whole_number(1, 100000));
  command->add_option("--tolerance", options->tolerance, "of the integrator (default 1e-9)")
      ->option_text("T")
      ->check(CLI::Range(1e-14, 1e-3));
  command->callback([options, &exit_code] { exit_code = run_map(*options); });
}

void add_gait_sweep(CLI::App& gait, int& exit_code) {
  const auto options = std::make_shared<SweepOptions>();
  auto* command = gait.add_subcommand("sweep", "The gait at each point of a grid or table");
  command->footer(std::string(kSweepFooter) + kScale);
  add_work_options(*command, *options);
  command->add_option("--vary", options->vary, "a parameter and its values; any number of times")
      ->option_text("NAME A:B:N")
      ->expected(2)
      ->take_all();
  command->add_option("--table", options->table, "a CSV file: names, then rows of values")
      ->option_text("FILE");
  command->callback([options, &exit_code] { exit_code = run_sweep(*options); });
}

}  // namespace stance
