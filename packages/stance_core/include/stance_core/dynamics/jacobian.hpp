// Jacobians of frames and points, and the bias accelerations that go with them.
// By columns: a column is the velocity that one unit of a degree of freedom gives.
#pragma once

#include <Eigen/Core>

#include "stance_core/model/tree.hpp"
#include "stance_core/model/workspace.hpp"

namespace stance {

// All need kinematics first. Columns are laid out as State::v; J has model.dof_count columns.

// 6 x dofs, angular rows first, world axes, at the frame's origin.
void frame_jacobian(const Model& model, const Tree& tree, const Workspace& w, FrameId frame,
                    Eigen::Ref<Eigen::Matrix<double, 6, Eigen::Dynamic>> J) noexcept;

// 3 x dofs: velocity, in world axes, of the point of `body` that is at p_W.
void point_jacobian(const Model& model, const Tree& tree, const Workspace& w, BodyId body,
                    const Vec3<double>& p_W,
                    Eigen::Ref<Eigen::Matrix<double, 3, Eigen::Dynamic>> J) noexcept;

// J̇ v: the acceleration of the frame's origin (angular first, world axes) when all joint accelerations are zero.
Eigen::Matrix<double, 6, 1> frame_bias(const Model& model, const Tree& tree, const Workspace& w,
                                       FrameId frame) noexcept;

// J̇ v of a point.
Vec3<double> point_bias(const Tree& tree, const Workspace& w, BodyId body,
                        const Vec3<double>& p_W) noexcept;

}  // namespace stance
