#include "stance_model/close_loops.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>

#include "stance_core/constraint/close_pose.hpp"
#include "stance_core/dynamics/kinematics.hpp"

namespace stance {
namespace {

std::string helpers(const Model& model, const Tree& tree, const Closure& closure) {
  std::string names;
  for (const JointId joint : joints_of_loop(model, tree, closure))
    names += fmt::format("{}'{}'", names.empty() ? "" : ", ", model.joints[joint].name.view());
  return names.empty() ? "no joint moves it" : "joints that move it: " + names;
}

// The first limit that the pose breaks and the start did not.
std::optional<Error> broken_limit(const Model& model, const State& start, const State& pose) {
  for (int i = 1; i < model.body_count; ++i) {
    const Joint& joint = model.joints[i];
    if (dof_count(joint.kind) != 1) continue;
    const double q = pose.q[joint.q_index], before = start.q[joint.q_index];
    const auto beyond = [&](double x) { return x < joint.limits.lower || x > joint.limits.upper; };
    if (!beyond(q) || beyond(before)) continue;
    return Error{ErrorCode::kValue, "loops",
                 fmt::format("the nearest pose that closes them has joint '{}' at {:.6g}, beyond "
                             "its limits of {:.6g} and {:.6g}: start nearer to a closed pose",
                             joint.name.view(), q, joint.limits.lower, joint.limits.upper)};
  }
  return std::nullopt;
}

}  // namespace

Result<State> close_loops(const Model& model, const Tree& tree, const std::vector<Loop>& loops,
                          const State& start, Assemble assemble) {
  const auto w = std::make_unique<Workspace>();
  std::vector<Closure> closures;
  for (const Loop& loop : loops) closures.push_back(loop.closure);
  // the loop that is open the most, at a state
  const auto worst = [&](const State& state, ClosureResidual& open) {
    kinematics(model, tree, state, *w);
    std::size_t which = 0;
    open = {};
    for (std::size_t k = 0; k < closures.size(); ++k) {
      if (!closures[k].active) continue;
      const ClosureResidual r = closure_residual(tree, *w, closures[k]);
      if (std::max(r.position, r.velocity) > std::max(open.position, open.velocity))
        open = r, which = k;
    }
    return which;
  };
  ClosureResidual open;
  const std::size_t first = worst(start, open);
  if (open.position <= kLoopOpen && open.velocity <= kLoopOpen) return start;
  if (assemble == Assemble::kAsGiven) {
    return Error{ErrorCode::kValue, "loops",
                 fmt::format("loop '{}' is open by {:.3g} (m, rad) at the start, and opens with "
                             "{:.3g} (m/s, rad/s); {}. Give a start that closes it, or write "
                             "assemble: nearest",
                             loops[first].name, open.position, open.velocity,
                             helpers(model, tree, closures[first]))};
  }
  const ClosedPose pose = close_pose(model, tree, closures, start, *w);
  const std::size_t left = worst(pose.state, open);
  if (!pose.is_closed || open.position > kLoopOpen || open.velocity > kLoopOpen) {
    return Error{ErrorCode::kValue, "loops",
                 fmt::format("no pose was found that closes them: the nearest leaves loop '{}' "
                             "open by {:.3g} (m, rad); {}",
                             loops[left].name, std::max(open.position, pose.open),
                             helpers(model, tree, closures[left]))};
  }
  if (auto error = broken_limit(model, start, pose.state)) return *std::move(error);
  return pose.state;
}

}  // namespace stance
