// Between what the user sees (DofVector, laid out as State::v) and what the walk computes (PerDof, by Link::dof,
// in the direction of the walk). One degree of freedom is a matter of sign; the others need X_J of the workspace,
// which any first pass writes.
#pragma once

#include "stance_core/model/tree.hpp"
#include "stance_core/model/workspace.hpp"

namespace stance {

// `turn` reads a joint of several degrees of freedom, walked backwards, in the other direction.
template <class Turn>
STANCE_INLINE void read_joint(const Link& link, const double* from, double* to,
                              const Turn& turn) noexcept {
  if (dof_count(link.kind) == 1) {
    to[0] = link.sign * from[0];
  } else if (!link.reversed) {
    for (int j = 0; j < dof_count(link.kind); ++j) to[j] = from[j];
  } else {
    joint_components(link.kind, turn(), to);
  }
}

// Efforts and accelerations into the walk.
STANCE_INLINE void efforts_to_walk(const Link& link, const Transform<double>& X_J,
                                   const double* tau, double* walk) noexcept {
  read_joint(link, tau, walk, [&] { return reversed_force(X_J, joint_force(link.kind, tau)); });
}

STANCE_INLINE void accelerations_to_walk(const Link& link, const Transform<double>& X_J,
                                         const double* a, double* walk) noexcept {
  read_joint(link, a, walk,
             [&] { return reversed_motion(X_J, joint_motion(link.kind, nullptr, a)); });
}

// And back.
STANCE_INLINE void efforts_to_user(const Link& link, const Transform<double>& X_J,
                                   const double* walk, double* tau) noexcept {
  read_joint(link, walk, tau, [&] { return restored_force(X_J, joint_force(link.kind, walk)); });
}

STANCE_INLINE void accelerations_to_user(const Link& link, const Transform<double>& X_J,
                                         const double* walk, double* a) noexcept {
  read_joint(link, walk, a,
             [&] { return restored_motion(X_J, joint_motion(link.kind, nullptr, walk)); });
}

}  // namespace stance
