// At load time: the memory of an assembly.
#include "stance_core/assembly/assemble.hpp"

namespace stance {

AssemblyMemory::AssemblyMemory(const Plan& plan)
    : Lambda(static_cast<std::size_t>(plan.block_count)),
      a0(plan.handles.size()),
      inertia(plan.nodes.size()),
      scratch(plan.nodes.size()),
      force(kMaxBodies),
      link(kMaxBodies),
      rows(std::make_unique<ClosureRows>()),
      system(std::make_unique<LeastNorm<kMaxRows>>()) {}

}  // namespace stance
