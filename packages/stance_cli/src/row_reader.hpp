// Rows of numbers into states, by the names of their columns: which must be there, which may, and what must agree.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "stance_core/base/result.hpp"
#include "stance_model/state_columns.hpp"

namespace stance {

struct ColumnRules {
  bool fixed_base = false;
  bool inverse = false;  // accelerations are read, efforts are the answer
};

// Reads rows of numbers into StateRow, by the names in the table's first line.
class RowReader {
 public:
  // Matches `names` with the robot's columns. `where` is the place of the names in errors. What the user should know,
  // but is no error, goes into `notes`.
  static Result<RowReader> match(const Model& model, const ColumnRules& rules,
                                 const std::vector<std::string>& names, const std::string& where,
                                 std::vector<std::string>& notes);

  // Columns that are no state of a robot, such as energies of a trajectory: they need not be numbers.
  const std::vector<std::string>& ignored() const { return ignored_; }

  // One row. Quaternions are checked and normalised; mimic joints are checked where given, and set.
  std::optional<Error> read(const std::vector<double>& values, const std::string& where,
                            StateRow& row) const;

 private:
  RowReader(const Model& model, const ColumnRules& rules) : model_(&model), rules_(rules) {}
  std::optional<Error> read_mimics(const std::string& where, StateRow& row) const;

  const Model* model_;
  ColumnRules rules_;
  std::vector<std::optional<Column>> columns_;  // by place in the table; none: not used
  std::vector<Column> given_mimics_;            // what the table gives of mimic joints
  std::vector<std::string> ignored_;
};

}  // namespace stance
