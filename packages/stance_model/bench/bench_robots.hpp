// The robots that are measured, and the states they are measured in.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "peer.hpp"
#include "stance_core/model/tree.hpp"
#include "stance_core/model/workspace.hpp"

namespace stance::bench {

inline constexpr std::size_t kSamples = 16;

// A seeded random state with efforts and accelerations to go with it.
struct Sample {
  State state;
  DofVector tau{}, a{};
};

// A robot as rigid bodies on a free base: no damping, no armature, mimic joints free.
struct BenchRobot {
  std::string name;
  Model model;
  Tree tree;
  std::vector<Sample> samples;
  bool flies = false;  // has inertia in all six directions of a free base
};

std::unique_ptr<BenchRobot> make_bench_robot(const std::string& name, const Model& model);

// All robots of urdf/, one of them with grippers besides, whose mimic joints are free or not, and those of the shared folder as shared/NAME where it is present. A line tells of each that is
// left out or cannot fly.
std::vector<std::unique_ptr<BenchRobot>> load_bench_robots();

// A made-up robot of so many bodies with revolute joints: one chain, or each body carrying two more.
enum class Shape { kChain, kBranched };
std::unique_ptr<BenchRobot> make_shape(Shape shape, int bodies);

// The robot for other libraries, or none where it has joints that they have no equal for.
std::unique_ptr<PeerRobot> peer_robot(const Model& model);
std::vector<PeerSample> peer_samples(const BenchRobot& robot);

}  // namespace stance::bench
