// The columns of trajectory.csv and a row of them. Names are those of the tables `stance dynamics` reads:
//   base.x .y .z .qx .qy .qz .qw    pose of the root link in the world
//   base.vx .vy .vz .wx .wy .wz     its velocity in its own frame
//   q.J  v.J                        a joint; with more than one degree of freedom, a column each with such suffixes
#pragma once

#include <string>
#include <vector>

#include "csv_writer.hpp"
#include "stance_core/model/tree.hpp"

namespace stance::report {

std::vector<std::string> trajectory_columns(const Model& model);

struct Energies {
  double kinetic = 0, potential = 0;
};

void write_trajectory_row(const Model& model, const Tree& tree, const State& state,
                          std::string_view root, const Energies& energies, CsvWriter& csv);

}  // namespace stance::report
