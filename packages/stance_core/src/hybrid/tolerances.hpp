// When two numbers of a step count as one. Lengths in m, speeds in m/s or rad/s. They are far above rounding (1e-16 of
// metres, 1e-15 of metres a second) and far below what anybody measures; no result of a run depends on them beyond their size.
#pragma once

namespace stance {

// A foot at rest on the ground without force is watched from this far below: less is rounding of what holds its neighbours.
inline constexpr double kSlack = 1e-9;
// An open site as near as this, and not moving away, takes part in what happens to the others.
inline constexpr double kTouch = 2 * kSlack;
// As slow as this is at rest: an instant is known to 1e-12 s, in which a light foot takes up 1e-8.
inline constexpr double kStill = 1e-7;
// A state that somebody typed may be this far off the ground.
inline constexpr double kStartTolerance = 1e-6;
// A scuffing foot is watched once it is clear of the ground, and ahead of its support, by this.
inline constexpr double kClearance = 1e-7;
// A force that pulls, or leaves its cone, by this part of the robot's weight and of what acts on the site is one that does. It
// is above the tolerance of the law of friction (1e-10), which would else find nothing to change.
inline constexpr double kForceTolerance = 1e-8;
// A flow with slip may leave this part of the kinetic energy unexplained; what leaves more is halved.
inline constexpr double kSlipEnergy = 1e-9;
inline constexpr double kSlipFloor = 1e-4;  // m: or of the energy that lifts the robot by this
// Contacts that have come apart by less than this are left alone.
inline constexpr double kHeldTogether = 1e-13;

}  // namespace stance
