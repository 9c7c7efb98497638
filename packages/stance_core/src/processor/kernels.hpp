// The algorithms as compiled for a processor. Each file in this folder compiles the same texts with other flags.
#pragma once

#include <span>

#include "stance_core/base/processor.hpp"
#include "stance_core/base/status.hpp"
#include "stance_core/model/tree.hpp"
#include "stance_core/model/workspace.hpp"

namespace stance {

struct Walk;

struct Kernels {
  Status (*aba)(const Model& model, const Tree& tree, const Walk& walk, const State& state,
                const DofVector& tau, std::span<const Force<double>> f_ext, Workspace& w,
                PerDof<double>& x) noexcept;
  void (*rnea)(const Model& model, const Tree& tree, const Walk& walk, const State& state,
               const DofVector& a, std::span<const Force<double>> f_ext, Workspace& w,
               PerDof<double>& x) noexcept;
  void (*kinematics)(const Model& model, const Tree& tree, const Walk& walk, const State& state,
                     Workspace& w) noexcept;
  // of kLimbLanes angles: what the algorithms use, for tests
  void (*sine_cosine)(const double* x, double* sine, double* cosine) noexcept;
};

extern const Kernels kKernelsAny, kKernelsAvx2, kKernelsAvx512;

inline const Kernels& kernels(Processor processor) noexcept {
#if defined(STANCE_X86_PROCESSORS)
  if (processor == Processor::kAvx512) return kKernelsAvx512;
  if (processor == Processor::kAvx2) return kKernelsAvx2;
#endif
  (void)processor;
  return kKernelsAny;
}

}  // namespace stance
