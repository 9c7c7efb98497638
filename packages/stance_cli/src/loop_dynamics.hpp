// The dynamics of one row of a table of states with loops: accelerations, and the forces of loops and joints.
//
// Conventions are those of RowDynamics. A loop's force is on its end b, its moment about the closure point; a joint's is on
// its child, about the origin of the child's link frame; both in world axes.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "row_dynamics.hpp"
#include "stance_core/assembly/disassemble.hpp"
#include "stance_core/contact/forward_dynamics.hpp"
#include "stance_model/loop_file.hpp"

namespace stance {

class LoopDynamics {
 public:
  // A closure that is open by more is no state of the robot (m and rad, m/s and rad/s).
  static constexpr double kOpen = 1e-9;

  // With a plan: by assembly. Without: by rows.
  LoopDynamics(const Model& model, const RowDynamicsOptions& options, std::vector<Loop> loops,
               std::optional<Plan> plan);

  // row.a. An error says which loop is open and by how much, or what else is wrong with the row.
  std::optional<Error> forward(StateRow& row, const std::string& where);

  // The tree that plans are made for.
  const Tree& tree() const { return dynamics_.tree(); }
  const std::vector<Loop>& loops() const { return loops_; }
  // Of the last row. Force first, then moment.
  const char* status() const;
  int rank() const { return rank_; }
  int rows() const { return rows_count_; }
  const Force<double>& loop_force(std::size_t loop) const { return loop_forces_[loop]; }
  // JointId(0): that of a fixed base.
  Force<double> joint_force(JointId joint) const;

 private:
  Status by_assembly(const DofVector& tau, StateRow& row);
  Status by_rows(const DofVector& tau, StateRow& row);

  const Model& model_;
  RowDynamics dynamics_;
  std::vector<Loop> loops_;
  std::vector<Closure> closures_;
  std::optional<Plan> plan_;
  std::unique_ptr<AssemblyMemory> memory_;
  std::unique_ptr<RowSystem> system_;
  std::unique_ptr<ClosureRows> closure_rows_;
  std::unique_ptr<Workspace> workspace_;
  std::vector<Force<double>> loop_forces_;
  bool consistent_ = true;
  int rank_ = 0, rows_count_ = 0;
};

}  // namespace stance
