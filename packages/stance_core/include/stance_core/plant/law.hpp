// A law: a controller that runs inside the simulation, without ROS. Readings in, commands out, once a cycle.
#pragma once

#include "stance_core/plant/plant.hpp"

namespace stance {

class Law {
 public:
  virtual ~Law() = default;
  // Before the first update and after each reset of the plant: says which commands the joints take.
  virtual void reset(Plant& plant) noexcept = 0;
  // Reads what the sensors say and writes commands. Nothing of it allocates, locks, throws or prints.
  virtual void update(Plant& plant) noexcept = 0;

 protected:
  Law() = default;
  Law(const Law&) = default;
  Law& operator=(const Law&) = default;
};

}  // namespace stance
