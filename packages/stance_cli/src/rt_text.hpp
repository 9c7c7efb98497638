// What `stance rt` says of a loop: as text for the terminal, and as JSON and CSV for programs.
#pragma once

#include <string>

#include "rt_loop.hpp"
#include "stance_core/hybrid/worst_case.hpp"
#include "stance_model/scenario.hpp"

namespace stance {

// Percentiles of the three times, a line each.
std::string percentile_table(const LoopResult& result);
// How many cycles took how long, with bars: rows at 1, 2 and 5 times a power of ten.
std::string histogram_text(const LoopResult& result);
// Heap calls, page faults and context switches after the start.
std::string counts_text(const LoopResult& result);
// The bound by construction, what a step took at most, and what the bound would take at the pace measured.
std::string worst_case_text(const LoopResult& result, const LoopPlan& plan,
                            const SimulatorSettings& settings);
// The last word: was the rate kept?
std::string verdict_text(const LoopResult& result, const LoopPlan& plan);
bool rate_kept(const LoopResult& result, const LoopPlan& plan);

std::string loop_json(const LoopResult& result, const LoopPlan& plan, const Scenario& scenario);
// Buckets that hold something: from_ns, to_ns, wake, step, cycle.
std::string loop_csv(const LoopResult& result);

// 12,345
std::string grouped(long long number);

}  // namespace stance
