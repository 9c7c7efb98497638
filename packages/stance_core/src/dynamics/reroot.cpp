#include "stance_core/dynamics/reroot.hpp"

#include <cmath>

#include "dynamics/mimic.hpp"
#include "stance_core/dynamics/outward_step.hpp"
#include "stance_core/dynamics/walk_vector.hpp"
#include "stance_core/spatial/sine_cosine.hpp"

namespace stance {
namespace {

// Axes z and x, perpendicular and of unit length but for the rounding of a product, made so exactly. One step of
// Newton's iteration for 1/|z| squares the error. Without this, many switches drift from a rotation.
STANCE_INLINE Mat3<double> squared(const Vec3<double>& x_rounded,
                                   const Vec3<double>& z_rounded) noexcept {
  const auto unit = [](const Vec3<double>& a) { return a * (1.5 - 0.5 * dot(a, a)); };
  const Vec3<double> z = unit(z_rounded);
  const Vec3<double> x = unit(x_rounded - z * dot(z, x_rounded));
  return {x, cross(z, x), z};
}

// A support, and the angle about z by which it is turned.
struct TurnedSupport {
  Support support;
  double theta = 0;
};

// Shorter than this, a unit vector's part in a plane has no direction there: any is as good, and zero is simple.
constexpr double kNoDirection = 1e-12;

// Axes C of the contact frame on the body. With R the body's orientation and R_b its bind orientation,
// (1) in the bind pose C shall be parallel to A:        C = R_bᵀ A
// (2) then the support turns by                         R_J = Aᵀ R C = Aᵀ (R R_bᵀ) A
// (3) a support that turns about z alone can do only the angle theta of R_J about z; what is left goes into C:
//                                                       C = Rᵀ A rot_z(theta),  so that R_J = rot_z(theta)
// and a weld can do none: C = Rᵀ A.
STANCE_INLINE TurnedSupport hold(const Model& model, BodyId root, const Transform<double>& X_WH,
                                 const Footing& footing) noexcept {
  const Mat3<double>& A = footing.R_WA;
  const Mat3<double>& R = X_WH.R;
  const Mat3<double>& R_bind = model.bodies[root].R_bind;
  TurnedSupport out;
  Support& s = out.support;
  s.kind = footing.kind;
  s.radius = footing.kind == JointKind::kRoll ? footing.radius : 0;
  switch (footing.kind) {
    case JointKind::kFree: return out;
    case JointKind::kBall:  // (1)
      s.X_HC.R = squared(transpose_times(R_bind, A.a), transpose_times(R_bind, A.c));
      break;
    case JointKind::kPlanar:
    case JointKind::kRevolute:
    case JointKind::kRoll: {
      const Vec3<double> x_W = R * transpose_times(R_bind, A.a);  // A times the x column of (2)
      const double x = dot(A.a, x_W), y = dot(A.b, x_W), length = std::sqrt(x * x + y * y);
      Vec3<double> turned_W = A.a;
      if (length > kNoDirection) {
        out.theta = std::atan2(y, x);
        turned_W = (A.a * x + A.b * y) * (1 / length);
      }
      s.X_HC.R = squared(transpose_times(R, turned_W), transpose_times(R, A.c));  // (3)
      break;
    }
    default: s.X_HC.R = squared(transpose_times(R, A.a), transpose_times(R, A.c)); break;
  }
  s.X_WA.R = A;
  if (footing.kind == JointKind::kPlanar) {  // the plane in which the body is
    s.X_WA.p = A.c * dot(A.c, X_WH.p);
    return out;
  }
  // the contact point, or the centre of the rolling arc, on the body; the arc has rolled by theta from A's origin
  const Vec3<double> center_W = footing.point_W + A.b * s.radius;
  s.X_HC.p = transpose_times(R, center_W - X_WH.p);  // Stepien (13), (14)
  s.X_WA.p = center_W + A.a * (s.radius * out.theta);
  return out;
}

}  // namespace

Support make_support(const Model& model, BodyId root, const Transform<double>& X_WH,
                     const Footing& footing) noexcept {
  return hold(model, root, X_WH, footing).support;
}

// The body is the root on such a pin already. Its angle and the axes C stay, and the point moves by d. In C's axes
//   d_C = rot_z(-q) Aᵀ d,    X_HC.p grows by C d_C,    V_C = (w; w × d_C) with w = (0, 0, q̇)
static Motion<double> move_pin(const Model& model, const Vec3<double>& point_W, Tree& tree,
                               State& state) noexcept {
  Support support = tree.support;
  const auto [sine, cosine] = sine_cosine(state.q[0]);
  const Vec3<double> d_A = transpose_times(support.X_WA.R, point_W - support.X_WA.p);
  const Vec3<double> d_C{cosine * d_A.x + sine * d_A.y, cosine * d_A.y - sine * d_A.x, d_A.z};
  support.X_WA.p = point_W;
  support.X_HC.p += support.X_HC.R * d_C;
  change_root(model, tree.root, support, tree);
  if (std::abs(state.q[0]) > M_PI) state.q[0] = std::remainder(state.q[0], 2 * M_PI);
  const double rate = state.v[0];
  return {{0, 0, rate}, {-rate * d_C.y, rate * d_C.x, 0}};
}

Motion<double> reroot(const Model& model, BodyId root, const Footing& footing, Tree& tree,
                      State& state) noexcept {
  if (root == tree.root && footing.kind == JointKind::kRevolute &&
      tree.support.kind == JointKind::kRevolute && footing.R_WA == tree.support.X_WA.R) {
    return move_pin(model, footing.point_W, tree, state);
  }
  const PoseTwist motion = body_motion(model, tree, state, root);
  const auto [support, theta] = hold(model, root, motion.X_WH, footing);
  change_root(model, root, support, tree);
  const Motion<double> V_C = to_child(support.X_HC, motion.V_H);
  if (support.kind == JointKind::kRevolute || support.kind == JointKind::kRoll) {
    set_support(theta, V_C.w.z, state);
  } else {
    set_root_motion(tree, motion.X_WH, motion.V_H, state);
  }
  return V_C;
}

void reroot_accelerations(const Model& model, const Tree& old_tree, const State& old_state,
                          const DofVector& a, const Tree& tree, const State& state, Workspace& w,
                          DofVector& a_new) noexcept {
  // accelerations of the bodies in the old tree
  PerDof<double> x;
  for (int k = 0; k < old_tree.body_count; ++k) {
    const int i = old_tree.order[k];
    outward_step(old_tree, old_state, i, w);
    const Link& link = old_tree.links[i];
    accelerations_to_walk(link, w.X_J[i], &a[link.v_index], &x[link.dof]);
  }
  carry_accelerations(model, old_tree, x, w);
  const Motion<double> a_H = to_parent(old_tree.links[tree.root].X_HB, w.a[tree.root]);

  // a = S q̈ + c at the root of the new tree; both walks start from the same accelerated world
  outward_step(tree, state, tree.root, w);
  const Motion<double> a_world{{}, -model.gravity};
  const Motion<double> rest = to_child(tree.support.X_HC, a_H) -
                              to_child(w.X_PB[tree.root], a_world) - w.c[tree.root];
  a_new = a;
  for (int j = 0; j < kSupportDofs; ++j) a_new[j] = 0;
  joint_components(tree.support.kind, rest, a_new.data());
}

}  // namespace stance
