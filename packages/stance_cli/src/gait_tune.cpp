// stance gait tune: the cheapest gait over parameters of law and robot, under conditions.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <limits>
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
#include "stance_gait/cma_es.hpp"
#include "stance_gait/multipliers.hpp"
#include "stance_model/json.hpp"
#include "stance_model/write_scenario.hpp"
#include "stance_report/overwrite.hpp"
#include "text_table.hpp"

namespace stance {
namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();

struct Options : GaitOptions {
  std::vector<std::string> free;
  std::string minimise = "cost_of_transport", subject_to = "stable", out;
  int evaluations = 400;
  std::uint64_t seed = 1;
};

constexpr const char* kFooter =
    R"(Example: the law of the compass, its step and its push-off, for the least cost
  stance gait tune config/compass_law.yaml --free law.step_angle 0.2:0.6 --free law.push_off 0.3:1.2 --free law.surplus 0.3:1.5 --subject-to "stable,friction<1.5" --out tuned

At each point the gait is found, from the gait of the nearest point before, else as stance
gait find does. The search is CMA-ES: it needs the order of the values alone, so that
points without a gait rank last, and those that break a condition behind those that do not.
--minimise and conditions know: cost_of_transport, mechanical_cost_of_transport,
positive_cost_of_transport, largest_multiplier, period, length, speed, least_normal_force,
friction, peak_effort, peak_power. --maximise is --minimise -NAME. stable is
largest_multiplier<1, robust>X is largest_multiplier<1-X.
Every evaluation is in DIR/tune.csv: a call that was interrupted is taken up by the same
call. At the end DIR/tuned.yaml starts on the best gait.
Exit code: 0 done, 1 nothing found or something is wrong, 128 + signal interrupted.)";

struct Condition {
  std::string name;
  bool below = true;
  double bound = 0;
};

constexpr const char* kMeasures[] = {"cost_of_transport",
                                     "mechanical_cost_of_transport",
                                     "positive_cost_of_transport",
                                     "largest_multiplier",
                                     "period",
                                     "length",
                                     "speed",
                                     "least_normal_force",
                                     "friction",
                                     "peak_effort",
                                     "peak_power"};

Error unknown_measure(const std::string& name, const char* option) {
  std::string list;
  for (const char* each : kMeasures) list += fmt::format("{}{}", list.empty() ? "" : ", ", each);
  return {ErrorCode::kValue, fmt::format("{} {}", option, name),
          fmt::format("is no number of a gait; there are {}", list)};
}

bool known(const std::string& name) {
  for (const char* each : kMeasures)
    if (name == each) return true;
  return false;
}

Result<std::vector<Condition>> parse_conditions(const std::string& text) {
  std::vector<Condition> all;
  std::stringstream cut(text);
  for (std::string part; std::getline(cut, part, ',');) {
    if (part == "stable") {
      all.push_back({"largest_multiplier", true, 1});
      continue;
    }
    const std::size_t at = part.find_first_of("<>");
    Condition c;
    if (at != part.npos) {
      c.name = part.substr(0, at), c.below = part[at] == '<';
      char* end = nullptr;
      const std::string number = part.substr(at + 1);
      c.bound = std::strtod(number.c_str(), &end);
      if (!number.empty() && *end == '\0' && std::isfinite(c.bound)) {
        if (c.name == "robust" && !c.below) c = {"largest_multiplier", true, 1 - c.bound};
        if (!known(c.name)) return unknown_measure(c.name, "--subject-to");
        all.push_back(c);
        continue;
      }
    }
    return Error{ErrorCode::kValue, fmt::format("--subject-to {}", part),
                 "must be stable, or NAME<X or NAME>X, such as friction<0.8"};
  }
  return all;
}

// What is known of a point that was tried.
struct Trial {
  std::vector<double> values;              // of the parameters
  std::map<std::string, double> measures;  // none: there is no gait
  Eigen::VectorXd x;
  double rank = kInf;  // what the search sees
  bool fits = false;
};

class Tuner {
 public:
  Tuner(const Options& options, const GaitSubject& subject, std::vector<Axis> free,
        std::vector<Condition> conditions)
      : options_(options),
        subject_(subject),
        free_(std::move(free)),
        conditions_(std::move(conditions)) {
    objective_ = options.minimise;
    if (objective_.starts_with('-')) sign_ = -1, objective_.erase(0, 1);
  }

  std::vector<Assignment> assignments(const std::vector<double>& values) const {
    std::vector<Assignment> all = subject_.assignments;
    for (std::size_t i = 0; i < free_.size(); ++i)
      all.push_back(assignment(free_[i].name, values[i]));
    return all;
  }

