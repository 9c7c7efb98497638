#include "stance_core/dynamics/reroot.hpp"

#include <cmath>

#include "dynamics/mimic.hpp"
#include "stance_core/dynamics/outward_step.hpp"
#include "stance_core/dynamics/walk_vector.hpp"

namespace stance {
namespace {

// A product of many rotations drifts from a rotation by rounding; the quaternion's has unit length again.
Mat3<double> renormalized(const Mat3<double>& R) noexcept { return rotation(quaternion(R)); }

}  // namespace

// Axes C of the contact frame on the body. With R the body's orientation and R_b its bind orientation,
// (1) in the bind pose C shall be parallel to A:        C = R_bᵀ A
// (2) then the support turns by                         R_J = Aᵀ R C = Aᵀ (R R_bᵀ) A
// (3) a support that turns about z alone can do only the angle theta of R_J about z; what is left goes into C:
//                                                       C = Rᵀ A rot_z(theta),  so that R_J = rot_z(theta)
// and a weld can do none: C = Rᵀ A.
Support make_support(const Model& model, BodyId root, const Transform<double>& X_WH,
                     const Footing& footing) noexcept {
  const Mat3<double>& A = footing.R_WA;
  const Mat3<double>& R_bind = model.bodies[root].R_bind;
  const Mat3<double> R_J = transpose(A) * (X_WH.R * (transpose(R_bind) * A));
  const double theta = std::atan2(R_J.a.y, R_J.a.x);
  const auto turned = [&](double angle) {
    return renormalized(transpose(X_WH.R) * (A * joint_transform(JointKind::kRevolute, &angle).R));
  };
  Support s;
  s.kind = footing.kind;
  s.radius = footing.kind == JointKind::kRoll ? footing.radius : 0;
  s.X_WA = {A, footing.point_W};
  switch (footing.kind) {
    case JointKind::kFree: s.X_WA = {}, s.X_HC = {}; return s;
    case JointKind::kPlanar:  // the plane in which the body is
      s.X_WA = {A, A.c * dot(A.c, X_WH.p)};
      s.X_HC = {turned(theta), {}};
      return s;
    case JointKind::kBall: s.X_HC.R = renormalized(transpose(R_bind) * A); break;
    case JointKind::kRevolute:
    case JointKind::kRoll: s.X_HC.R = turned(theta); break;
    default: s.X_HC.R = turned(0); break;
  }
  // the contact point, or the centre of the rolling arc, on the body; the arc has rolled by theta from A's origin
  const Vec3<double> center_W = footing.point_W + A.b * s.radius;
  s.X_HC.p = transpose_times(X_WH.R, center_W - X_WH.p);  // Stepien (13), (14)
  s.X_WA.p = center_W + A.a * (s.radius * theta);
  return s;
}

Motion<double> reroot(const Model& model, BodyId root, const Footing& footing, Tree& tree,
                      State& state) noexcept {
  const PoseTwist motion = body_motion(model, tree, state, root);
  const Support support = make_support(model, root, motion.X_WH, footing);
  change_root(model, root, support, tree);
  set_root_motion(tree, motion.X_WH, motion.V_H, state);
  return to_child(support.X_HC, motion.V_H);
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
