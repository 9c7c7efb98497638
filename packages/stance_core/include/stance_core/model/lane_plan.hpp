// Limbs in lanes: which joints of a robot are worked on together.
//
// A legged robot is a trunk with limbs. A limb is an unbranched chain of hinges that hangs on the trunk, or on
// another limb (a finger on an arm). With z-aligned joints, limbs of different geometry run the same instructions, so
// up to four limbs of similar length make a group, and the k-th joints of a group make a pack: one step of an
// algorithm with a pack as its scalar. Short limbs are padded at their tips with joints that move nothing.
//
// The plan belongs to the robot, not to a root. Wherever the root is, a limb it does not stand in is walked from its
// attachment to its tip, with the constants planned here; a limb the root stands in joins the trunk, which is walked
// body by body, and its lane runs empty (Tree, LaneWalk). What changes with the root is only the frame of the body a
// limb is attached to.
//
// A lane that runs empty may be lent: a limb that has no group worth it (a head) stands in for the leg that the root
// stands in. Such groups are made at load as well, one for each lane of a full group.
//
// Groups are listed inwards: a group comes before those its limbs hang on, so that its inertias are there in time.
// This is the schedule of Yamane and Nakamura with lanes for processors.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "stance_core/base/capacity.hpp"
#include "stance_core/base/index.hpp"
#include "stance_core/spatial/inertia.hpp"
#include "stance_core/spatial/lanes.hpp"

namespace stance {

inline constexpr int kLimbLanes = 4;
// A binary tree of all bodies takes one for four of them. Limbs that find no group stay in the trunk.
inline constexpr int kMaxLimbGroups = std::max(16, kMaxBodies / kLimbLanes);
inline constexpr int kMaxLimbScratch = kMaxBodies;    // packs of all groups together
inline constexpr int kMaxLimbPacks = 2 * kMaxBodies;  // those of groups with a stand-in besides
using LimbLanes = Lanes<kLimbLanes>;

// A step of an algorithm with a pack costs about this many steps with one joint: its instructions are as many, and
// the operands are wider.
inline constexpr double kPackCost = 1.25;

template <class T>
using PerLane = std::array<T, kLimbLanes>;

// One joint of each limb of a group. Fields as in Link; padding has no inertia, an armature of 1, and no body.
struct LimbPack {
  Transform<LimbLanes> X_T;
  RigidInertia<LimbLanes> I;
  LimbLanes armature, sign;
  PerLane<BodyId> body;
  PerLane<std::int16_t> q_index{}, v_index{};
  LimbLanes gear_ratio;  // with the sign of the walk; 0: in no gear
  LimbLanes free;        // 1, and 0 for a joint of a gear
  PerLane<std::int16_t> gear{-1, -1, -1, -1};
  bool has_armature = false;   // of its own
  bool has_gears = false;      // a joint is in a gear
  bool carries_limbs = false;  // other limbs hang on one of its bodies
  bool gathers = false;        // they do, or gears meet at one of its bodies
};

struct LimbGroup {
  int first_pack = 0, pack_count = 0;
  int first_scratch = 0;   // of Workspace::packs; a group and those with a stand-in share theirs
  PerLane<BodyId> parent;  // the body each limb hangs on
  PerLane<std::int16_t> length{};  // joints of each limb; 0 where there is none
};

// The group with one limb exchanged for another.
struct StandIn {
  std::int16_t group = -1;  // where the limb that stands in has its own place; -1: there is none
  std::array<LimbGroup, kLimbLanes> groups;  // by the lane it takes
};

struct LanePlan {
  int group_count = 0, pack_count = 0;
  std::array<LimbGroup, kMaxLimbGroups> groups;
  std::array<StandIn, kMaxLimbGroups> stand_ins;  // by group
  std::array<LimbPack, kMaxLimbPacks> packs;
  std::array<std::int16_t, kMaxBodies> group_of, lane_of;  // by body; -1 for the trunk
};

struct Model;

// Part of derive(Model&). Without limbs that are worth it the plan is empty.
void plan_lanes(Model& model) noexcept;

}  // namespace stance
