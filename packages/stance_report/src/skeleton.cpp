#include "skeleton.hpp"

namespace stance::report {
namespace {

// The one foot that hangs on this body in the file's tree, or -1.
int only_foot(const Model& model, const SimulatorSettings& settings, int body) {
  int found = -1;
  for (int f = 0; f < settings.foot_count; ++f) {
    int b = model.frames[settings.feet[f].frame].body;
    while (b > body) b = model.bodies[b].parent;  // parents come before children
    if (b != body) continue;
    if (found >= 0) return -1;
    found = f;
  }
  return found;
}

}  // namespace

Skeleton make_skeleton(const Model& model, const SimulatorSettings& settings) {
  Skeleton skeleton;
  const auto node = [&](BodyId body, const Vec3<double>& p_H) {
    skeleton.nodes.push_back({body, p_H});
    return static_cast<int>(skeleton.nodes.size()) - 1;
  };
  // node i is body i's home origin: where its joint is
  for (int i = 0; i < model.body_count; ++i) node(BodyId(i), {});
  std::vector<bool> bare(static_cast<std::size_t>(model.body_count), true);
  for (int i = 1; i < model.body_count; ++i) {
    const BodyId parent = model.bodies[i].parent;
    bare[static_cast<std::size_t>(parent)] = false;
    const int joint = node(parent, model.joints[i].X_PN.p);
    const int foot = only_foot(model, settings, i);
    skeleton.bones.push_back({parent, joint, foot});
    if (model.joints[i].kind != JointKind::kRevolute) skeleton.bones.push_back({joint, i, foot});
  }
  for (int f = 0; f < settings.foot_count; ++f) {
    const Frame& frame = model.frames[settings.feet[f].frame];
    bare[static_cast<std::size_t>(frame.body)] = false;
    const int ankle = node(frame.body, frame.X_HF.p);
    skeleton.bones.push_back({frame.body, ankle, f});
    const double radius = settings.feet[f].radius;
    if (settings.feet[f].support != JointKind::kRoll || !(radius > 0)) continue;
    // the lowest point of the arc in the bind pose, below its centre
    const Vec3<double> down = transpose_times(model.bodies[frame.body].R_bind, {0, 0, -1});
    const int sole = node(frame.body, frame.X_HF.p + down * radius);
    skeleton.bones.push_back({ankle, sole, f});
    skeleton.arcs.push_back({ankle, sole, f});
  }
  // heads, arms: to the centre of mass
  for (int i = 0; i < model.body_count; ++i) {
    const RigidInertia<double>& I = model.bodies[i].I;
    if (!bare[static_cast<std::size_t>(i)] || !(I.m > 0)) continue;
    skeleton.bones.push_back({i, node(BodyId(i), I.h * (1 / I.m)), -1});
  }
  return skeleton;
}

}  // namespace stance::report
