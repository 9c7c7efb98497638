// The algorithms as compiled for a processor. Each file in this folder compiles the same texts with other flags.
#pragma once

#include <span>

#include "stance_core/base/processor.hpp"
#include "stance_core/base/status.hpp"
#include "stance_core/model/tree.hpp"
#include "stance_core/model/workspace.hpp"

namespace stance {

struct AssemblyMemory;
struct Footing;
struct Plan;
struct Walk;

struct Kernels {
  Status (*aba)(const Model& model, const Tree& tree, const Walk& walk, const State& state,
                const DofVector& tau, std::span<const Force<double>> f_ext, Workspace& w,
                PerDof<double>& x) noexcept;
  // the same with the model's gears, which must be joined (dynamics/gear_walk.hpp)
  Status (*aba_geared)(const Model& model, const Tree& tree, const Walk& walk, const State& state,
                       const DofVector& tau, std::span<const Force<double>> f_ext, Workspace& w,
                       PerDof<double>& x) noexcept;
  void (*rnea)(const Model& model, const Tree& tree, const Walk& walk, const State& state,
               const DofVector& a, std::span<const Force<double>> f_ext, Workspace& w,
               PerDof<double>& x) noexcept;
  void (*kinematics)(const Model& model, const Tree& tree, const Walk& walk, const State& state,
                     Workspace& w) noexcept;
  PoseTwist (*body_motion)(const Tree& tree, const State& state, BodyId body) noexcept;
  // change_root, for the support that the tree has already
  void (*turn_links)(const Model& model, BodyId root, Tree& tree) noexcept;
  // X_T of one link
  void (*place_in_parent)(const Model& model, Link& link, const Tree& tree) noexcept;
  // reroot, but for a pin that is only moved
  Motion<double> (*set_down)(const Model& model, BodyId root, const Footing& footing, Tree& tree,
                             State& state) noexcept;
  // node k of a plan
  Status (*assemble_node)(const Model& model, const Tree& tree, const Plan& plan, int k,
                          const DofVector& tau, std::span<const Force<double>> f_ext, Workspace& w,
                          AssemblyMemory& memory) noexcept;
  void (*disassemble_node)(const Model& model, const Tree& tree, const Plan& plan, int k,
                           Workspace& w, AssemblyMemory& memory, PerDof<double>& x) noexcept;
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
