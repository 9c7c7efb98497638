// The flow of a robot that only its support holds.
#include "hybrid/integrator_kernel.hpp"
#include "stance_core/dynamics/aba.hpp"

namespace stance {
namespace {

struct FreeField {
  const Model& model;
  const Tree& tree;
  const DofVector& tau;
  std::span<const Force<double>> f_ext;
  Workspace& w;

  Status operator()(const State& state, int, DofVector& a) const noexcept {
    DofVector effort;
    for (int k = 0; k < model.dof_count; ++k) effort[k] = tau[k] - model.damping[k] * state.v[k];
    return aba_lanes(model, tree, state, effort, f_ext, w, a);
  }
  void add(int, double) const noexcept {}
};

}  // namespace

Status integrate(const Model& model, const Tree& tree, const DofVector& tau,
                 const IntegratorSettings& settings, double h, State& state, Workspace& w,
                 std::span<const Force<double>> f_ext) noexcept {
  FreeField field{model, tree, tau, f_ext, w};
  return integrate_field(model, tree, field, settings, h, state);
}

}  // namespace stance
