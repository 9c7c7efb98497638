#include "stance_core/dynamics/kinematics.hpp"

#include "dynamics/limb_walk.hpp"
#include "processor/kernels.hpp"

namespace stance {
namespace {

// Pose of a named frame in its body's kernel frame.
Transform<double> frame_in_kernel(const Model& model, const Tree& tree, FrameId frame) noexcept {
  const Frame& f = model.frames[frame];
  return inverse(tree.links[f.body].X_HB) * f.X_HF;
}

}  // namespace

void kinematics(const Model& model, const Tree& tree, const State& state, Workspace& w) noexcept {
  kernels(model.processor).kinematics(model, tree, lane_walk(tree), state, w);
}

Transform<double> frame_pose(const Model& model, const Tree& tree, const Workspace& w,
                             FrameId frame) noexcept {
  return w.X_WB[model.frames[frame].body] * frame_in_kernel(model, tree, frame);
}

Motion<double> frame_velocity(const Model& model, const Tree& tree, const Workspace& w,
                              FrameId frame) noexcept {
  return to_child(frame_in_kernel(model, tree, frame), w.v[model.frames[frame].body]);
}

Motion<double> frame_acceleration(const Model& model, const Tree& tree, const Workspace& w,
                                  FrameId frame) noexcept {
  const BodyId body = model.frames[frame].body;
  // the walk started from a world that accelerates against gravity: give gravity back, in the body's axes
  Mat3<double> R_WB = w.X_PB[body].R;
  for (BodyId i = tree.links[body].parent; i.valid(); i = tree.links[i].parent)
    R_WB = w.X_PB[i].R * R_WB;
  Motion<double> a = w.a[body];
  a.v += transpose_times(R_WB, model.gravity);
  return to_child(frame_in_kernel(model, tree, frame), a);
}

}  // namespace stance
