#include "stance_core/assembly/crew_dynamics.hpp"

#include "dynamics/mimic.hpp"
#include "processor/kernels.hpp"
#include "stance_core/dynamics/kinematics.hpp"

namespace stance {
namespace {

void wait_for(const std::atomic<std::uint32_t>& mark, std::uint32_t call,
              Patience patience) noexcept {
  while (mark.load(std::memory_order_acquire) != call) patience.wait();
}

}  // namespace

NodeClock::NodeClock(const Plan& plan) : nodes_(plan.nodes.size()) {
  for (std::size_t k = 0; k < plan.nodes.size(); ++k) {
    for (const Side* side : {&plan.nodes[k].parent, &plan.nodes[k].child}) {
      if (side->kind == Side::kNode)
        nodes_[static_cast<std::size_t>(side->index)].consumer = static_cast<int>(k);
    }
  }
}

Status assembly_dynamics(const Model& model, const Tree& tree, const Plan& plan, const State& state,
                         const DofVector& tau, std::span<const Force<double>> f_ext,
                         std::span<const Closure> closures, Workspace& w, AssemblyMemory& memory,
                         DofVector& a, ClosureForces& forces, NodeClock& clock,
                         Crew& crew) noexcept {
  if (!fits(plan, tree)) return Status::kBadCommand;
  kinematics(model, tree, state, w);
  if (plan.floats) memory.float_force = float_force(tree, tau, w);
  const Kernels& compiled = kernels(model.processor);
  const std::uint32_t call = ++clock.call_;
  const int last = static_cast<int>(plan.nodes.size()) - 1;
  Status status = Status::kOk;
  PerDof<double> x;
  crew.run([&](int worker) noexcept {
    const auto is_mine = [&](const PlanNode& node) {
      return node.processor % crew.size() == worker;
    };
    // a node that fails is marked all the same, or others would wait for it for ever
    for (int k = 0; k <= last; ++k) {
      const PlanNode& node = plan.nodes[static_cast<std::size_t>(k)];
      if (!is_mine(node)) continue;
      for (const Side* side : {&node.parent, &node.child}) {
        if (side->kind != Side::kNode) continue;
        if (!is_mine(plan.nodes[static_cast<std::size_t>(side->index)]))
          wait_for(clock.nodes_[static_cast<std::size_t>(side->index)].assembled, call,
                   crew.patience());
      }
      NodeClock::Marks& marks = clock.nodes_[static_cast<std::size_t>(k)];
      marks.status = compiled.assemble_node(model, tree, plan, k, tau, f_ext, w, memory);
      if (k < last) marks.assembled.store(call, std::memory_order_release);
    }
    // whoever has the last node closes the loops, before anything is taken apart
    const bool closes = is_mine(plan.nodes[static_cast<std::size_t>(last)]);
    NodeClock::Marks& end = clock.nodes_[static_cast<std::size_t>(last)];
    if (closes) {
      for (int k = 0; k <= last && status == Status::kOk; ++k)
        status = clock.nodes_[static_cast<std::size_t>(k)].status;
      if (status == Status::kOk) status = close(model, tree, plan, closures, w, memory, forces);
      end.assembled.store(call, std::memory_order_release);
    } else {
      wait_for(end.assembled, call, crew.patience());
    }
    if (status != Status::kOk) return;
    for (int k = last; k >= 0; --k) {
      const PlanNode& node = plan.nodes[static_cast<std::size_t>(k)];
      if (!is_mine(node)) continue;
      NodeClock::Marks& marks = clock.nodes_[static_cast<std::size_t>(k)];
      if (marks.consumer >= 0 && !is_mine(plan.nodes[static_cast<std::size_t>(marks.consumer)]))
        wait_for(clock.nodes_[static_cast<std::size_t>(marks.consumer)].disassembled, call,
                 crew.patience());
      compiled.disassemble_node(model, tree, plan, k, w, memory, x);
      marks.disassembled.store(call, std::memory_order_release);
    }
  });
  if (status != Status::kOk) return status;
  if (plan.floats) read_float(model, tree, tau, w, x);
  return accelerations_out(tree, tree.bodies(), w, x, a);
}

}  // namespace stance
