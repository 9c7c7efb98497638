#include "rt_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "heap_calls.hpp"
#include "stance_model/json.hpp"
#include "stance_report/latency_plot.hpp"
#include "text_table.hpp"

namespace stance {
namespace {

struct Named {
  const char* name;
  const char* key;
  const TimeHistogram* times;
};

std::array<Named, 3> named(const LoopResult& r) {
  return {{{"wake-up", "wake", &r.wake}, {"step", "step", &r.step}, {"both", "cycle", &r.cycle}}};
}

constexpr struct {
  const char* title;
  const char* key;
  double share;
} kShares[] = {{"median", "p50", 0.5},
               {"90 %", "p90", 0.9},
               {"99 %", "p99", 0.99},
               {"99.9 %", "p99.9", 0.999},
               {"99.99 %", "p99.99", 0.9999}};

std::string time(std::int64_t nanoseconds) { return time_text(static_cast<double>(nanoseconds)); }

// Nanoseconds of one forward dynamics, from the quiet steps: half of all at least.
double pace(const LoopResult& result, const LoopPlan& plan, const SimulatorSettings& settings) {
  const auto quiet = forward_dynamics(worst_case(settings).quiet, settings.integrator) +
                     result.control;
  return static_cast<double>(result.step.quantile(0.5)) /
         static_cast<double>(quiet * plan.steps_per_cycle);
}

}  // namespace

std::string grouped(long long number) {
  std::string text;
  const std::string digits = std::to_string(number);
  for (std::size_t k = 0; k < digits.size(); ++k) {
    if (k > 0 && (digits.size() - k) % 3 == 0 && digits[k - 1] != '-') text += ',';
    text += digits[k];
  }
  return text;
}

std::string percentile_table(const LoopResult& result) {
  TextTable table;
  table.add_column("", TextTable::Align::kLeft);
  table.add_column("least", TextTable::Align::kRight);
  for (const auto& share : kShares) table.add_column(share.title, TextTable::Align::kRight);
  table.add_column("longest", TextTable::Align::kRight);
  for (const Named& n : named(result)) {
    std::vector<std::string> cells = {n.name, time(n.times->min())};
    for (const auto& share : kShares) cells.push_back(time(n.times->quantile(share.share)));
    cells.push_back(time(n.times->max()));
    table.add_row(cells);
  }
  return table.text(0);
}

std::string histogram_text(const LoopResult& result) {
  constexpr int kBar = 24;
  const std::array<const TimeHistogram*, 2> times = {&result.wake, &result.step};
  // counts up to each limit; a bucket counts where it begins
  std::vector<std::int64_t> limits;
  for (std::int64_t power = 100; power <= 10'000'000'000; power *= 10) {
    for (const int m : {1, 2, 5}) limits.push_back(m * power);
  }
  std::array<std::vector<std::uint64_t>, 2> rows;
  for (std::size_t s = 0; s < times.size(); ++s) {
    rows[s].assign(limits.size() + 1, 0);
    for (int i = 0; i < TimeHistogram::kBuckets; ++i) {
      const auto row = std::lower_bound(limits.begin(), limits.end(),
                                        TimeHistogram::lower(i + 1) - 1) -
                       limits.begin();
      rows[s][static_cast<std::size_t>(row)] += times[s]->count(i);
    }
  }
  std::size_t first = limits.size(), last = 0;
  for (std::size_t k = 0; k <= limits.size(); ++k) {
    if (rows[0][k] + rows[1][k] == 0) continue;
    first = std::min(first, k);
    last = std::max(last, k);
  }
  // the length of a bar is the logarithm, so that one late cycle shows
  const auto bar = [&](std::uint64_t count) {
    if (count == 0) return std::string();
    const double share = std::log1p(static_cast<double>(count)) /
                         std::log1p(
                             static_cast<double>(std::max<std::uint64_t>(1, result.wake.count())));
    return std::string(static_cast<std::size_t>(std::max(1.0, std::round(share * kBar))), '#');
  };
  std::string text = fmt::format("{:>10}  {:>9} {:<{}}  {:>9} {}\n", "up to", "wake-up", "", kBar,
                                 "step", "(bars: logarithm)");
  for (std::size_t k = first; k <= last; ++k) {
    const std::string limit = k < limits.size() ? time(limits[k]) : "more";
    text += fmt::format("{:>10}  {:>9} {:<{}}  {:>9} {}", limit, rows[0][k], bar(rows[0][k]), kBar,
                        rows[1][k], bar(rows[1][k]));
    text.erase(text.find_last_not_of(' ') + 1);
    text += '\n';
  }
  return text;
}

std::string counts_text(const LoopResult& result) {
  const LoopCounts& c = result.counts;
  const std::string heap = heap_is_counted()
                               ? fmt::format("{} heap calls", grouped(c.heap_calls))
                               : std::string("heap calls not counted (a sanitizer owns the heap)");
  return fmt::format(
      "after the start: {}, {} page faults ({} from disk), {} context switches by itself (it "
      "sleeps "
      "once a cycle), {} forced on it",
      heap, grouped(c.minor_faults + c.major_faults), grouped(c.major_faults),
      grouped(c.voluntary_switches), grouped(c.involuntary_switches));
}

std::string worst_case_text(const LoopResult& result, const LoopPlan& plan,
                            const SimulatorSettings& settings) {
  const WorstCase worst = worst_case(settings);
  const double nanoseconds = pace(result, plan, settings);
  const auto line = [&](const StepWork& work) {
    const long long count = forward_dynamics(work, settings.integrator) + result.control;
    return fmt::format("{} ({} at the pace measured)", grouped(count),
                       time_text(static_cast<double>(count) * nanoseconds));
  };
  return fmt::format(
      "worst case by construction, in forward dynamics a step: {} if nothing happens, at most {} "
      "with one event, at most {} if all {} guards cross in each of {} events; the most one took "
      "here: {}",
      line(worst.quiet), line(worst.one_event), line(worst.everything), worst.guards,
      Simulator::kMaxEventsPerStep,
      grouped(forward_dynamics(result.most_work, settings.integrator)));
}

bool rate_kept(const LoopResult& result, const LoopPlan& plan) {
  return result.status == Status::kOk && result.cycles == plan.cycles && result.missed == 0;
}

std::string verdict_text(const LoopResult& result, const LoopPlan& plan) {
  const double hertz = 1e9 / static_cast<double>(plan.period);
  const double used = 100 * static_cast<double>(result.cycle.max()) /
                      static_cast<double>(plan.period);
  if (result.missed > 0) {
    return fmt::format(
        "the rate was NOT kept: {} of {} cycles ended after their period of {}, up to {} in a row; "
        "the longest took {}",
        grouped(result.missed), grouped(result.cycles), time(plan.period),
        grouped(result.longest_miss_row), time(result.cycle.max()));
  }
  return fmt::format(
      "the rate of {:g} Hz was kept: all {} cycles ended within their period of {}; the longest "
      "used "
      "{:.3g} % of it",
      hertz, grouped(result.cycles), time(plan.period), used);
}

std::string loop_json(const LoopResult& result, const LoopPlan& plan, const Scenario& scenario) {
  const WorstCase worst = worst_case(scenario.settings);
  const IntegratorSettings& integrator = scenario.settings.integrator;
  JsonWriter json;
  json.begin_object();
  json.key("scenario").string(scenario.file.string());
  json.key("period_ns").integer(plan.period);
  json.key("steps_per_cycle").integer(plan.steps_per_cycle);
  json.key("planned_cycles").integer(plan.cycles);
  json.key("cycles").integer(result.cycles);
  json.key("missed").integer(result.missed);
  json.key("longest_row_of_missed").integer(result.longest_miss_row);
  json.key("rate_kept").boolean(rate_kept(result, plan));
  json.key("status").string(to_string(result.status));
  json.key("state_hash").string(fmt::format("{:016x}", result.hash));
  json.key("touchdowns").integer(result.touchdowns);
  json.key("restarts").integer(result.restarts);
  json.key("thread").begin_object();
  json.key("cpu").integer(result.grant.cpu);
  json.key("fifo_priority").integer(result.grant.priority);
  json.key("memory_locked").boolean(result.grant.memory_locked);
  json.key("preempt_rt").boolean(result.grant.preempt_rt);
  json.end_object();
  json.key("after_start").begin_object();
  json.key("heap_calls");
  if (heap_is_counted()) {
    json.integer(result.counts.heap_calls);
  } else {
    json.null();
  }
  json.key("minor_faults").integer(result.counts.minor_faults);
  json.key("major_faults").integer(result.counts.major_faults);
  json.key("voluntary_switches").integer(result.counts.voluntary_switches);
  json.key("involuntary_switches").integer(result.counts.involuntary_switches);
  json.end_object();
  json.key("times_ns").begin_object();
  for (const Named& n : named(result)) {
    json.key(n.key).begin_object();
    json.key("min").integer(n.times->min());
    json.key("mean").number(n.times->mean());
    for (const auto& share : kShares) json.key(share.key).integer(n.times->quantile(share.share));
    json.key("max").integer(n.times->max());
    json.end_object();
  }
  json.end_object();
  json.key("forward_dynamics_a_step").begin_object();
  json.key("quiet").integer(forward_dynamics(worst.quiet, integrator) + result.control);
  json.key("one_event_bound")
      .integer(forward_dynamics(worst.one_event, integrator) + result.control);
  json.key("bound").integer(forward_dynamics(worst.everything, integrator) + result.control);
  json.key("most_seen").integer(forward_dynamics(result.most_work, integrator));
  json.end_object();
  json.end_object();
  return json.text() + "\n";
}

std::string loop_csv(const LoopResult& result) {
  std::string text = "from_ns,to_ns,wake,step,cycle\n";
  for (int i = 0; i < TimeHistogram::kBuckets; ++i) {
    const std::uint64_t wake = result.wake.count(i), step = result.step.count(i),
                        cycle = result.cycle.count(i);
    if (wake + step + cycle == 0) continue;
    text += fmt::format("{},{},{},{},{}\n", TimeHistogram::lower(i),
                        TimeHistogram::lower(i + 1) - 1, wake, step, cycle);
  }
  return text;
}

}  // namespace stance
