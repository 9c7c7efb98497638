// What a controller asks of a joint, and the one law that makes an effort of it.
//
// A joint takes any set of commands, switched at run time. All sets are one law,
//   (1) effort = kp (position - q) + kd (velocity - v) + feed-forward
// and differ in where its parts come from:
//
//   commands                      position          velocity   effort   kp, kd
//   none                          -                 -          0        0: the joint swings freely
//   effort                        -                 -          given    0
//   position (and velocity)       given             given or 0 0        the servo's
//   velocity                      runs with it      given      0        the servo's
//   any with kp, kd               given             given or 0 given    given
//
// With effort beside position or velocity, the effort is fed forward. A joint with velocity alone is held to a position
// that moves with the velocity, so that zero stands still under load; that position never runs further ahead than the
// effort limit can pull. kp without position means nothing and is refused; kd without velocity damps.
//
// (1) is evaluated in every sub-step, from the joint's true state, and implicitly (drive.hpp): it is stable for any gains.
//
// A number that is NaN was not given. Position: the last one that was, or where the joint stood at the switch. Velocity
// and effort: zero. kp and kd: the last ones that were, or zero. A command with an infinite number is refused as a whole.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>

namespace stance {

// The commands that a joint takes: bits.
using CommandSet = std::uint8_t;
inline constexpr CommandSet kNoCommand = 0;
inline constexpr CommandSet kPositionCommand = 1;
inline constexpr CommandSet kVelocityCommand = 2;
inline constexpr CommandSet kEffortCommand = 4;
inline constexpr CommandSet kKpCommand = 8;
inline constexpr CommandSet kKdCommand = 16;
inline constexpr CommandSet kHybridCommand = 31;

constexpr bool is_valid(CommandSet set) noexcept {
  return set <= kHybridCommand && ((set & kKpCommand) == 0 || (set & kPositionCommand) != 0);
}

// What comes in. Numbers that the joint does not take are not read.
struct Command {
  double position = std::numeric_limits<double>::quiet_NaN();
  double velocity = std::numeric_limits<double>::quiet_NaN();
  double effort = std::numeric_limits<double>::quiet_NaN();
  double kp = std::numeric_limits<double>::quiet_NaN();
  double kd = std::numeric_limits<double>::quiet_NaN();
};

// What is asked once NaN is resolved: always finite.
struct Setpoint {
  double position = 0;
  double velocity = 0;
  double effort = 0;
  double kp = 0;
  double kd = 0;
};

// Where a switch of commands, or a reset, leaves a joint that stands at q: it stays there.
constexpr Setpoint setpoint_at(double q) noexcept { return {q, 0, 0, 0, 0}; }

// False, and the set-point as it was, if a number that the set takes is infinite or a gain is below zero.
bool accept(CommandSet set, const Command& command, Setpoint& setpoint) noexcept;

}  // namespace stance
