// Runs each algorithm on each robot for callgrind to count. Started by instructions.py; the program asks callgrind
// for one dump per algorithm and robot, whose label is "ROBOT BODIES ALGORITHM CALLS". Loading is not counted. Its first
// line, "key: ...", names all that the counts depend on besides our code.
#include <gnu/libc-version.h>

#include <cstdio>
#include <string>

#include <valgrind/callgrind.h>

#include "bench_robots.hpp"
#include "reroot_tour.hpp"
#include "stance_core/base/processor.hpp"
#include "stance_core/dynamics/aba.hpp"
#include "stance_core/dynamics/crba.hpp"
#include "stance_core/dynamics/rnea.hpp"

namespace stance::bench {
namespace {

bool all_ok = true;

void note(Status status) { all_ok = all_ok && status == Status::kOk; }

template <class Function>
void count(const BenchRobot& robot, const char* algorithm, int calls, Function&& call) {
  for (int k = 0; k < calls; ++k) call(static_cast<std::size_t>(k));  // binds library functions
  CALLGRIND_START_INSTRUMENTATION;
  CALLGRIND_ZERO_STATS;
  for (int k = 0; k < calls; ++k) call(static_cast<std::size_t>(k));
  CALLGRIND_STOP_INSTRUMENTATION;
  const std::string label = robot.name + " " + std::to_string(robot.model.body_count) + " " +
                            algorithm + " " + std::to_string(calls);
  CALLGRIND_DUMP_STATS_AT(label.c_str());
}

void count_flying(const BenchRobot& robot, Workspace& w, MassMatrix& M) {
  const Model& model = robot.model;
  const auto& samples = robot.samples;
  DofVector x;
  const int calls = static_cast<int>(kSamples);
  count(robot, "aba", calls, [&](std::size_t k) {
    note(aba(model, robot.tree, samples[k].state, samples[k].tau, {}, w, x));
  });
  count(robot, "lanes_aba", calls, [&](std::size_t k) {
    note(aba_lanes(model, robot.tree, samples[k].state, samples[k].tau, {}, w, x));
  });
  count(robot, "rnea", calls, [&](std::size_t k) {
    note(rnea(model, robot.tree, samples[k].state, samples[k].a, {}, w, x));
  });
  count(robot, "lanes_rnea", calls, [&](std::size_t k) {
    note(rnea_lanes(model, robot.tree, samples[k].state, samples[k].a, {}, w, x));
  });
  count(robot, "crba+solve", calls, [&](std::size_t k) {
    const Sample& s = samples[k];
    note(crba_forward_dynamics(model, robot.tree, s.state, s.tau, {}, w, M, x));
  });
  if (const std::vector<Stop> stops = longest_path(model); !stops.empty()) {
    RerootTour tour(robot, stops);
    count(robot, "reroot", 2, [&](std::size_t) { tour.step(); });  // there and back
  }
}

// On a pin at a foot, as a planar walker stands: ABA, and the switch to the other foot and back.
void count_pinned(const BenchRobot& robot, Workspace& w) {
  const std::vector<Stop> stops = pinned_footfalls(robot.model);
  if (stops.empty()) return;
  RerootTour tour(robot, stops);
  DofVector x;
  count(robot, "pinned_aba", static_cast<int>(kSamples), [&](std::size_t k) {
    note(aba(robot.model, tour.tree(), tour.state(), robot.samples[k].tau, {}, w, x));
  });
  count(robot, "pinned_reroot", 2, [&](std::size_t) { tour.step(); });
}

// callgrind shows the program a processor of its own, which has AVX2 where the real one has it, and never AVX-512.
const char* processor_name() {
  switch (best_processor()) {
    case Processor::kAny: return "any";
    case Processor::kAvx2: return "avx2";
    case Processor::kAvx512: return "avx512";
  }
  return "";
}

int run() {
  if (RUNNING_ON_VALGRIND == 0) {
    std::fprintf(stderr,
                 "count_instructions counts under callgrind only: run make bench-instructions\n");
    return 1;
  }
  std::printf("key: %s, %s, glibc %s\n", STANCE_BUILD_KEY, processor_name(),
              gnu_get_libc_version());
  const auto w = std::make_unique<Workspace>();
  const auto M = std::make_unique<MassMatrix>();
  const auto robots = load_bench_robots();
  for (const auto& robot : robots) {
    if (robot->flies) count_flying(*robot, *w, *M);
    count_pinned(*robot, *w);
  }
  return all_ok && !robots.empty() ? 0 : 1;
}

}  // namespace
}  // namespace stance::bench

int main() { return stance::bench::run(); }
