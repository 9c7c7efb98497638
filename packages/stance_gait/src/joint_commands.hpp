// How laws speak to joints: an effort fed forward, and a servo of a stated bandwidth about a position.
#pragma once

#include "stance_core/plant/plant.hpp"

namespace stance {

inline void take_all_joints(Plant& plant) noexcept {
  for (int i = 1; i < plant.model().body_count; ++i)
    if (plant.is_driven(JointId(i))) (void)plant.switch_commands(JointId(i), kHybridCommand);
}

// Bandwidth in rad/s, with the inertia that the plant's own servo counts with; 0: the effort alone.
inline void command(Plant& plant, JointId joint, const DofVector& efforts, double position,
                    double bandwidth) noexcept {
  if (!plant.is_driven(joint)) return;
  const Servo& servo = plant.actuator(joint).servo;
  const double part = servo.bandwidth > 0 ? bandwidth / servo.bandwidth : 0;
  (void)plant.write(joint, {.position = position,
                            .velocity = 0,
                            .effort = efforts[plant.model().joints[joint].v_index],
                            .kp = servo.kp * part * part,
                            .kd = servo.kd * part});
}

}  // namespace stance
