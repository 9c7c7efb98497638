#include "trajectory_row.hpp"

#include <algorithm>

namespace stance::report {

std::vector<Column> trajectory_columns(const Model& model) {
  std::vector<Column> columns = state_columns(model);
  std::erase_if(columns, [](const Column& c) { return c.quantity == Quantity::kEffort; });
  std::stable_partition(columns.begin(), columns.end(),
                        [](const Column& c) { return !c.joint.valid(); });
  return columns;
}

std::vector<std::string> trajectory_header(const std::vector<Column>& columns) {
  std::vector<std::string> names = {"time", "root"};
  for (const auto& column : columns) names.push_back(column.name);
  names.insert(names.end(), {"kinetic", "potential", "grf.fx", "grf.fy", "grf.fz"});
  return names;
}

void write_trajectory_row(const std::vector<Column>& columns, double time, std::string_view root,
                          const WholeMotion& motion, const Energies& energies, CsvWriter& csv) {
  csv.number(time).text(root);
  for (const auto& column : columns) csv.number(value(motion.row, column));
  csv.number(energies.kinetic).number(energies.potential);
  const Vec3<double>& f = motion.ground_W;
  csv.number(f.x).number(f.y).number(f.z);
  csv.end_row();
}

}  // namespace stance::report
