#include "trajectory_row.hpp"

#include <algorithm>
#include <array>

#include "stance_core/spatial/rotation.hpp"

namespace stance::report {

std::vector<Column> trajectory_columns(const Model& model) {
  std::vector<Column> columns = state_columns(model);
  std::erase_if(columns, [](const Column& c) {
    return c.quantity != Quantity::kPosition && c.quantity != Quantity::kVelocity;
  });
  std::stable_partition(columns.begin(), columns.end(),
                        [](const Column& c) { return !c.joint.valid(); });
  return columns;
}

std::vector<std::string> trajectory_header(const std::vector<Column>& columns) {
  std::vector<std::string> names = {"time", "root"};
  for (const auto& column : columns) names.push_back(column.name);
  names.insert(names.end(), {"kinetic", "potential"});
  return names;
}

void write_trajectory_row(const std::vector<Column>& columns, const Model& model, const Tree& tree,
                          const State& state, std::string_view root, const Energies& energies,
                          CsvWriter& csv) {
  // the base in front, as a free joint, wherever the root is
  const auto [X, V] = body_motion(model, tree, state, BodyId(0));
  const Quaternion r = quaternion(X.R);
  StateRow row;
  row.q = state.q, row.v = state.v;
  std::ranges::copy(std::array{X.p.x, X.p.y, X.p.z, r.x, r.y, r.z, r.w}, row.q.begin());
  std::ranges::copy(std::array{V.w.x, V.w.y, V.w.z, V.v.x, V.v.y, V.v.z}, row.v.begin());

  csv.number(state.time).text(root);
  for (const auto& column : columns) csv.number(value(row, column));
  csv.number(energies.kinetic).number(energies.potential);
  csv.end_row();
}

}  // namespace stance::report
