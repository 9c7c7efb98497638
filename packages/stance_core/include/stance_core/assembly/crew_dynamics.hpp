// Assembly and disassembly by several threads at once: each takes the nodes that share_out() gave its processor, in their
// order, and waits for what others make. Every node is computed as it is by one thread, and reads what its plan says:
// for a plan the bits are the same whatever the crew.
#pragma once

#include "stance_core/assembly/disassemble.hpp"
#include "stance_core/base/crew.hpp"

namespace stance {

// By node: in which call it was assembled, and disassembled, last. Sized for a plan when it is made.
class NodeClock {
 public:
  explicit NodeClock(const Plan& plan);

 private:
  friend Status assembly_dynamics(const Model&, const Tree&, const Plan&, const State&,
                                  const DofVector&, std::span<const Force<double>>,
                                  std::span<const Closure>, Workspace&, AssemblyMemory&, DofVector&,
                                  ClosureForces&, NodeClock&, Crew&) noexcept;
  struct alignas(64) Marks {
    std::atomic<std::uint32_t> assembled{0}, disassembled{0};
    Status status = Status::kOk;
    int consumer = -1;
  };
  std::vector<Marks> nodes_;
  std::uint32_t call_ = 0;
};

// As assembly_dynamics by one thread. A plan for more processors than the crew has goes by turns.
Status assembly_dynamics(const Model& model, const Tree& tree, const Plan& plan, const State& state,
                         const DofVector& tau, std::span<const Force<double>> f_ext,
                         std::span<const Closure> closures, Workspace& w, AssemblyMemory& memory,
                         DofVector& a, ClosureForces& forces, NodeClock& clock,
                         Crew& crew) noexcept;

}  // namespace stance
