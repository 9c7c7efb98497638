// Disassembly: with the forces of all that came later known, each joint's force and acceleration. Yamane and Nakamura,
// section 4.2; the equations are those of assemble.hpp: (5) with (1) for two responses, (7) and (8) otherwise.
#pragma once

#include "stance_core/assembly/assemble.hpp"

namespace stance {

// After close. Writes x, the accelerations in walking order, and a and f of the workspace: those of each body, and the
// force through the joint that enters it, on it, in its kernel frame.
void disassemble(const Model& model, const Tree& tree, const Plan& plan, const DofVector& tau,
                 Workspace& w, AssemblyMemory& memory, PerDof<double>& x) noexcept;

// The end of it for a base that floats: x of the support is what the root's acceleration is against gravity's.
void read_float(const Model& model, const Tree& tree, const DofVector& tau, Workspace& w,
                PerDof<double>& x) noexcept;

// Forward dynamics by assembly and disassembly: kinematics, assemble, close, disassemble. `a` is laid out as State::v; f
// and a of the workspace are those of all bodies. kBadCommand: the plan is of another tree.
Status assembly_dynamics(const Model& model, const Tree& tree, const Plan& plan, const State& state,
                         const DofVector& tau, std::span<const Force<double>> f_ext,
                         std::span<const Closure> closures, Workspace& w, AssemblyMemory& memory,
                         DofVector& a, ClosureForces& forces) noexcept;

}  // namespace stance
