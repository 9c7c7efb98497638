// One step of the smooth flow q̇ = N(q) v, v̇ = aba(q, v, tau - damping v).
#pragma once

#include <span>

#include "stance_core/base/status.hpp"
#include "stance_core/model/tree.hpp"
#include "stance_core/model/workspace.hpp"

namespace stance {

enum class Method : unsigned char { kRungeKutta4, kSemiImplicitEuler, kDormandPrince };

struct IntegratorSettings {
  Method method = Method::kRungeKutta4;
  double tolerance = 1e-10;  // of Dormand-Prince: relative and absolute, per sub-step
  int max_substeps = 1000;   // of Dormand-Prince within one step
};

// `state` advanced by h (its time too). On a bad status `state` is as it was. Efforts, and forces on bodies (one per
// body in its home frame; empty: none), are constant during h.
Status integrate(const Model& model, const Tree& tree, const DofVector& tau,
                 const IntegratorSettings& settings, double h, State& state, Workspace& w,
                 std::span<const Force<double>> f_ext = {}) noexcept;

}  // namespace stance
