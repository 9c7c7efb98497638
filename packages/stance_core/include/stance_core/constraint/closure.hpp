// Loop closures: two frames of the mechanism, or one of it and one of the world, that are kept together.
//
//   point  the origins coincide                       3 rows: forces along the axes of a
//   pin    and the z axes                             5 rows: and moments about x and y of a
//   weld   the frames are one                         6 rows: and about z
//
// With p the origins and w the angular velocities, x y z the axes of frame a, all in the world:
//   (1) positions   p_b - p_a = 0,  x · z_b = 0, y · z_b = 0 (pin),  the rotation vector from a to b = 0 (weld)
//   (2) velocities  d · (p_b' - p_a') = 0 for d = x, y, z;  d · (w_b - w_a) = 0 for d = x, y (pin) and z (weld)
//   (3) accelerations, the derivative of (2) where (1) and (2) hold:
//         d · (p_b'' - p_a'') = 0,   d · (w_b' - w_a') + (w_a × d) · (w_b - w_a) = 0
//       For a point, p'' = R (a.v + w × v + a.w × r + w × (w × r)) with (w, v) and a the body's spatial velocity and
//       acceleration in its own frame and r the point there. For a pin the last term is the turn of d with a while b
//       turns about z; for a weld it is zero.
// Closures become Rows (row.hpp): the force of a unit on b, its opposite on a.
#pragma once

#include <array>
#include <span>

#include "stance_core/constraint/row.hpp"

namespace stance {

inline constexpr int kMaxClosures = 32;

enum class ClosureKind : unsigned char { kPoint, kPin, kWeld };

constexpr int row_count(ClosureKind kind) noexcept {
  constexpr int kCounts[] = {3, 5, 6};
  return kCounts[static_cast<int>(kind)];
}

constexpr const char* to_string(ClosureKind kind) noexcept {
  constexpr const char* kNames[] = {"point", "pin", "weld"};
  return kNames[static_cast<int>(kind)];
}

struct ClosureEnd {
  BodyId body;             // none: the world
  Transform<double> X_HF;  // the frame, in the body's home frame or in the world
};

struct Closure {
  ClosureKind kind = ClosureKind::kPoint;
  ClosureEnd a, b;
  bool active = true;  // false: as if it were not there
};

// The rows of all closures, then those of the model's gears that move.
struct ClosureRows {
  std::array<Row, kMaxRows> rows;
  std::array<std::int16_t, kMaxRows>
      group;  // rows that are measured alike: the first of a closure's forces, or moments
  int count = 0;
  std::array<std::int16_t, kMaxClosures + 1>
      first{};  // of closure k; at [number of closures]: the first gear
};

// How far a closure is open at a state: metres and radians together, and their rates. Largest of all components.
struct ClosureResidual {
  double position = 0, velocity = 0;
};

// All need kinematics first.

// Frame b in frame a: the identity where a weld is closed.
Transform<double> relative_pose(const Tree& tree, const Workspace& w,
                                const Closure& closure) noexcept;

ClosureResidual closure_residual(const Tree& tree, const Workspace& w,
                                 const Closure& closure) noexcept;

// Of all active closures and moving gears. False: more rows than there is room for.
[[nodiscard]] bool closure_rows(const Model& model, const Tree& tree, const Workspace& w,
                                std::span<const Closure> closures, ClosureRows& rows) noexcept;

// The force and the moment about the closure point that the rows' multipliers mean on b, in world axes.
Force<double> closure_wrench(const Tree& tree, const Workspace& w, const Closure& closure,
                             const double* multipliers) noexcept;

// After a forward dynamics that left the accelerations of all bodies in the workspace: f of the workspace, the force
// through the joint that enters each body, on that body, in its kernel frame. Tips to root, f = I a + v ×* I v less what
// else acts there (RBDA Table 5.1): f_ext, one a body in its home frame, and the rows with their multipliers.
void joint_forces(const Tree& tree, std::span<const Force<double>> f_ext, std::span<const Row> rows,
                  std::span<const double> multipliers, Workspace& w) noexcept;

}  // namespace stance
