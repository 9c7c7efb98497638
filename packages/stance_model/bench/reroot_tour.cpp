#include "reroot_tour.hpp"

#include <algorithm>
#include <cctype>
#include <string>

namespace stance::bench {
namespace {

// The body farthest from `start`, counted in joints. Bodies come after their parents.
BodyId farthest(const Model& model, BodyId start) {
  std::vector<int> joints(static_cast<std::size_t>(model.body_count), -1);
  int distance = 0;
  for (BodyId b = start; b.valid(); b = model.bodies[b].parent) joints[b.value] = distance++;
  BodyId best = start;
  for (int i = 0; i < model.body_count; ++i) {
    if (joints[i] < 0) joints[i] = joints[model.bodies[i].parent] + 1;
    if (joints[i] > joints[best]) best = BodyId(i);
  }
  return best;
}

bool is_foot(const Frame& frame) {
  std::string name(frame.name.view());
  std::transform(name.begin(), name.end(), name.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return name.find("foot") != std::string::npos || name.find("sole") != std::string::npos;
}

std::vector<Stop> first_two_feet(const Model& model, JointKind kind, bool on_two_bodies) {
  std::vector<Stop> feet;
  for (int i = 0; i < model.frame_count && feet.size() < 2; ++i) {
    const Frame& frame = model.frames[i];
    if (!is_foot(frame)) continue;
    if (on_two_bodies && !feet.empty() && feet[0].body == frame.body) continue;
    feet.push_back({frame.body, kind, frame.X_HF.p});
  }
  if (feet.size() < 2) feet.clear();
  return feet;
}

}  // namespace

RerootTour::RerootTour(const BenchRobot& robot, const std::vector<Stop>& stops)
    : model_(robot.model), tree_(robot.tree), state_(robot.samples[0].state) {
  for (const Stop& stop : stops) {
    Footing footing;
    footing.kind = stop.kind;
    footing.point_W = body_motion(model_, tree_, state_, stop.body).X_WH * stop.point_H;
    footing.R_WA = z_onto({0, 1, 0});
    switches_.push_back({stop.body, footing});
  }
  for (std::size_t k = 0; k < switches_.size(); ++k) step();
}

std::vector<Stop> longest_path(const Model& model) {
  if (model.body_count < 2) return {};
  const BodyId end = farthest(model, BodyId(0));
  std::vector<Stop> stops{{end, JointKind::kBall, {}},
                          {farthest(model, end), JointKind::kBall, {}}};
  for (Stop& stop : stops) {
    if (stop.body == BodyId(0)) stop.kind = JointKind::kFree;
  }
  return stops;
}

std::vector<Stop> footfalls(const Model& model) {
  std::vector<Stop> stops = first_two_feet(model, JointKind::kBall, true);
  if (!stops.empty()) stops.insert(stops.begin(), {BodyId(0), JointKind::kFree, {}});
  return stops;
}

std::vector<Stop> pinned_footfalls(const Model& model) {
  const std::vector<Stop> stops = first_two_feet(model, JointKind::kRevolute, true);
  return stops.empty() ? first_two_feet(model, JointKind::kRevolute, false) : stops;
}

}  // namespace stance::bench
