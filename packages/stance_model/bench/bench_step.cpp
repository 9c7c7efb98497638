// One step of 1 ms of every flying robot, no contacts: our semi-implicit Euler and Runge-Kutta 4 beside MuJoCo's Euler and
// RK4, where it was found when this was built. Positions after the step are compared before anything is timed; the exit
// code is 1 when one differs.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>

#include "bench_robots.hpp"
#include "least_time.hpp"
#include "stance_core/hybrid/integrator.hpp"

namespace stance::bench {
namespace {

constexpr double kStep = 1e-3;

struct MethodNames {
  Method method;
  const char* name;
  bool fourth_order;
  // Both integrate the same equations. Euler's methods keep the base's velocity in different axes and differ by
  // h² |w x v| / 2, some 1e-6 m here; the fourth order leaves h⁵ and rounding.
  double tolerance;
};

constexpr MethodNames kMethods[] = {{Method::kSemiImplicitEuler, "Euler", false, 1e-5},
                                    {Method::kRungeKutta4, "RK4", true, 1e-8}};

State step_ours(const BenchRobot& r, Method method, std::size_t k, Workspace& w) {
  State state = r.samples[k].state;
  IntegratorSettings settings;
  settings.method = method;
  if (integrate(r.model, r.tree, r.samples[k].tau, settings, kStep, state, w) != Status::kOk) {
    std::printf("%s: our step failed\n", r.name.c_str());
    std::exit(1);
  }
  return state;
}

std::unique_ptr<PeerStep> make_peer(const BenchRobot& robot, bool fourth_order) {
#ifdef STANCE_WITH_MUJOCO
  const auto plain = peer_robot(robot.model);
  if (plain == nullptr) return nullptr;
  auto peer = make_mujoco_step(*plain, kStep, fourth_order);
  if (peer != nullptr) peer->prepare(peer_samples(robot));
  return peer;
#else
  (void)robot, (void)fourth_order;
  return nullptr;
#endif
}

// Largest difference of a coordinate; quaternions are the same up to their sign.
double disagreement(const BenchRobot& robot, Method method, PeerStep& peer, Workspace& w) {
  double largest = 0;
  for (std::size_t k = 0; k < kSamples; ++k) {
    const State ours = step_ours(robot, method, k, w);
    peer.run(k);
    const std::vector<double> theirs = peer.position();
    double dot = 0;
    for (std::size_t i = 3; i < 7; ++i) dot += ours.q[static_cast<int>(i)] * theirs[i];
    for (std::size_t i = 0; i < theirs.size(); ++i) {
      const double sign = i >= 3 && i < 7 && dot < 0 ? -1 : 1;
      const double d = std::abs(ours.q[static_cast<int>(i)] - sign * theirs[i]);
      largest = std::isfinite(d) ? std::max(largest, d) : HUGE_VAL;
    }
  }
  return largest;
}

struct Row {
  const BenchRobot* robot;
  const MethodNames* method;
  std::unique_ptr<PeerStep> peer;
  double disagreement = 0;
  std::string ours() const { return robot->name + "/" + method->name + "/stance"; }
  std::string theirs() const { return robot->name + "/" + method->name + "/MuJoCo"; }
  bool agrees() const { return disagreement <= method->tolerance; }
};

int run(int argc, char** argv) {
#ifndef STANCE_WITH_MUJOCO
  std::printf("MuJoCo was not found when this was built: ours alone\n");
#endif
  const auto robots = load_bench_robots();
  // light feet under random efforts accelerate at 1e5 rad/s²: a millisecond is too long for any method to agree
  for (const auto& robot : robots) {
    for (Sample& sample : robot->samples) sample.tau = {};
    for (int i = 1; i < robot->model.body_count; ++i) robot->model.joints[i].damping = 0;
    derive(robot->model);
  }
  const auto w = std::make_unique<Workspace>();
  std::vector<Row> rows;
  for (const auto& robot : robots) {
    if (!robot->flies) continue;
    for (const MethodNames& method : kMethods) {
      Row row{robot.get(), &method, make_peer(*robot, method.fourth_order), 0};
      time_calls(row.ours(), [r = robot.get(), &method, &w](std::size_t k) {
        benchmark::DoNotOptimize(step_ours(*r, method.method, k % kSamples, *w));
      });
      if (row.peer != nullptr) {
        row.disagreement = disagreement(*robot, method.method, *row.peer, *w);
        if (row.agrees()) {
          time_calls(row.theirs(),
                     [peer = row.peer.get()](std::size_t k) { peer->run(k % kSamples); });
        }
      }
      rows.push_back(std::move(row));
    }
  }

  LeastTime least;
  run_benchmarks(argc, argv, least);

  std::printf("\nLeast time of a step of 1 ms in flight, and in brackets ours over theirs.\n");
  bool all_agree = true;
  for (const Row& row : rows) {
    const double ours = least.of(row.ours()), theirs = least.of(row.theirs());
    all_agree = all_agree && row.agrees();
    if (ours == 0) continue;  // filtered out on the command line
    std::printf("%-22s %-5s  stance %7.2f us", row.robot->name.c_str(), row.method->name,
                ours * 1e-3);
    if (!row.agrees()) std::printf("  MuJoCo DISAGREES by %.1e", row.disagreement);
    if (theirs > 0) {
      std::printf("  MuJoCo %7.2f us (%.2f, agrees to %.0e)", theirs * 1e-3, ours / theirs,
                  row.disagreement);
    }
    std::printf("\n");
  }
  return all_agree && !rows.empty() ? 0 : 1;
}

}  // namespace
}  // namespace stance::bench

int main(int argc, char** argv) { return stance::bench::run(argc, argv); }
