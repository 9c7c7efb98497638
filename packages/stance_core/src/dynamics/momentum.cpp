#include "stance_core/dynamics/momentum.hpp"

namespace stance {

double kinetic_energy(const Tree& tree, const State& state, const Workspace& w) noexcept {
  double twice = 0;
  for (int i = 0; i < tree.body_count; ++i) {
    const Link& link = tree.links[i];
    twice += dot(link.I * w.v[i], w.v[i]);
    for (int j = 0; link.armature > 0 && j < dof_count(link.kind); ++j) {
      twice += link.armature * state.v[link.v_index + j] * state.v[link.v_index + j];
    }
  }
  return 0.5 * twice;
}

// Sum over bodies of mass and first moment, in the world.
static RigidInertia<double> mass_in_world(const Tree& tree, const Workspace& w) noexcept {
  RigidInertia<double> sum;
  for (int i = 0; i < tree.body_count; ++i) {
    const RigidInertia<double>& I = tree.links[i].I;
    sum.m += I.m;
    sum.h += w.X_WB[i].R * I.h + w.X_WB[i].p * I.m;
  }
  return sum;
}

double potential_energy(const Model& model, const Tree& tree, const Workspace& w) noexcept {
  return -dot(model.gravity, mass_in_world(tree, w).h);
}

Force<double> momentum(const Tree& tree, const Workspace& w, const Vec3<double>& about_W) noexcept {
  Force<double> sum;
  for (int i = 0; i < tree.body_count; ++i) sum += to_parent(w.X_WB[i], tree.links[i].I * w.v[i]);
  sum.n -= cross(about_W, sum.f);
  return sum;
}

Vec3<double> center_of_mass(const Tree& tree, const Workspace& w) noexcept {
  const RigidInertia<double> sum = mass_in_world(tree, w);
  return sum.h * (1 / sum.m);
}

}  // namespace stance
