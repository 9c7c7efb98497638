// Compiles every algorithm into the file that includes this, under a name of its own.
#pragma once

#include "assembly/assemble_kernel.hpp"
#include "assembly/disassemble_kernel.hpp"
#include "dynamics/aba_kernel.hpp"
#include "dynamics/kinematics_kernel.hpp"
#include "dynamics/reroot_kernel.hpp"
#include "dynamics/rnea_kernel.hpp"
#include "model/tree_kernel.hpp"
#include "processor/kernels.hpp"

namespace stance {

template <class CompiledFor>
void sine_cosine_kernel(const double* x, double* sine, double* cosine) noexcept {
  constexpr std::array<int, kLimbLanes> kLanes{0, 1, 2, 3};
  const auto [s, c] = sine_cosine(gather<kLimbLanes>(x, kLanes.data()));
  for (int lane = 0; lane < kLimbLanes; ++lane) sine[lane] = s[lane], cosine[lane] = c[lane];
}

template <class CompiledFor>
constexpr Kernels compiled_for() {
  return {.aba = &aba_kernel<CompiledFor, false>,
          .aba_geared = &aba_kernel<CompiledFor, true>,
          .rnea = &rnea_kernel<CompiledFor>,
          .kinematics = &kinematics_kernel<CompiledFor>,
          .body_motion = &body_motion_kernel<CompiledFor>,
          .turn_links = &turn_links_kernel<CompiledFor>,
          .place_in_parent = &place_in_parent_kernel<CompiledFor>,
          .set_down = &set_down_kernel<CompiledFor>,
          .assemble_node = &assemble_node_kernel<CompiledFor>,
          .disassemble_node = &disassemble_node_kernel<CompiledFor>,
          .sine_cosine = &sine_cosine_kernel<CompiledFor>};
}

}  // namespace stance
