#include "trajectory_row.hpp"

#include <span>
#include <string_view>

#include "stance_core/spatial/rotation.hpp"

namespace stance::report {
namespace {

struct Column {
  std::string_view suffix;
  int index;  // after the joint's first
};

std::span<const Column> position_columns(JointKind kind) {
  static constexpr Column kBall[] = {{".qx", 0}, {".qy", 1}, {".qz", 2}, {".qw", 3}};
  static constexpr Column kPlanar[] = {{".x", 0}, {".y", 1}, {".theta", 2}};
  static constexpr Column kFree[] = {{".x", 0},  {".y", 1},  {".z", 2}, {".qx", 3},
                                     {".qy", 4}, {".qz", 5}, {".qw", 6}};
  static constexpr Column kOne[] = {{"", 0}};
  switch (kind) {
    case JointKind::kBall: return kBall;
    case JointKind::kPlanar: return kPlanar;
    case JointKind::kFree: return kFree;
    case JointKind::kFixed: return {};
    default: return kOne;
  }
}

// State has angular velocities first; the table has them last.
std::span<const Column> velocity_columns(JointKind kind) {
  static constexpr Column kBall[] = {{".wx", 0}, {".wy", 1}, {".wz", 2}};
  static constexpr Column kPlanar[] = {{".vx", 1}, {".vy", 2}, {".wz", 0}};
  static constexpr Column kFree[] = {{".vx", 3}, {".vy", 4}, {".vz", 5},
                                     {".wx", 0}, {".wy", 1}, {".wz", 2}};
  static constexpr Column kOne[] = {{"", 0}};
  switch (kind) {
    case JointKind::kBall: return kBall;
    case JointKind::kPlanar: return kPlanar;
    case JointKind::kFree: return kFree;
    case JointKind::kFixed: return {};
    default: return kOne;
  }
}

}  // namespace

std::vector<std::string> trajectory_columns(const Model& model) {
  std::vector<std::string> names = {"time", "root"};
  for (const auto& c : position_columns(JointKind::kFree))
    names.push_back("base" + std::string(c.suffix));
  for (const auto& c : velocity_columns(JointKind::kFree))
    names.push_back("base" + std::string(c.suffix));
  for (int i = 1; i < model.body_count; ++i) {
    const std::string stem = "q." + std::string(model.joints[i].name.view());
    for (const auto& c : position_columns(model.joints[i].kind))
      names.push_back(stem + std::string(c.suffix));
  }
  for (int i = 1; i < model.body_count; ++i) {
    const std::string stem = "v." + std::string(model.joints[i].name.view());
    for (const auto& c : velocity_columns(model.joints[i].kind))
      names.push_back(stem + std::string(c.suffix));
  }
  names.insert(names.end(), {"kinetic", "potential"});
  return names;
}

void write_trajectory_row(const Model& model, const Tree& tree, const State& state,
                          std::string_view root, const Energies& energies, CsvWriter& csv) {
  csv.number(state.time).text(root);
  const auto [X, V] = body_motion(model, tree, state, BodyId(0));
  const Quaternion r = quaternion(X.R);
  for (const double x : {X.p.x, X.p.y, X.p.z, r.x, r.y, r.z, r.w}) csv.number(x);
  for (const double x : {V.v.x, V.v.y, V.v.z, V.w.x, V.w.y, V.w.z}) csv.number(x);
  for (int i = 1; i < model.body_count; ++i) {
    const Joint& joint = model.joints[i];
    for (const auto& c : position_columns(joint.kind)) csv.number(state.q[joint.q_index + c.index]);
  }
  for (int i = 1; i < model.body_count; ++i) {
    const Joint& joint = model.joints[i];
    for (const auto& c : velocity_columns(joint.kind)) csv.number(state.v[joint.v_index + c.index]);
  }
  csv.number(energies.kinetic).number(energies.potential);
  csv.end_row();
}

}  // namespace stance::report
