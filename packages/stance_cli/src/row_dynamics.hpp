// The dynamics of one row of a table of states: accelerations from efforts, or efforts from accelerations.
//
// Conventions are those of StateRow: the base is the robot's root link, its velocity, wrench and acceleration are in
// that link's own frame, and that stays so when the tree is rooted at another body.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "stance_core/base/status.hpp"
#include "stance_core/dynamics/crba.hpp"
#include "stance_core/model/tree.hpp"
#include "stance_core/model/workspace.hpp"
#include "stance_model/state_columns.hpp"

namespace stance {

enum class Algorithm { kAba, kCrba, kAssembly, kRows };  // the last two: loop_dynamics.hpp

struct RowDynamicsOptions {
  Algorithm algorithm = Algorithm::kAba;  // of forward dynamics
  bool fixed_base = false;                // the root link is welded to the world at the row's pose
  bool damping = false;                   // subtract each joint's viscous damping from its effort
  BodyId root{0};  // where the tree is rooted; another body than 0 needs a free base
};

class RowDynamics {
 public:
  // The model must outlive this.
  RowDynamics(const Model& model, const RowDynamicsOptions& options);

  // row.a from row.q, v and tau.
  Status forward(StateRow& row);
  // row.tau from row.q, v and a.
  Status inverse(StateRow& row);

  // For dynamics of another kind: tree and state of the robot in this row, and what acts on it.
  void prepare(const StateRow& row, DofVector& tau);
  const Tree& tree() const { return *tree_; }
  State& state() { return *state_; }
  std::span<const Force<double>> f_ext() const { return f_ext_; }
  // The base's acceleration, once a forward dynamics has left those of the bodies in `w`.
  void read_base_acceleration(const Workspace& w, StateRow& row) const;
  // All velocities of state(), the base's among them.
  void read_velocities(StateRow& row) const;

 private:
  void place(const StateRow& row);
  void reroot();
  DofVector damping(const StateRow& row) const;

  const Model& model_;
  RowDynamicsOptions options_;
  FrameId base_;
  // Large, hence on the heap. The base tree has body 0 as its root; the tree is the one the algorithms walk.
  std::unique_ptr<Tree> base_tree_, tree_;
  std::unique_ptr<State> base_state_, state_;
  std::unique_ptr<Workspace> workspace_;
  std::unique_ptr<MassMatrix> mass_matrix_;  // where crba is asked for
  std::vector<Force<double>> f_ext_;
};

}  // namespace stance
