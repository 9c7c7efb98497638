// Scratch of the algorithms, grouped by stage. Arrays run over bodies unless they say otherwise, in kernel frames.
// It grows linearly with the capacities: what is quadratic (MassMatrix of crba.hpp) is held by those who ask for it.
#pragma once

#include <array>
#include <cstdint>

#include "stance_core/base/capacity.hpp"
#include "stance_core/model/lane_plan.hpp"
#include "stance_core/spatial/inertia.hpp"

namespace stance {

template <class T>
using PerBody = std::array<T, kMaxBodies>;
template <class T>
using PerDof = std::array<T, kMaxDofs>;  // by degree of freedom in walking order (Link::dof)

// What an algorithm keeps of a pack between its passes: fields as in Workspace.
struct PackScratch {
  Transform<LimbLanes> X_PB;
  Motion<LimbLanes> v, c, a;
  Force<LimbLanes> pA, L;
  LimbLanes u;
};

// A gear on its way in and out (dynamics/gear_walk.hpp), in the frame of the body where its joints' ways meet.
struct GearScratch {
  static constexpr std::int16_t kUnmet = -2;
  Force<double> Q, L;  // L = Q / d
  double d, p;
  double y;                    // the leader's acceleration
  std::int16_t next = kUnmet;  // that meets at the same body, or -1
};

struct Workspace {
  // ---- position and velocity: written by the first pass of kinematics, rnea, crba and aba
  PerBody<Transform<double>> X_PB;  // pose in the parent's kernel frame
  PerBody<Transform<double>> X_J;   // across a reversed multi-axis joint, in the file's direction
  PerBody<Motion<double>> v;        // velocity
  PerBody<Motion<double>> c;        // velocity-product acceleration v × S q̇ + Ṡ q̇
  PerBody<Transform<double>> X_WB;  // pose in the world; written by kinematics
  Motion<double> S_roll;            // motion subspace of a rolling support

  // ---- forces and accelerations
  PerBody<Motion<double>> a;  // acceleration minus gravity's; written by rnea and by aba pass 3
  PerBody<Force<double>> f;   // force across the joint that enters the body; written by rnea

  // ---- articulated bodies: written by aba pass 2
  PerBody<ArticulatedInertia<double>> IA;  // of the subtree, where the walk branches
  PerBody<Force<double>> pA;               // bias force of the subtree
  PerDof<double> D_inverse;                // D⁻¹ = 1 / (Sᵀ IA S + armature)
  PerDof<Force<double>> L;                 // U D⁻¹ = IA S D⁻¹
  PerDof<double> u;                        // D⁻¹ (tau - Sᵀ pA)
  ArticulatedInertia<double> IA_root;      // of the whole robot at its root: the support gives
  Force<double> pA_root;                   //   f = IA_root a + pA_root, a the root's acceleration

  // ---- limbs in lanes: written by aba_lanes and rnea_lanes
  std::array<PackScratch, kMaxLimbScratch> packs;  // by LimbGroup::first_scratch

  // ---- gears: written by aba_lanes
  std::array<GearScratch, kMaxMimics> gears;
  PerBody<Force<double>> Q;          // what a gear's joints beyond the body add to f
  PerBody<std::int16_t> first_gear;  // that meets at the body, or -1

  // ---- composite bodies: written by crba
  PerBody<RigidInertia<double>> Ic;  // of the subtree as one rigid body
};

}  // namespace stance