  struct Subject {
    std::unique_ptr<Scenario> scenario;
    std::unique_ptr<StepMap> map;
  };
  Result<Subject> at(const std::vector<double>& values) const {
    auto all = assignments(values);
    if (subject_.scenario->initial.strike >= 0) all.push_back({"initial.strike", ""});
    auto scenario = load_gait_scenario(options_, all);
    if (!scenario) return scenario.error();
    const auto walker = with_numbers_of(subject_.walker, **scenario);
    if (!walker) return walker.error();
    auto map = StepMap::make(*walker);
    if (!map) return map.error();
    return Subject{*std::move(scenario), std::make_unique<StepMap>(*std::move(map))};
  }

  // The gait there, from the nearest that is known; a walk from the start only where that leads nowhere.
  Result<FixedPoint> gait_at(const StepMap& map, const std::vector<double>& values) const {
    GaitSearch search;
    search.newton.steps = options_.steps;
    search.newton.max_iterations = 12;
    if (const Trial* near = nearest(values)) {
      const auto gait = find_fixed_point(map, near->x, search.newton);
      if (gait) {
        const auto least = least_period(map, gait->x, options_.steps);
        if (least && *least == options_.steps) return gait;
      }
    }
    search.settle.max_steps = 60;
    search.guesses = 0;
    const auto found = find_gait(map, search);
    if (!found) return found.error();
    return found->gait;
  }

  Trial evaluate(const std::vector<double>& values) const {
    Trial trial;
    trial.values = values;
    const auto subject = at(values);
    if (!subject) return trial;
    const auto gait = gait_at(*subject->map, values);
    if (!gait) return trial;
    FoundGait found;
    found.gait = *gait;
    GaitReport report{*subject->scenario, *subject->map, found, options_.steps, {}, {}};
    if (!subject->map->walk(gait->x, options_.steps, &report.needs)) return trial;
    trial.x = gait->x;
    trial.measures = {
        {"cost_of_transport", cost_of_transport(report)},
        {"mechanical_cost_of_transport", mechanical_cost(report)},
        {"positive_cost_of_transport", positive_cost(report)},
        {"largest_multiplier", std::abs(leading_multiplier(gait->multipliers, gait->neutral))},
        {"period", gait->step.period},
        {"length", gait->step.length},
        {"speed", gait->step.length / gait->step.period},
        {"least_normal_force", report.needs.least_normal},
        {"friction", report.needs.most_friction},
        {"peak_effort", report.needs.peak_effort},
        {"peak_power", report.needs.peak_power}};
    return trial;
  }

  // Its place in the order: by the objective where it fits, behind them by how far it does not.
  void judge(Trial& trial) const {
    constexpr double kBehind = 1e9;
    if (trial.measures.empty()) return;
    double excess = 0;
    for (const Condition& c : conditions_) {
      const double value = trial.measures.at(c.name);
      const double over = c.below ? value - c.bound : c.bound - value;
      if (!(over < 0)) excess += over / (1e-9 + std::abs(c.bound)) + 1e-9;
    }
    trial.fits = excess == 0;
    trial.rank = trial.fits ? objective(trial) : kBehind * (1 + excess);
  }

  double objective(const Trial& trial) const { return sign_ * trial.measures.at(objective_); }
  const std::string& objective_name() const { return objective_; }

  const Trial* nearest(const std::vector<double>& values) const {
    const Trial* best = nullptr;
    double least = kInf;
    for (const Trial& trial : trials) {
      if (trial.measures.empty()) continue;
      double d = 0;
      for (std::size_t i = 0; i < values.size(); ++i) {
        const double width = free_[i].values.back() - free_[i].values.front();
        d += std::pow((trial.values[i] - values[i]) / width, 2);
      }
      if (d < least) least = d, best = &trial;
    }
    return best;
  }

  // ---- the log

