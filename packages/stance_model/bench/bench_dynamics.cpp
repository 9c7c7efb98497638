// ABA, RNEA, and CRBA with its solve, for every robot: ours beside the libraries that were found when this was built.
// Answers are compared before anything is timed; the exit code is 1 when one differs.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>

#include "bench_robots.hpp"
#include "least_time.hpp"
#include "stance_core/dynamics/aba.hpp"
#include "stance_core/dynamics/crba.hpp"
#include "stance_core/dynamics/rnea.hpp"

namespace stance::bench {
namespace {

// Largest difference over largest number, in one state. Light links of a large robot cost digits: the robots here
// agree to 1e-10 or better, and a wrong term shows in the first digits.
constexpr double kTolerance = 1e-9;

constexpr Algorithm kAlgorithms[] = {Algorithm::kAba, Algorithm::kRnea, Algorithm::kCrbaSolve};

const char* name_of(Algorithm algorithm) {
  constexpr const char* kNames[] = {"aba", "rnea", "crba+solve"};
  return kNames[static_cast<int>(algorithm)];
}

// In scalars, or with limbs in lanes, which is what the simulator runs. CRBA has no lanes.
enum class Ours { kScalar, kLanes };

struct Scratch {
  Workspace w;
  MassMatrix M;
};

void run_ours(const BenchRobot& r, Algorithm algorithm, Ours ours, std::size_t k, Scratch& scratch,
              DofVector& x) {
  auto& [w, M] = scratch;
  const Sample& s = r.samples[k];
  const bool lanes = ours == Ours::kLanes;
  Status status = Status::kOk;
  switch (algorithm) {
    case Algorithm::kAba:
      status = (lanes ? aba_lanes : aba)(r.model, r.tree, s.state, s.tau, {}, w, x);
      break;
    case Algorithm::kRnea:
      status = (lanes ? rnea_lanes : rnea)(r.model, r.tree, s.state, s.a, {}, w, x);
      break;
    case Algorithm::kCrbaSolve:
      status = crba_forward_dynamics(r.model, r.tree, s.state, s.tau, {}, w, M, x);
      break;
  }
  if (status != Status::kOk) {
    std::printf("%s, %s: %s\n", r.name.c_str(), name_of(algorithm), to_string(status));
    std::exit(1);
  }
}

struct NamedPeer {
  std::string name;
  std::unique_ptr<Peer> peer;
};

struct Library {
  const char* name;
  std::unique_ptr<Peer> (*make)(const PeerRobot&);  // null: it was not there when this was built
};

constexpr Library kLibraries[] = {
#ifdef STANCE_WITH_DART
    {"DART", make_dart_peer},
#else
    {"DART", nullptr},
#endif
#ifdef STANCE_WITH_BULLET
    {"Bullet", make_bullet_peer},
#else
    {"Bullet (double precision)", nullptr},
#endif
#ifdef STANCE_WITH_PINOCCHIO
    {"Pinocchio", make_pinocchio_peer},
#else
    {"Pinocchio", nullptr},
#endif
#ifdef STANCE_WITH_RBDL
    {"RBDL", make_rbdl_peer},
#else
    {"RBDL", nullptr},
#endif
#ifdef STANCE_WITH_MUJOCO
    {"MuJoCo", make_mujoco_peer},
#else
    {"MuJoCo", nullptr},
#endif
};

std::vector<NamedPeer> make_peers(const BenchRobot& robot) {
  std::vector<NamedPeer> peers;
  const std::unique_ptr<PeerRobot> plain = peer_robot(robot.model);
  if (plain == nullptr) {
    std::printf(
        "%s has mimic joints, or some that are neither revolute nor prismatic: ours alone\n",
        robot.name.c_str());
    return peers;
  }
  const std::vector<PeerSample> samples = peer_samples(robot);
  for (const Library& library : kLibraries) {
    if (library.make == nullptr) continue;
    auto peer = library.make(*plain);
    if (peer == nullptr) {
      std::printf("%s: ours without %s\n", robot.name.c_str(), library.name);
      continue;
    }
    peer->prepare(samples);
    peers.push_back({library.name, std::move(peer)});
  }
  return peers;
}

double difference(const double* x, const double* y, int count) {
  double largest = 0, scale = 0;
  for (int i = 0; i < count; ++i) {
    if (!std::isfinite(x[i]) || !std::isfinite(y[i])) return HUGE_VAL;
    largest = std::max(largest, std::abs(x[i] - y[i]));
    scale = std::max(scale, std::abs(x[i]));
  }
  return largest / scale;
}

// The largest difference between the peer's answers and ours over all samples.
double disagreement(const BenchRobot& robot, Algorithm algorithm, Peer& peer) {
  const auto scratch = std::make_unique<Scratch>();
  double largest = 0;
  for (std::size_t k = 0; k < kSamples; ++k) {
    DofVector ours;
    run_ours(robot, algorithm, Ours::kScalar, k, *scratch, ours);
    peer.run(algorithm, k);
    const std::vector<double> theirs = peer.answer(algorithm, k);
    largest = std::max(largest, difference(ours.data(), theirs.data(), robot.model.dof_count));
  }
  return largest;
}

// The largest difference between our answers in lanes and in scalars.
double lanes_disagreement(const BenchRobot& robot, Algorithm algorithm) {
  const auto scratch = std::make_unique<Scratch>();
  double largest = 0;
  for (std::size_t k = 0; k < kSamples; ++k) {
    DofVector scalar, lanes;
    run_ours(robot, algorithm, Ours::kScalar, k, *scratch, scalar);
    run_ours(robot, algorithm, Ours::kLanes, k, *scratch, lanes);
    largest = std::max(largest, difference(scalar.data(), lanes.data(), robot.model.dof_count));
  }
  return largest;
}

// One line of the table of ratios.
struct Row {
  const BenchRobot* robot;
  Algorithm algorithm;
  struct Other {
    std::string name, benchmark;
    double disagreement = 0;
  };
  std::vector<Other> others;
  double lanes_disagreement = 0;

