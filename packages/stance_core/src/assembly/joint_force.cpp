#include "assembly/joint_step.hpp"

namespace stance {

// K: unit vectors along the axes that S leaves, then S's own where armature is. With an S that is no unit vector, that of a
// rolling support alone, the unit vectors are first made orthogonal to it.
Status joint_force(const Tree& tree, int i, const DofVector& tau, const Workspace& w,
                   JointScratch& s) noexcept {
  const Link& link = tree.links[i];
  Column6 S[6];
  const int free = free_axes(tree, i, w, S);
  double tau_walk[6];
  efforts_to_walk(link, w.X_J[i], &tau[link.v_index], tau_walk);
  Column6 drive{};
  for (int j = 0; j < free; ++j) {
    const double per_length = tau_walk[j] / dot(S[j], S[j]);  // Sᵀ (S tau / S²) = tau
    for (int r = 0; r < 6; ++r) drive[r] += S[j][r] * per_length;
  }
  Column6 K[6];
  int n = 0;
  for (int axis = 0; axis < 6 && n < 6 - free; ++axis) {
    Column6 k{};
    k[axis] = 1;
    const auto orthogonal = [&](const Column6& to) {
      const double p = dot(k, to) / dot(to, to);
      for (int r = 0; r < 6; ++r) k[r] -= p * to[r];
    };
    for (int j = 0; j < free; ++j) orthogonal(S[j]);
    for (int j = 0; j < n; ++j) orthogonal(K[j]);
    // of the axes that S mixes one is left over, and it comes out as nothing, or as rounding
    const double length2 = dot(k, k);
    if (length2 < 0.1) continue;
    for (double& x : k) x /= std::sqrt(length2);
    K[n++] = k;
  }
  const int constrained = n;
  if (link.armature > 0) {
    for (int j = 0; j < free; ++j) K[n++] = S[j];
  }
  Matrix6 Gamma, Gamma_inverse;
  for (int r = 0; r < n; ++r) {
    const Column6 PK = s.P * K[r];
    for (int c = 0; c < n; ++c) Gamma.m[r][c] = dot(K[c], PK);
    if (r >= constrained) Gamma.m[r][r] += 1 / link.armature;
  }
  if (!inverse_spd(n, kMinPivot, Gamma, Gamma_inverse)) return Status::kSingularInertia;
  s.W = {};
  for (int r = 0; r < n; ++r) {
    for (int c = 0; c < n; ++c) {
      const double g = Gamma_inverse.m[r][c];
      if (g == 0) continue;
      for (int k = 0; k < 6; ++k) {
        for (int m = 0; m < 6; ++m) s.W.m[k][m] += K[r][k] * g * K[c][m];
      }
    }
  }
  symmetrize(s.W);
  s.phi0 = drive - s.W * (s.r0 + s.P * drive);
  return Status::kOk;
}

}  // namespace stance
