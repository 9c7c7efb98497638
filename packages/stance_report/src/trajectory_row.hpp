// The columns of trajectory.csv and a row of them: time and root, the base's pose and velocity, q and v of the joints,
// energies. Names are those of the tables `stance dynamics` reads (state_columns.hpp).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "csv_writer.hpp"
#include "stance_core/model/tree.hpp"
#include "stance_model/state_columns.hpp"

namespace stance::report {

// Those of the state, without time, root and energies.
std::vector<Column> trajectory_columns(const Model& model);

// The first line: the names of all.
std::vector<std::string> trajectory_header(const std::vector<Column>& columns);

struct Energies {
  double kinetic = 0, potential = 0;
};

void write_trajectory_row(const std::vector<Column>& columns, const Model& model, const Tree& tree,
                          const State& state, std::string_view root, const Energies& energies,
                          CsvWriter& csv);

}  // namespace stance::report
