// How the cost of ABA and of re-rooting grows with bodies, and what re-rooting costs beside ABA.
// The exit code is 1 when a re-root takes as long as one ABA, in flight or on a pin.
#include <cstdio>
#include <utility>

#include "bench_robots.hpp"
#include "least_time.hpp"
#include "reroot_tour.hpp"
#include "stance_core/dynamics/aba.hpp"

namespace stance::bench {
namespace {

constexpr int kBodyCounts[] = {8, 16, 32, 64};

const char* name_of(Shape shape) { return shape == Shape::kChain ? "chain" : "branched"; }

void register_aba(const BenchRobot& robot, Workspace& w) {
  if (!robot.flies) return;
  time_calls(robot.name + "/aba", [&robot, &w](std::size_t k) {
    const Sample& s = robot.samples[k % kSamples];
    DofVector a;
    Status status = aba(robot.model, robot.tree, s.state, s.tau, {}, w, a);
    benchmark::DoNotOptimize(status);
    benchmark::DoNotOptimize(a);
  });
}

void register_tour(const BenchRobot& robot, const char* name, const std::vector<Stop>& stops) {
  if (stops.empty()) return;
  const auto tour = std::make_shared<RerootTour>(robot, stops);
  time_calls(robot.name + "/" + name, [tour](std::size_t) {
    tour->step();
    benchmark::ClobberMemory();
  });
}

// The robot on a pin: fewer degrees of freedom, so the cheapest ABA that a switch can be held against.
void register_pinned(const BenchRobot& robot, Workspace& w) {
  const std::vector<Stop> stops = pinned_footfalls(robot.model);
  if (stops.empty()) return;
  register_tour(robot, "pinned_footfall", stops);
  const auto stood = std::make_shared<RerootTour>(robot, stops);
  time_calls(robot.name + "/pinned_aba", [&robot, &w, stood](std::size_t k) {
    DofVector a;
    Status status = aba(robot.model, stood->tree(), stood->state(), robot.samples[k % kSamples].tau,
                        {}, w, a);
    benchmark::DoNotOptimize(status);
    benchmark::DoNotOptimize(a);
  });
}

// A line for each count of bodies: time per body, and that over the time per body of the first line.
void print_growth(Shape shape, const char* name, const std::vector<const BenchRobot*>& robots,
                  const LeastTime& least) {
  std::printf("\n%s, %s:\n", name, name_of(shape));
  double first = 0;
  for (const BenchRobot* robot : robots) {
    const double time = least.of(robot->name + "/" + name);
    if (time == 0) continue;
    const double per_body = time / robot->model.body_count;
    if (first == 0) first = per_body;
    std::printf("%4d bodies  %9.0f ns  %7.1f ns per body (%.2f)\n", robot->model.body_count, time,
                per_body, per_body / first);
  }
}

// What a re-root costs in units of one ABA: one line. False when it costs as much.
bool print_share(const BenchRobot& robot, const LeastTime& least) {
  const auto of = [&](const char* name) { return least.of(robot.name + "/" + name); };
  bool cheaper = true;
  const auto print = [&](const char* title, double time, double aba) {
    if (time == 0 || aba == 0) return;  // the robot has none, or it was filtered out
    std::printf("  %s %5.0f ns (%.2f)", title, time, time / aba);
    cheaper = cheaper && time < aba;
  };
  if ((of("reroot") == 0 || of("aba") == 0) && of("pinned_footfall") == 0) return true;
  std::printf("%-22s", robot.name.c_str());
  if (of("aba") > 0) std::printf("  aba %5.0f ns", of("aba"));
  print("longest path", of("reroot"), of("aba"));
  print("footfalls", of("footfall"), of("aba"));
  if (of("pinned_aba") > 0) std::printf("  | pinned: aba %5.0f ns", of("pinned_aba"));
  print("footfalls", of("pinned_footfall"), of("pinned_aba"));
  std::printf("%s\n", cheaper ? "" : "  NOT BELOW ONE ABA");
  return cheaper;
}

int run(int argc, char** argv) {
  const auto w = std::make_unique<Workspace>();
  std::vector<std::unique_ptr<BenchRobot>> made;
  for (const Shape shape : {Shape::kChain, Shape::kBranched}) {
    for (const int bodies : kBodyCounts) {
      auto robot = make_shape(shape, bodies);
      if (robot != nullptr) made.push_back(std::move(robot));
    }
  }
  const auto robots = load_bench_robots();
  for (const auto* group : {&std::as_const(made), &robots}) {
    for (const auto& robot : *group) {
      register_aba(*robot, *w);
      register_tour(*robot, "reroot", longest_path(robot->model));
    }
  }
  for (const auto& robot : robots) {
    register_tour(*robot, "footfall", footfalls(robot->model));
    register_pinned(*robot, *w);
  }

  LeastTime least;
  run_benchmarks(argc, argv, least);

  std::printf(
      "\nLeast time of a call. In brackets, time per body over that of 8 bodies: linear cost\n"
      "stays at 1 or below. Re-rooting goes from end to end of the longest path and back.\n");
  for (const char* name : {"aba", "reroot"}) {
    for (const Shape shape : {Shape::kChain, Shape::kBranched}) {
      std::vector<const BenchRobot*> group;
      for (const auto& robot : made) {
        if (robot->name.starts_with(name_of(shape))) group.push_back(robot.get());
      }
      print_growth(shape, name, group, least);
    }
  }

  std::printf(
      "\nRe-rooting, in brackets over one ABA of the same robot in the same run. Longest path: to "
      "and\n"
      "fro between the two bodies farthest apart. Footfalls: base, foot, other foot, base. Pinned: "
      "from\n"
      "foot to foot, each on a pin, over the ABA of the robot on that pin.\n");
  bool all_cheaper = true;
  for (const auto& robot : robots) all_cheaper = print_share(*robot, least) && all_cheaper;
  return all_cheaper && !robots.empty() ? 0 : 1;
}

}  // namespace
}  // namespace stance::bench

int main(int argc, char** argv) { return stance::bench::run(argc, argv); }