  std::string header() const {
    std::string text = "evaluation";
    for (const Axis& axis : free_) text += ',' + axis.name;
    for (const char* name : kMeasures) text += fmt::format(",{}", name);
    return text + ",fits,state\n";
  }
  std::string row(const Trial& trial) const {
    std::string text = std::to_string(trials.size());
    for (const double value : trial.values) text += fmt::format(",{:.17g}", value);
    for (const char* name : kMeasures)
      text += trial.measures.empty() ? "," : fmt::format(",{:.17g}", trial.measures.at(name));
    text += trial.fits ? ",1," : ",0,";
    for (Eigen::Index i = 0; i < trial.x.size(); ++i)
      text += fmt::format("{}{:.17g}", i > 0 ? " " : "", trial.x[i]);
    return text + '\n';
  }
  // Rows of an earlier call, to be taken where the search asks for the same point.
  std::vector<Trial> read(const std::filesystem::path& file) const {
    std::vector<Trial> old;
    std::ifstream in(file);
    std::string line;
    if (!std::getline(in, line) || line + '\n' != header()) return old;
    while (std::getline(in, line)) {
      if (in.eof()) break;  // cut off in the middle
      std::vector<std::string> cells;
      std::stringstream cut(line);
      for (std::string part; std::getline(cut, part, ',');) cells.push_back(part);
      const std::size_t n = free_.size(), m = std::size(kMeasures);
      if (cells.size() < 1 + n + m + 1) break;
      Trial trial;
      for (std::size_t i = 0; i < n; ++i) trial.values.push_back(std::stod(cells[1 + i]));
      if (cells.size() > 2 + n + m && !cells[1 + n].empty()) {
        for (std::size_t i = 0; i < m; ++i)
          trial.measures[kMeasures[i]] = std::stod(cells[1 + n + i]);
        std::stringstream state(cells[2 + n + m]);
        std::vector<double> x;
        for (double each = 0; state >> each;) x.push_back(each);
        trial.x = Eigen::Map<const Eigen::VectorXd>(x.data(), static_cast<Eigen::Index>(x.size()));
      }
      old.push_back(std::move(trial));
    }
    return old;
  }

  std::vector<Trial> trials;

 private:
  const Options& options_;
  const GaitSubject& subject_;
  std::vector<Axis> free_;
  std::vector<Condition> conditions_;
  std::string objective_;
  double sign_ = 1;
};

std::optional<Error> write_best(const Options& options, const GaitSubject& subject,
                                const Tuner& tuner, const Trial& best) {
  const auto at = tuner.at(best.values);
  if (!at) return at.error();
  const std::filesystem::path file = std::filesystem::path(options.out) / "tuned.yaml";
  const auto text = scenario_text(*subject.scenario, tuner.assignments(best.values),
                                  initial_state(at->map->walker(), at->map->state(best.x)),
                                  subject.scenario->title + ", tuned", file);
  if (!text) return text.error();
  auto out = Output::open(file.string());
  if (!out) return out.error();
  out->write(*text);
  return out->close();
}

