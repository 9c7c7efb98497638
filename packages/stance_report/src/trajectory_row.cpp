#include "trajectory_row.hpp"

#include <algorithm>

namespace stance::report {

std::vector<Column> trajectory_columns(const Model& model) {
  std::vector<Column> columns = state_columns(model);
  std::erase_if(columns, [](const Column& c) {
    return c.quantity == Quantity::kEffort && !c.joint.valid();  // nothing drives the base
  });
  std::stable_partition(columns.begin(), columns.end(),
                        [](const Column& c) { return !c.joint.valid(); });
  return columns;
}

std::vector<std::string> trajectory_header(const std::vector<Column>& columns,
                                           const std::vector<std::string>& feet) {
  std::vector<std::string> names = {"time", "root"};
  for (const auto& column : columns) names.push_back(column.name);
  names.insert(names.end(), {"kinetic", "potential", "grf.fx", "grf.fy", "grf.fz"});
  for (const std::string& foot : feet) {
    for (const char* column : {".mode", ".fx", ".fy", ".fz"})
      names.push_back("contact." + foot + column);
  }
  return names;
}

void write_trajectory_row(const std::vector<Column>& columns, int feet, double time,
                          std::string_view root, const WholeMotion& motion,
                          const Energies& energies, CsvWriter& csv) {
  csv.number(time).text(root);
  for (const auto& column : columns) csv.number(value(motion.row, column));
  csv.number(energies.kinetic).number(energies.potential);
  const Vec3<double>& f = motion.ground_W;
  csv.number(f.x).number(f.y).number(f.z);
  for (int i = 0; i < feet; ++i) {
    const FootForce& foot = motion.feet[static_cast<std::size_t>(i)];
    csv.text(to_string(foot.mode));
    csv.number(foot.force_W.x).number(foot.force_W.y).number(foot.force_W.z);
  }
  csv.end_row();
}

}  // namespace stance::report
