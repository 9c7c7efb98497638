// The second half of rnea, in walking order: shared by rnea and by the bias of crba_forward_dynamics.
#pragma once

#include <span>

#include "stance_core/model/tree.hpp"
#include "stance_core/model/workspace.hpp"

namespace stance {

// Efforts for accelerations x at the velocities of the workspace. Needs X_PB, v and c.
void rnea_forces(const Model& model, const Tree& tree, const PerDof<double>& x,
                 std::span<const Force<double>> f_ext, Workspace& w, PerDof<double>& tau) noexcept;

}  // namespace stance
