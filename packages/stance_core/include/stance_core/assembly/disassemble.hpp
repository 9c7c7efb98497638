// Disassembly: with the forces of all that came later known, each joint's force and acceleration. Yamane and Nakamura,
// section 4.2; the equations are those of assemble.hpp: (5) with (1) for two responses, (7) and (8) otherwise.
#pragma once

#include "stance_core/assembly/assemble.hpp"

namespace stance {

// After close. Writes x, the accelerations in walking order, and f of the workspace: the force through the joint that
// enters each body, on that body, in its kernel frame.
Status disassemble(const Model& model, const Tree& tree, const Plan& plan, Workspace& w,
                   AssemblyMemory& memory, PerDof<double>& x) noexcept;

// Forward dynamics by assembly and disassembly: kinematics, assemble, close, disassemble. `a` is laid out as State::v; f
// and a of the workspace are those of all bodies.
Status assembly_dynamics(const Model& model, const Tree& tree, const Plan& plan, const State& state,
                         const DofVector& tau, std::span<const Force<double>> f_ext,
                         std::span<const Closure> closures, Workspace& w, AssemblyMemory& memory,
                         DofVector& a, ClosureForces& forces) noexcept;

}  // namespace stance
