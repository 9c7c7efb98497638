// Which schedule is the best for a number of processors. Yamane and Nakamura leave it open (section 5.1); their two rules,
// as many leaves as processors and an even depth, are what comes out where all joints cost the same. They do not.
//
// The cost of a joint, assembly and disassembly together, in steps: a step is what the articulated-body algorithm takes
// for a joint. h is the number of handles that the result keeps. Least squares over 320 plans of four robots, g++ and
// AVX-512; they fit to 3 % on the average and 14 % at worst, with a step of 62 ns there:
//   kInertias 1      kInvert 4.2      kMixed 4.9 + 3.4 h      kResponses 14 + 0.4 h + 0.3 h²
// A subchain with two handles costs as much as a dozen with one. So it pays to assemble from the tips inwards wherever
// the tree lets processors work side by side, and to cut a limb only where it is very long.
// A processor that needs what another one made waits a handover longer, once on the way in and once on the way out.
#pragma once

#include "stance_core/assembly/schedule.hpp"

namespace stance {

inline constexpr double kHandover = 3;  // steps: a cache line that changes its processor

// In steps.
double cost(const PlanNode& node) noexcept;

struct Forecast {
  double work = 0;  // of all joints
  double time = 0;  // until the last of them, on the processors of the plan
};

// Gives each node its processor, those first on whose way to the end most remains to be done, and puts the nodes into the
// order in which they start.
Forecast share_out(Plan& plan, int processors);

// Tips inwards to this body, whatever the root is: for a base that floats.
Schedule inward_schedule(const Model& model, const Tree& tree, BodyId to);

// The schedule of the least predicted time on that many processors, of those that are tried: chain, balanced, inwards to
// each body, and what moving single joints makes of the best of them. Given half as many processors as there are bodies,
// or more, the one of least depth: balanced. Always the same for the same robot.
Schedule find_schedule(const Model& model, const Tree& tree, std::span<const Closure> closures,
                       int processors);

}  // namespace stance
