// A foot set down: the support that holds it, and the tree rooted at it. The text; reroot.hpp says what it does, and
// processor files compile it.
#pragma once

#include <cmath>

#include "model/tree_kernel.hpp"
#include "stance_core/dynamics/reroot.hpp"

namespace stance {

// Axes z and x, perpendicular and of unit length but for the rounding of a product, made so exactly. One step of
// Newton's iteration for 1/|z| squares the error. Without this, many switches drift from a rotation.
STANCE_INLINE Mat3<double> squared(const Vec3<double>& x_rounded,
                                   const Vec3<double>& z_rounded) noexcept {
  const auto unit = [](const Vec3<double>& a) __attribute__((always_inline)) {
    return a * (1.5 - 0.5 * dot(a, a));
  };
  const Vec3<double> z = unit(z_rounded);
  const Vec3<double> x = unit(x_rounded - z * dot(z, x_rounded));
  return {x, cross(z, x), z};
}

// Shorter than this, a unit vector's part in a plane has no direction there: any is as good, and zero is simple.
constexpr double kNoDirection = 1e-12;
// As near to 1 as this, the square of a length is 1 to `squared`, whose step leaves 3/8 of the error's square. A planar
// robot's always is, and the root and the quotient, on which all that follows would wait, are not taken.
constexpr double kSquaredSoon = 1e-9;

// Makes `s` the support that holds `root` at X_WH as the footing says, and returns the angle about z by which it is turned.
// It is written where it stays: a copy of numbers just written has to wait for them.
// Axes C of the contact frame on the body: with R the body's orientation and R_b its bind orientation,
// (1) in the bind pose C shall be parallel to A:        C = R_bᵀ A
// (2) then the support turns by                         R_J = Aᵀ R C = Aᵀ (R R_bᵀ) A
// (3) a support that turns about z alone can do only the angle theta of R_J about z; what is left goes into C:
//                                                       C = Rᵀ A rot_z(theta),  so that R_J = rot_z(theta)
// and a weld can do none: C = Rᵀ A.
STANCE_INLINE double hold(const Model& model, BodyId root, const Transform<double>& X_WH,
                          const Footing& footing, Support& s) noexcept {
  const Mat3<double>& A = footing.R_WA;
  const Mat3<double>& R = X_WH.R;
  const Mat3<double>& R_bind = model.bodies[root].R_bind;
  double theta = 0;
  s.kind = footing.kind;
  s.radius = footing.kind == JointKind::kRoll ? footing.radius : 0;
  switch (footing.kind) {
    case JointKind::kFree: s = Support{}; return 0;
    case JointKind::kBall:  // (1)
      s.X_HC.R = squared(transpose_times(R_bind, A.a), transpose_times(R_bind, A.c));
      break;
    case JointKind::kPlanar:
    case JointKind::kRevolute:
    case JointKind::kRoll: {
      const Vec3<double> x_W = R * transpose_times(R_bind, A.a);  // A times the x column of (2)
      double x = dot(A.a, x_W), y = dot(A.b, x_W);
      const double square = x * x + y * y;
      if (square < kNoDirection * kNoDirection) {
        x = 1, y = 0;
      } else if (std::abs(square - 1) > kSquaredSoon) {
        const double length = std::sqrt(square);
        x /= length, y /= length;
      }
      theta = std::atan2(y, x);
      const Vec3<double> turned_W = A.a * x + A.b * y;
      s.X_HC.R = squared(transpose_times(R, turned_W), transpose_times(R, A.c));  // (3)
      break;
    }
    default: s.X_HC.R = squared(transpose_times(R, A.a), transpose_times(R, A.c)); break;
  }
  s.X_WA.R = A;
  if (footing.kind == JointKind::kPlanar) {  // the plane in which the body is
    s.X_HC.p = {};
    s.X_WA.p = A.c * dot(A.c, X_WH.p);
    return theta;
  }
  // the contact point, or the centre of the rolling arc, on the body; the arc has rolled by theta from A's origin
  const Vec3<double> center_W = footing.point_W + A.b * s.radius;
  s.X_HC.p = transpose_times(R, center_W - X_WH.p);  // Stepien (13), (14)
  s.X_WA.p = center_W + A.a * (s.radius * theta);
  return theta;
}

template <class CompiledFor>
Motion<double> set_down_kernel(const Model& model, BodyId root, const Footing& footing, Tree& tree,
                               State& state) noexcept {
  const PoseTwist motion = body_motion_kernel<CompiledFor>(tree, state, root);
  const double theta = hold(model, root, motion.X_WH, footing, tree.support);
  turn_links_kernel<CompiledFor>(model, root, tree);
  const Motion<double> V_C = to_child(tree.support.X_HC, motion.V_H);
  if (footing.kind == JointKind::kRevolute || footing.kind == JointKind::kRoll) {
    set_support(theta, V_C.w.z, state);
  } else {
    set_root_motion(tree, motion.X_WH, motion.V_H, state);
  }
  return V_C;
}

}  // namespace stance
