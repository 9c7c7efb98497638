// Between what the user sees (DofVector, laid out as State::v) and what the walk computes (PerDof, by Link::dof,
// in the direction of the walk).
#pragma once

#include "stance_core/model/tree.hpp"
#include "stance_core/model/workspace.hpp"

namespace stance {

// Efforts and accelerations into the walk. Need X_J of the workspace (any first pass writes it).
inline void efforts_to_walk(const Link& link, const Transform<double>& X_J, const double* tau,
                            double* walk) noexcept {
  if (!link.reversed) {
    for (int j = 0; j < dof_count(link.kind); ++j) walk[j] = tau[j];
  } else if (dof_count(link.kind) == 1) {
    walk[0] = -tau[0];
  } else {
    joint_components(link.kind, reversed_force(X_J, joint_force(link.kind, tau)), walk);
  }
}

inline void accelerations_to_walk(const Link& link, const Transform<double>& X_J, const double* a,
                                  double* walk) noexcept {
  if (!link.reversed) {
    for (int j = 0; j < dof_count(link.kind); ++j) walk[j] = a[j];
  } else if (dof_count(link.kind) == 1) {
    walk[0] = -a[0];
  } else {
    joint_components(link.kind, reversed_motion(X_J, joint_motion(link.kind, nullptr, a)), walk);
  }
}

// And back.
inline void efforts_to_user(const Link& link, const Transform<double>& X_J, const double* walk,
                            double* tau) noexcept {
  if (!link.reversed) {
    for (int j = 0; j < dof_count(link.kind); ++j) tau[j] = walk[j];
  } else if (dof_count(link.kind) == 1) {
    tau[0] = -walk[0];
  } else {
    joint_components(link.kind, restored_force(X_J, joint_force(link.kind, walk)), tau);
  }
}

inline void accelerations_to_user(const Link& link, const Transform<double>& X_J,
                                  const double* walk, double* a) noexcept {
  if (!link.reversed) {
    for (int j = 0; j < dof_count(link.kind); ++j) a[j] = walk[j];
  } else if (dof_count(link.kind) == 1) {
    a[0] = -walk[0];
  } else {
    joint_components(link.kind, restored_motion(X_J, joint_motion(link.kind, nullptr, walk)), a);
  }
}

}  // namespace stance
