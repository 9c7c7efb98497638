// Loops: what closes a mechanism that a URDF can only describe as a tree. And schedules: in which order to assemble it.
//
//   loops:
//     - {name: knee, type: pin, a: {link: rod, xyz: [0, 0, -0.3], rpy: [0, 0, 0]}, b: {link: shank, xyz: [0, 0.05, 0]}}
//
// type: point (origins coincide), pin (and z axes), weld (one frame). link may be `world`, once in a loop; xyz and rpy as
// in URDF, zero where left out.
//
//   schedule: [knee, ankle, hip, support]      every joint that moves once, and `support`: the base's joint to the world
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "stance_core/assembly/schedule.hpp"
#include "stance_core/base/result.hpp"
#include "stance_core/constraint/closure.hpp"

namespace stance {

struct Loop {
  std::string name;
  Closure closure;
};

Result<std::vector<Loop>> load_loops(const std::filesystem::path& path, const Model& model);

Result<Schedule> load_schedule(const std::filesystem::path& path, const Model& model);

}  // namespace stance
