// A branch of gaits along a parameter: pseudo-arclength continuation, and the points at which it changes.
//
// The unknowns are u = (x, p / scale) with r(u) = F^N(x; p) - x = 0: a curve. From a point with unit tangent t the next is
// predicted at u + h t and brought back to the curve across it, by Newton's method on
//   (1) r(u) = 0       (2) t . (u - u_predicted) = 0
// which goes through folds, where p turns back. Its matrix is (F' - 1, dF/dp; t). Where a family of gaits leaves other
// directions free, the shortest correction is taken.
//
// Three numbers change sign along the curve where its stability changes, with m_i the multipliers that tell:
//   fold               the tangent's part along p            (a multiplier of +1)
//   period doubling    product of (m_i + 1) over real m_i    (a multiplier of -1)
//   Neimark-Sacker     product of (m_i m_j - 1) over conjugate pairs (a pair on the unit circle)
// A change is located by false position along the arc, each probe a point of the curve.
//
// A step is refused, and a shorter one tried, where the tangent turns by more than some degrees, where the correction is
// longer than part of the step, or where what is found repeats after fewer steps: so the curve stays on its branch.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "stance_gait/fixed_point.hpp"

namespace stance {

// The walker's map at a value of the parameter, with what must outlive it.
struct FamilyMember {
  std::shared_ptr<const void> keeps;
  std::shared_ptr<const StepMap> map;
};
using Family = std::function<Result<FamilyMember>(double parameter)>;

enum class BranchEvent { kNone, kFold, kDoubling, kNeimarkSacker, kEnd };
const char* to_string(BranchEvent event) noexcept;

struct BranchPoint {
  double parameter = 0;
  FixedPoint gait;
  BranchEvent event = BranchEvent::kNone;
  double arc = 0;  // from the first point
};

struct Branch {
  int steps = 1;    // of its gaits
  int parent = -1;  // the branch that it came from; and at which of its points
  int parent_point = -1;
  std::vector<BranchPoint> points;
  std::string end;  // why it goes no further
};

struct FollowSettings {
  double from = 0, to = 0;  // of the parameter; the branch ends where it leaves this range
  double first_step = 0;    // along the arc, scaled; 0: a hundredth of the range
  double largest_step = 0;  // 0: a fortieth
  double smallest_step = 1e-7;
  int max_points = 2000;
  double located = 1e-10;  // of the parameter at an event, in parts of the range
  int cascade = 0;         // doubled branches to follow, one from the other
  NewtonSettings newton;
  std::function<bool(const Branch&)> progress;  // false from it ends the work
};

// From a gait near `guess` at `start`, both ways through the range. First its own branch, then those that double.
Result<std::vector<Branch>> follow(const Family& family, double start, const Eigen::VectorXd& guess,
                                   const FollowSettings& settings);

}  // namespace stance
