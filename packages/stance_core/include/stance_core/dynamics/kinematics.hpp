// Poses, velocities and accelerations of all bodies and frames, root to leaves. RBDA section 4.2 and Table 5.1 pass 1.
#pragma once

#include "stance_core/model/tree.hpp"
#include "stance_core/model/workspace.hpp"

namespace stance {

// Writes X_PB, v, c and X_WB of the workspace.
void kinematics(const Model& model, const Tree& tree, const State& state, Workspace& w) noexcept;

// After kinematics: the pose of a named frame in the world, and its velocity in its own coordinates.
Transform<double> frame_pose(const Model& model, const Tree& tree, const Workspace& w,
                             FrameId frame) noexcept;
Motion<double> frame_velocity(const Model& model, const Tree& tree, const Workspace& w,
                              FrameId frame) noexcept;

// After aba or rnea: the spatial acceleration of a named frame in its own coordinates, that is the derivative of the
// components of frame_velocity. Gravity is not in it: a body at rest has zero.
Motion<double> frame_acceleration(const Model& model, const Tree& tree, const Workspace& w,
                                  FrameId frame) noexcept;

}  // namespace stance
