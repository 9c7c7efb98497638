// What breaks: a fault of a joint, from a time and for a while.
#pragma once

#include <limits>

#include "stance_core/base/index.hpp"

namespace stance {

enum class FaultKind : unsigned char {
  kFrozenEncoder,  // position stands still and velocity reads zero, for the controller and for the drive's own law
  kDroppedCommands,  // commands that are written get lost: the last ones hold
  kTorqueLoss,       // `amount` is the share of the motor's effort that is lost, 0 to 1
  kLatencySpike,     // commands take `amount` seconds more
};

constexpr const char* to_string(FaultKind kind) noexcept {
  constexpr const char* kNames[] = {"frozen_encoder", "dropped_commands", "torque_loss",
                                    "latency_spike"};
  return kNames[static_cast<int>(kind)];
}

struct Fault {
  FaultKind kind{};
  JointId joint;     // not valid: all joints
  double start = 0;  // s, in simulated time
  double duration = std::numeric_limits<double>::infinity();
  double amount = 0;
};

}  // namespace stance
