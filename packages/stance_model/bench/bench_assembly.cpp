// Forward dynamics by assembly and disassembly: the tables of Yamane and Nakamura beside their printed times; how cost grows
// with links; how many digits the schedules lose beside aba.
// The exit code is 1 where an answer is wrong, or the serial cost per link grows.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <memory>
#include <random>
#include <string>
#include <thread>

#include "bench_robots.hpp"
#include "stance_core/assembly/crew_dynamics.hpp"
#include "stance_core/assembly/find_schedule.hpp"
#include "stance_core/dynamics/aba.hpp"
#include "stance_core/dynamics/rnea.hpp"
#include "stance_core/model/build_model.hpp"

namespace stance::bench {
namespace {

// Links of a rod's inertia, one behind the other.
std::unique_ptr<BenchRobot> chain_of(int links, JointType type) {
  Description robot;
  robot.name = "chain_" + std::to_string(links);
  InertialDescription rod;
  rod.mass = 1;
  rod.center = {0, 0, -0.1};
  rod.inertia.diagonal() << 0.004, 0.004, 0.001;
  robot.links.push_back({"link0", rod});
  for (int i = 1; i < links; ++i) {
    JointDescription joint;
    joint.name = "joint" + std::to_string(i);
    joint.type = type;
    joint.parent = "link" + std::to_string(i - 1);
    joint.child = "link" + std::to_string(i);
    joint.origin.translation() = Eigen::Vector3d(0, 0, -0.2);
    joint.axis = i % 2 == 0 ? Eigen::Vector3d::UnitX() : Eigen::Vector3d::UnitY();
    robot.links.push_back({joint.child, rod});
    robot.joints.push_back(joint);
  }
  const Result<Model> model = build_model(robot);
  if (!model) return nullptr;
  return make_bench_robot(robot.name, *model);
}

// Microseconds of one call: the least of many, as other work only ever adds time.
template <class Call>
double least_time(const Call& call) {
  using Clock = std::chrono::steady_clock;
  double least = 1e9;
  const auto end = Clock::now() + std::chrono::milliseconds(500);
  std::size_t k = 0;
  do {
    const auto start = Clock::now();
    for (int j = 0; j < 16; ++j) call(k++);
    least = std::min(least,
                     std::chrono::duration<double, std::micro>(Clock::now() - start).count());
  } while (Clock::now() < end);
  return least / 16;
}

struct Assembled {
  Plan plan;
  AssemblyMemory memory;
  ClosureForces forces;

  Assembled(const BenchRobot& robot, const Schedule& schedule, int processors)
      : plan(planned(robot, schedule, processors)), memory(plan) {}

  Status operator()(const BenchRobot& robot, const Sample& s, Workspace& w, DofVector& a) {
    return assembly_dynamics(robot.model, robot.tree, plan, s.state, s.tau, {}, {}, w, memory, a,
                             forces);
  }

