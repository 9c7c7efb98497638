// The maxima. All memory of a robot is sized by these numbers at build time, and nothing grows later.
//
// They are CMake cache variables of stance_core (see colcon.meta) and PUBLIC definitions of its target, so
// that no two packages can disagree. A robot that does not fit is refused by build_model with its numbers
// and the name of the setting to change.
#pragma once

#ifndef STANCE_MAX_BODIES
#define STANCE_MAX_BODIES 64
#endif
#ifndef STANCE_MAX_DOFS
#define STANCE_MAX_DOFS 128
#endif
#ifndef STANCE_MAX_FRAMES
#define STANCE_MAX_FRAMES 256
#endif
#ifndef STANCE_MAX_MIMICS
#define STANCE_MAX_MIMICS 32
#endif

namespace stance {

// Moving bodies: links that are left once those behind fixed joints are lumped into their parents.
inline constexpr int kMaxBodies = STANCE_MAX_BODIES;
// Velocities: the six of the support joint and those of all joints.
inline constexpr int kMaxDofs = STANCE_MAX_DOFS;
// Positions: one more than velocities for each quaternion.
inline constexpr int kMaxCoordinates = kMaxDofs + kMaxBodies;
// Named frames: every link of the file, lumped or not.
inline constexpr int kMaxFrames = STANCE_MAX_FRAMES;
// Joints that follow another joint. Their forces are a dense system: the one maximum whose square counts.
inline constexpr int kMaxMimics = STANCE_MAX_MIMICS;
// Feet, joint stops and bodies that must not touch the ground.
inline constexpr int kMaxFeet = 32;
inline constexpr int kMaxStops = 16;
inline constexpr int kMaxFallFrames = 32;
// Events that wait for a reader.
inline constexpr int kMaxEvents = 256;
// Pushes and faults that act or wait at one time; named states.
inline constexpr int kMaxWrenches = 16;
inline constexpr int kMaxFaults = 16;
inline constexpr int kMaxKeyframes = 32;
// Sensors of a kind.
inline constexpr int kMaxImus = 4;
inline constexpr int kMaxForceTorques = 16;
// Numbers that wait in delay lines: each delayed command takes five per sub-step.
inline constexpr int kMaxDelayedNumbers = 8192;
// Characters of a name.
inline constexpr int kMaxNameLength = 95;

static_assert(kMaxBodies >= 1 && kMaxBodies <= 32767, "STANCE_MAX_BODIES must fit a 16-bit id");
static_assert(kMaxFrames >= kMaxBodies,
              "every body has at least one frame: raise STANCE_MAX_FRAMES");
static_assert(kMaxMimics <= 256, "the gears' forces are one dense system on the stack");
static_assert(kMaxDofs >= 6, "the support joint alone has up to six degrees of freedom");

}  // namespace stance
