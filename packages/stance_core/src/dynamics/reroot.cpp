#include "stance_core/dynamics/reroot.hpp"

#include <cmath>

#include "dynamics/mimic.hpp"
#include "dynamics/reroot_kernel.hpp"
#include "processor/kernels.hpp"
#include "stance_core/dynamics/outward_step.hpp"
#include "stance_core/dynamics/walk_vector.hpp"
#include "stance_core/spatial/sine_cosine.hpp"

namespace stance {

Support make_support(const Model& model, BodyId root, const Transform<double>& X_WH,
                     const Footing& footing) noexcept {
  Support support;
  hold(model, root, X_WH, footing, support);
  return support;
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
  const bool same_pin = root == tree.root && footing.kind == JointKind::kRevolute &&
                        tree.support.kind == JointKind::kRevolute &&
                        footing.R_WA == tree.support.X_WA.R;
  return same_pin ? move_pin(model, footing.point_W, tree, state)
                  : kernels(model.processor).set_down(model, root, footing, tree, state);
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