int run(const Options& options) {
  const auto subject = load_subject(options);
  if (!subject) return fail(subject.error());
  const auto map = StepMap::make(subject->walker);
  if (!map) return fail(map.error());
  std::string objective = options.minimise;
  if (objective.starts_with('-')) objective.erase(0, 1);
  if (!known(objective)) return fail(unknown_measure(objective, "--minimise"));
  const auto conditions = parse_conditions(options.subject_to);
  if (!conditions) return fail(conditions.error());
  const auto parameters = list_parameters(options.scenario, subject->assignments);
  if (!parameters) return fail(parameters.error());
  std::vector<Axis> free;
  std::vector<double> start;
  for (std::size_t k = 0; k + 1 < options.free.size(); k += 2) {
    const auto axis = parse_axis(options, *map, options.free[k], options.free[k + 1] + ":2",
                                 "--free");
    if (!axis) return fail(axis.error());
    const auto now = find_parameter(*parameters, axis->name);
    if (axis->coordinate >= 0 || !now || !(axis->values[0] < axis->values[1])) {
      return fail({ErrorCode::kValue,
                   fmt::format("--free {} {}", options.free[k], options.free[k + 1]),
                   "must be a parameter of the scenario and its range, from the lower value to the "
                   "higher"});
    }
    free.push_back(*axis);
    start.push_back(now->value);
  }
  std::error_code failure;
  std::filesystem::create_directories(options.out, failure);
  if (failure)
    return fail({ErrorCode::kFile, options.out,
                 fmt::format("the directory cannot be made ({})", failure.message())});
  const std::filesystem::path log = std::filesystem::path(options.out) / "tune.csv";
  for (const auto& file : {log, std::filesystem::path(options.out) / "tuned.yaml"}) {
    if (const auto error = overwritten_input(
            file, {subject->scenario->file, subject->scenario->robot_file}))
      return fail(*error);
  }

  Tuner tuner(options, *subject, free, *conditions);
  const std::vector<Trial> old = tuner.read(log);
  std::ofstream out(log, std::ios::binary | std::ios::trunc);
  out << tuner.header();
  std::size_t reused = 0;
  catch_interrupts();
  Progress progress(!options.quiet, options.evaluations, 1);
  const auto try_it = [&](const std::vector<double>& values) {
    const std::size_t k = tuner.trials.size();
    Trial trial;
    if (reused == k && k < old.size() && old[k].values == values) {
      trial = old[k], ++reused;
    } else {
      trial = tuner.evaluate(values);
    }
    tuner.judge(trial);
    out << tuner.row(trial) << std::flush;
    tuner.trials.push_back(trial);
    progress.show_part(tuner.trials.size(), static_cast<std::size_t>(options.evaluations), "gaits");
    return trial.rank;
  };
  const auto interrupted_now = [&] {
    return interrupted() != 0 || static_cast<int>(tuner.trials.size()) >= options.evaluations;
  };

  // first the scenario as it is; seeds beyond the first begin elsewhere in the box
  (void)try_it(start);
  const auto n = static_cast<Eigen::Index>(free.size());
  Eigen::VectorXd z(n);
  std::mt19937_64 random(options.seed);
  for (Eigen::Index i = 0; i < n; ++i) {
    const Axis& axis = free[static_cast<std::size_t>(i)];
    const double width = axis.values[1] - axis.values[0];
    z[i] = std::clamp((start[static_cast<std::size_t>(i)] - axis.values[0]) / width, 0.0, 1.0);
    if (options.seed > 1) z[i] = 0.5 * (z[i] + static_cast<double>(random() >> 11) * 0x1p-53);
  }
  CmaEs search(z, 0.2, options.seed);
  while (!interrupted_now() && search.sigma() > 1e-5) {
    std::vector<double> ranks;
    for (const Eigen::VectorXd& point : search.ask()) {
      std::vector<double> values;
      for (Eigen::Index i = 0; i < n; ++i) {
        const Axis& axis = free[static_cast<std::size_t>(i)];
        values.push_back(std::lerp(axis.values[0], axis.values[1], point[i]));
      }
      if (interrupted_now()) break;
      ranks.push_back(try_it(values));
    }
    if (static_cast<int>(ranks.size()) < search.population()) break;
    search.tell(ranks);
  }
  progress.clear();
  if (!out) return fail({ErrorCode::kFile, log.string(), "cannot be written"});
  if (interrupted() != 0) {
    fmt::print(stderr, "stance: interrupted after {} gaits; the same call goes on from there\n",
               tuner.trials.size());
    return kExitSignal + interrupted();
  }
  const Trial* best = nullptr;
  for (const Trial& trial : tuner.trials)
    if (trial.fits && (best == nullptr || trial.rank < best->rank)) best = &trial;
  if (best == nullptr)
    return fail({ErrorCode::kValue, "tune",
                 "no point that was tried has a gait that meets the conditions"});

  const Trial& before = tuner.trials.front();
  if (!options.quiet) fmt::print("{}", wrapped(subject->scenario->title, 0));
  fmt::print("{} gaits tried, {} of them from an earlier call\n\n", tuner.trials.size(), reused);
  TextTable table;
  table.add_column("", TextTable::Align::kLeft);
  table.add_column("before", TextTable::Align::kRight);
  table.add_column("after", TextTable::Align::kRight);
  for (std::size_t i = 0; i < free.size(); ++i)
    table.add_row({free[i].name, fmt::format("{:.9g}", before.values[i]),
                   fmt::format("{:.9g}", best->values[i])});
  for (const char* name : kMeasures) {
    table.add_row({name,
                   before.measures.empty() ? "-" : fmt::format("{:.9g}", before.measures.at(name)),
                   fmt::format("{:.9g}", best->measures.at(name))});
  }
  fmt::print("{}", table.text(0));
  if (!before.measures.empty()) {
    fmt::print("\n{} is {:.1f} % of what it was\n", tuner.objective_name(),
               100 * best->measures.at(tuner.objective_name()) /
                   before.measures.at(tuner.objective_name()));
  }
  if (const auto error = write_best(options, *subject, tuner, *best)) return fail(*error);
  fmt::print("written to {}: tune.csv tuned.yaml\n", options.out);
  return kExitOk;
}

}  // namespace

void add_gait_tune(CLI::App& gait, int& exit_code) {
  const auto options = std::make_shared<Options>();
  auto* command = gait.add_subcommand("tune", "The cheapest gait over parameters of law and robot");
  command->footer(kFooter);
  add_gait_options(*command, *options);
  command->add_option("--free", options->free, "a parameter and its range; any number of times")
      ->option_text("NAME A:B")
      ->expected(2)
      ->take_all()
      ->required();
  command->add_option("--minimise", options->minimise, "what (default cost_of_transport)")
      ->option_text("NAME");
  command
      ->add_option("--subject-to", options->subject_to, "conditions, with commas (default stable)")
      ->option_text("LIST");
  command->add_option("--evaluations", options->evaluations, "gaits to try at most (default 400)")
      ->option_text("N")
      ->check(whole_number(1, 10000000));
  command->add_option("--seed", options->seed, "of the search (default 1)")
      ->option_text("N")
      ->check(whole_number(1));
  command->add_option("--out", options->out, "directory of log and result")
      ->option_text("DIR")
      ->required();
  command->callback([options, &exit_code] { exit_code = run(*options); });
}

}  // namespace stance
