// The columns of trajectory.csv and a row of them: time and root, pose, velocity and acceleration of the base and of the
// joints with their efforts, energies, the ground's force, and for each foot its mode and the ground's force on it. Names are those of the tables that `stance dynamics` and `stance inverse` read
// (state_columns.hpp); what is no state they leave out by name (row_reader.cpp).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "csv_writer.hpp"
#include "stance_model/state_columns.hpp"
#include "whole_motion.hpp"

namespace stance::report {

// Those of the motion, without time, root, energies and forces of the ground.
std::vector<Column> trajectory_columns(const Model& model);

// The first line: the names of all.
std::vector<std::string> trajectory_header(const std::vector<Column>& columns,
                                           const std::vector<std::string>& feet);

struct Energies {
  double kinetic = 0, potential = 0;
};

void write_trajectory_row(const std::vector<Column>& columns, int feet, double time,
                          std::string_view root, const WholeMotion& motion,
                          const Energies& energies, CsvWriter& csv);

}  // namespace stance::report
