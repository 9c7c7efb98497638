#include "stance_core/plant/command.hpp"

namespace stance {

bool accept(CommandSet set, const Command& command, Setpoint& setpoint) noexcept {
  const auto takes = [&](CommandSet one) { return (set & one) != 0; };
  const auto infinite = [&](CommandSet one, double number) {
    return takes(one) && std::isinf(number);
  };
  if (infinite(kPositionCommand, command.position) ||
      infinite(kVelocityCommand, command.velocity) || infinite(kEffortCommand, command.effort) ||
      infinite(kKpCommand, command.kp) || infinite(kKdCommand, command.kd) ||
      (takes(kKpCommand) && command.kp < 0) || (takes(kKdCommand) && command.kd < 0))
    return false;
  if (takes(kPositionCommand) && !std::isnan(command.position))
    setpoint.position = command.position;
  if (takes(kVelocityCommand))
    setpoint.velocity = std::isnan(command.velocity) ? 0 : command.velocity;
  if (takes(kEffortCommand)) setpoint.effort = std::isnan(command.effort) ? 0 : command.effort;
  if (takes(kKpCommand) && !std::isnan(command.kp)) setpoint.kp = command.kp;
  if (takes(kKdCommand) && !std::isnan(command.kd)) setpoint.kd = command.kd;
  return true;
}

}  // namespace stance
