#include "stance_core/assembly/disassemble.hpp"

#include "dynamics/mimic.hpp"
#include "processor/kernels.hpp"
#include "stance_core/dynamics/kinematics.hpp"

namespace stance {

void disassemble(const Model& model, const Tree& tree, const Plan& plan, const DofVector& tau,
                 Workspace& w, AssemblyMemory& memory, PerDof<double>& x) noexcept {
  const Kernels& compiled = kernels(model.processor);
  for (std::size_t k = plan.nodes.size(); k-- > 0;)
    compiled.disassemble_node(model, tree, plan, static_cast<int>(k), w, memory, x);
  if (plan.floats) read_float(model, tree, tau, w, x);
}

void read_float(const Model& model, const Tree& tree, const DofVector& tau, Workspace& w,
                PerDof<double>& x) noexcept {
  const int i = tree.root;
  const Link& link = tree.links[i];
  const Motion<double> a = w.a[i] - w.c[i] -
                           to_child(w.X_PB[i], Motion<double>{{}, -model.gravity});
  const double qdd[6] = {a.w.x, a.w.y, a.w.z, a.v.x, a.v.y, a.v.z};
  for (int j = 0; j < 6; ++j) x[link.dof + j] = qdd[j];
  w.f[i] = float_force(tree, tau, w);
}

Status assembly_dynamics(const Model& model, const Tree& tree, const Plan& plan, const State& state,
                         const DofVector& tau, std::span<const Force<double>> f_ext,
                         std::span<const Closure> closures, Workspace& w, AssemblyMemory& memory,
                         DofVector& a, ClosureForces& forces) noexcept {
  if (!fits(plan, tree)) return Status::kBadCommand;
  kinematics(model, tree, state, w);
  Status status = assemble(model, tree, plan, tau, f_ext, w, memory);
  if (status == Status::kOk) status = close(model, tree, plan, closures, w, memory, forces);
  if (status != Status::kOk) return status;
  PerDof<double> x;
  disassemble(model, tree, plan, tau, w, memory, x);
  return accelerations_out(tree, tree.bodies(), w, x, a);
}

}  // namespace stance