  std::string benchmark() const { return robot->name + "/" + name_of(algorithm) + "/stance"; }
  std::string lanes_benchmark() const { return benchmark() + " in lanes"; }
};

bool agrees(const Row::Other& other) { return other.disagreement <= kTolerance; }

bool has_lanes(Algorithm algorithm) { return algorithm != Algorithm::kCrbaSolve; }

Row register_row(const BenchRobot& robot, Algorithm algorithm, std::vector<NamedPeer>& peers,
                 Scratch& scratch) {
  Row row{&robot, algorithm, {}, 0};
  time_calls(row.benchmark(), [&robot, algorithm, &scratch](std::size_t k) {
    DofVector x;
    run_ours(robot, algorithm, Ours::kScalar, k % kSamples, scratch, x);
    benchmark::DoNotOptimize(x);
  });
  if (has_lanes(algorithm)) {
    row.lanes_disagreement = lanes_disagreement(robot, algorithm);
    time_calls(row.lanes_benchmark(), [&robot, algorithm, &scratch](std::size_t k) {
      DofVector x;
      run_ours(robot, algorithm, Ours::kLanes, k % kSamples, scratch, x);
      benchmark::DoNotOptimize(x);
    });
  }
  for (NamedPeer& p : peers) {
    if (p.peer->lacks(algorithm) != nullptr) continue;
    Row::Other other{p.name, robot.name + "/" + name_of(algorithm) + "/" + p.name,
                     disagreement(robot, algorithm, *p.peer)};
    if (agrees(other)) {
      time_calls(other.benchmark, [peer = p.peer.get(), algorithm](std::size_t k) {
        peer->run(algorithm, k % kSamples);
      });
    }
    row.others.push_back(other);
  }
  return row;
}

void print_row(const Row& row, const LeastTime& least) {
  const double ours = least.of(row.benchmark());
  if (ours == 0) return;  // filtered out on the command line
  std::printf("%-22s %-10s  stance %7.2f us", row.robot->name.c_str(), name_of(row.algorithm),
              ours * 1e-3);
  const double lanes = least.of(row.lanes_benchmark());
  if (row.lanes_disagreement > kTolerance) {
    std::printf("  in lanes DISAGREES by %.1e", row.lanes_disagreement);
  } else if (lanes > 0) {
    std::printf("  in lanes %7.2f us", lanes * 1e-3);
  }
  for (const Row::Other& other : row.others) {
    if (!agrees(other)) {
      std::printf("  %s DISAGREES by %.1e", other.name.c_str(), other.disagreement);
      continue;
    }
    const double theirs = least.of(other.benchmark);
    if (theirs > 0) {
      std::printf("  %s %7.2f us (%.2f", other.name.c_str(), theirs * 1e-3, ours / theirs);
      if (lanes > 0) std::printf(", lanes %.2f", lanes / theirs);
      std::printf(", agrees to %.0e)", other.disagreement);
    }
  }
  std::printf("\n");
}

int run(int argc, char** argv) {
  for (const Library& library : kLibraries) {
    if (library.make == nullptr)
      std::printf("%s was not found when this was built: it is left out\n", library.name);
  }
  const auto robots = load_bench_robots();
  const auto scratch = std::make_unique<Scratch>();
  std::vector<std::vector<NamedPeer>> peers;
  std::vector<Row> rows;
  for (const auto& robot : robots) {
    if (!robot->flies) continue;
    peers.push_back(make_peers(*robot));
    for (const Algorithm algorithm : kAlgorithms) {
      rows.push_back(register_row(*robot, algorithm, peers.back(), *scratch));
    }
  }
  if (!peers.empty()) {
    for (const NamedPeer& p : peers.front()) {
      for (const Algorithm algorithm : kAlgorithms) {
        if (const char* reason = p.peer->lacks(algorithm); reason != nullptr) {
          std::printf("%s, %s: not compared, as %s\n", p.name.c_str(), name_of(algorithm), reason);
        }
      }
    }
  }

  LeastTime least;
  run_benchmarks(argc, argv, least);

  std::printf(
      "\nLeast time of a call, and in brackets ours over theirs: below 1, ours is faster.\n");
  bool all_agree = true;
  for (const Row& row : rows) {
    print_row(row, least);
    all_agree = all_agree && std::all_of(row.others.begin(), row.others.end(), agrees) &&
                row.lanes_disagreement <= kTolerance;
  }
  if (!all_agree) std::printf("DISAGREES: answers differ by more than %.0e\n", kTolerance);
  return all_agree && !rows.empty() ? 0 : 1;
}

}  // namespace
}  // namespace stance::bench

int main(int argc, char** argv) { return stance::bench::run(argc, argv); }
