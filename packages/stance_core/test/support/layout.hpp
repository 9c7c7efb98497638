// Where things lie in memory, as the file that includes this is compiled.
#pragma once

#include <array>
#include <cstddef>

#include "stance_core/model/description.hpp"
#include "stance_core/plant/lock_step.hpp"

namespace stance::test {

template <class T>
constexpr std::array<std::size_t, 2> layout_of() {
  return {sizeof(T), alignof(T)};
}

constexpr std::array<std::array<std::size_t, 2>, 14> layouts() {
  return {layout_of<InertialDescription>(),
          layout_of<LinkDescription>(),
          layout_of<JointDescription>(),
          layout_of<Model>(),
          layout_of<Tree>(),
          layout_of<State>(),
          layout_of<Workspace>(),
          {offsetof(Workspace, packs), offsetof(Workspace, Ic)},
          layout_of<SimulatorSettings>(),
          layout_of<Simulator>(),
          layout_of<PlantSettings>(),
          layout_of<PlantSnapshot>(),
          layout_of<Plant>(),
          layout_of<LockStep>()};
}

// In a file that is compiled for AVX-512, where the machine is of that kind.
extern const std::array<std::array<std::size_t, 2>, 14> kLayoutsAvx512;

}  // namespace stance::test
