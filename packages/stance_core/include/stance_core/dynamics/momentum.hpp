// Energy, momentum and centre of mass: observers for controllers, reports and tests.
#pragma once

#include "stance_core/model/tree.hpp"
#include "stance_core/model/workspace.hpp"

namespace stance {

// All need kinematics first; all are in world axes.

// With the armatures' share.
double kinetic_energy(const Tree& tree, const State& state, const Workspace& w) noexcept;
// Zero at the world's origin.
double potential_energy(const Model& model, const Tree& tree, const Workspace& w) noexcept;

// Linear momentum, and angular momentum about a point.
Force<double> momentum(const Tree& tree, const Workspace& w,
                       const Vec3<double>& about_W = {}) noexcept;

Vec3<double> center_of_mass(const Tree& tree, const Workspace& w) noexcept;

}  // namespace stance