 private:
  static Plan planned(const BenchRobot& robot, const Schedule& schedule, int processors) {
    Plan plan = *make_plan(robot.model, robot.tree, {}, schedule);
    share_out(plan, processors);
    return plan;
  }
};

double time_aba(const BenchRobot& robot, Workspace& w, bool lanes) {
  DofVector a;
  return least_time([&](std::size_t k) {
    const Sample& s = robot.samples[k % kSamples];
    (void)(lanes ? aba_lanes : aba)(robot.model, robot.tree, s.state, s.tau, {}, w, a);
  });
}

double time_assembly(const BenchRobot& robot, Assembled& assembled, Workspace& w, Crew* crew) {
  DofVector a;
  NodeClock clock(assembled.plan);
  return least_time([&](std::size_t k) {
    const Sample& s = robot.samples[k % kSamples];
    if (crew == nullptr) {
      (void)assembled(robot, s, w, a);
    } else {
      (void)assembly_dynamics(robot.model, robot.tree, assembled.plan, s.state, s.tau, {}, {}, w,
                              assembled.memory, a, assembled.forces, clock, *crew);
    }
  });
}

// Largest difference of two accelerations over the largest of the second.
double difference(const Model& model, const DofVector& a, const DofVector& b) {
  double most = 0, size = 1;
  for (int d = 0; d < model.dof_count; ++d) {
    most = std::max(most, std::abs(a[d] - b[d]));
    size = std::max(size, std::abs(b[d]));
  }
  return most / size;
}

// What the efforts of these accelerations are off by, over the largest: no algorithm's own measure.
double residual(const BenchRobot& robot, const Sample& s, const DofVector& a, Workspace& w) {
  DofVector tau{};
  if (rnea(robot.model, robot.tree, s.state, a, {}, w, tau) != Status::kOk) return 1;
  return difference(robot.model, tau, s.tau);
}

bool print_paper(Crew& crew) {
  struct Row {
    std::string name;
    std::unique_ptr<BenchRobot> robot;
    double one, two;  // printed, ms
  };
  std::vector<Row> rows;
  rows.push_back({"8 links, ball joints", chain_of(8, JointType::kBall), 1.31, 0.984});
  rows.push_back({"16 links", chain_of(16, JointType::kBall), 2.75, 1.87});
  rows.push_back({"32 links", chain_of(32, JointType::kBall), 6.08, 3.93});
  for (auto& robot : load_bench_robots()) {
    if (robot->name == "humanoid_34")
      rows.push_back({"figure, 34 dof", std::move(robot), 3.66, 2.49});
    else if (robot->name == "humanoid_48")
      rows.push_back({"figure, 48 dof", std::move(robot), 4.85, 2.93});
  }
  std::printf(
      "Tables 1 and 2 of Yamane and Nakamura (2002), Pentium III at 1 GHz, beside this machine. "
      "One\n"
      "and two processors, schedules as they are found; aba in lanes for comparison.\n\n"
      "%-22s %12s %12s %14s %14s %10s %10s\n",
      "", "printed 1", "printed 2", "one", "two", "aba lanes", "one/lanes");
  const auto w = std::make_unique<Workspace>();
  bool right = true;
  for (const Row& row : rows) {
    if (row.robot == nullptr) continue;
    const BenchRobot& robot = *row.robot;
    Assembled one(robot, find_schedule(robot.model, robot.tree, {}, 1), 1);
    Assembled two(robot, find_schedule(robot.model, robot.tree, {}, 2), 2);
    DofVector a{}, b{};
    for (const Sample& s : robot.samples) {
      right = right && aba(robot.model, robot.tree, s.state, s.tau, {}, *w, a) == Status::kOk;
      for (Assembled* each : {&one, &two}) {
        right = right && (*each)(robot, s, *w, b) == Status::kOk;
        if (!(difference(robot.model, b, a) < 1e-9)) right = false;
      }
    }
    const double t1 = time_assembly(robot, one, *w, nullptr),
                 t2 = time_assembly(robot, two, *w, &crew), t = time_aba(robot, *w, true);
    std::printf("%-22s %9.3f ms %9.3f ms %6.2f us %4.0fx %6.2f us %4.0fx %7.2f us %10.2f%s\n",
                row.name.c_str(), row.one, row.two, t1, 1e3 * row.one / t1, t2, 1e3 * row.two / t2,
                t, t1 / t, right ? "" : "  DISAGREES");
  }
  return right;
}

bool print_growth(Crew& crew) {
  std::printf(
      "\nChains of hinges in flight, up to what this build holds. In brackets, serial time per "
      "link over that of\n"
      "8 links. Two threads: schedule found for two. Digits: what the efforts of the answer are "
      "off by,\n"
      "and in brackets how many decimal digits more than aba's.\n\n"
      "%6s %10s %18s %12s %8s | %8s %16s %16s\n",
      "links", "aba", "serial", "two threads", "gain", "aba", "chain", "balanced");
  const auto w = std::make_unique<Workspace>();
  double first = 0;
  bool linear = true;
  for (int links = 8; links <= kMaxBodies; links *= 2) {
    const auto robot = chain_of(links, JointType::kContinuous);
    if (robot == nullptr) break;
    Assembled serial(*robot, find_schedule(robot->model, robot->tree, {}, 1), 1);
    Assembled two(*robot, inward_schedule(robot->model, robot->tree, BodyId(links / 2)), 2);
    Assembled chain(*robot, chain_schedule(robot->model, robot->tree, {}), 1);
    Assembled balanced(*robot, balanced_schedule(robot->model, robot->tree), 1);
    const double t = time_assembly(*robot, serial, *w, nullptr),
                 t2 = time_assembly(*robot, two, *w, &crew), t0 = time_aba(*robot, *w, false);
    double off[3] = {0, 0, 0};
    DofVector a{};
    for (const Sample& s : robot->samples) {
      (void)aba(robot->model, robot->tree, s.state, s.tau, {}, *w, a);
      off[0] = std::max(off[0], residual(*robot, s, a, *w));
      (void)chain(*robot, s, *w, a);
      off[1] = std::max(off[1], residual(*robot, s, a, *w));
      (void)balanced(*robot, s, *w, a);
      off[2] = std::max(off[2], residual(*robot, s, a, *w));
    }
    if (first == 0) first = t / links;
    linear = linear && t / links < 1.5 * first;
    std::printf(
        "%6d %7.2f us %8.2f us (%.2f) %9.2f us %7.2fx | %8.1e %8.1e (%+.1f) %8.1e (%+.1f)\n", links,
        t0, t, t / links / first, t2, t / t2, off[0], off[1], std::log10(off[1] / off[0]), off[2],
        std::log10(off[2] / off[0]));
  }
  return linear;
}

int run() {
  Crew crew(2);
  if (std::thread::hardware_concurrency() < 2)
    std::printf("This machine has one processor: two threads share it.\n");
  const bool right = print_paper(crew);
  const bool linear = print_growth(crew);
  return right && linear ? 0 : 1;
}

}  // namespace
}  // namespace stance::bench

int main() { return stance::bench::run(); }
