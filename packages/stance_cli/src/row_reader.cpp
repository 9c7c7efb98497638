#include "row_reader.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <set>
#include <string_view>

#include "csv.hpp"
#include "nearest_name.hpp"

namespace stance {
namespace {

constexpr double kQuaternionTolerance = 1e-6;  // files with single precision pass, mistakes do not
constexpr double kMimicTolerance = 1e-9;       // of the larger of one and the number itself

std::string unknown_column(const std::string& name, const std::vector<Column>& known) {
  std::vector<std::string> names;
  for (const auto& column : known) names.push_back(column.name);
  if (const auto nearest = nearest_name(name, names); !nearest.empty())
    return fmt::format("unknown column '{}': did you mean '{}'?", name, nearest);
  return fmt::format(
      "unknown column '{}': columns are base.*, and q., v., tau. and a. with the name of a joint "
      "that moves",
      quotable(name));
}

// What trajectory.csv of `stance run` holds beside the motion.
bool is_report_column(std::string_view name) {
  constexpr std::string_view kNames[] = {"time",   "root",   "kinetic", "potential",
                                         "grf.fx", "grf.fy", "grf.fz"};
  return std::find(std::begin(kNames), std::end(kNames), name) != std::end(kNames) ||
         name.starts_with("contact.");
}

// A name that two columns share, as those of a planar joint 'a' and of a joint 'a.x' would. Empty: none.
std::string doubled_name(const std::vector<Column>& columns) {
  std::set<std::string> names;
  for (const auto& column : columns) {
    if (!names.insert(column.name).second) return column.name;
  }
  return "";
}

// "a, b, c and 4 more"
std::string listed(const std::vector<std::string>& names) {
  constexpr std::size_t kShown = 8;
  if (names.size() <= kShown + 1) return fmt::format("{}", fmt::join(names, ", "));
  return fmt::format("{} and {} more", fmt::join(names.begin(), names.begin() + kShown, ", "),
                     names.size() - kShown);
}

bool is_base_orientation(const Column& column) {
  return !column.joint.valid() && column.quantity == Quantity::kPosition && column.index >= 3;
}

// Whether a table that holds `given` may do without `column`.
bool is_optional(const Column& column, const ColumnRules& rules, const std::vector<Column>& given) {
  const auto gives = [&](auto&& like) { return std::any_of(given.begin(), given.end(), like); };
  if (column.quantity == (rules.inverse ? Quantity::kEffort : Quantity::kAcceleration))
    return true;  // the answer
  if (column.mimic) return true;
  if (!column.joint.valid()) {
    if (column.quantity == Quantity::kEffort) return true;  // no wrench
    if (!rules.fixed_base) return false;
    if (column.quantity != Quantity::kPosition) return true;
    // position and orientation of a fixed base: each whole, or not at all
    const bool orientation = is_base_orientation(column);
    return !gives([&](const Column& c) {
      return !c.joint.valid() && c.quantity == Quantity::kPosition &&
             is_base_orientation(c) == orientation;
    });
  }
  // no efforts at all is a passive robot; some of them is a mistake
  if (column.quantity == Quantity::kEffort) {
    return !gives(
        [](const Column& c) { return c.joint.valid() && c.quantity == Quantity::kEffort; });
  }
  return false;
}

std::optional<Error> normalize(double* q, const std::string& what, const std::string& where) {
  const double norm = std::sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
  if (!(std::abs(norm - 1) <= kQuaternionTolerance)) {
    return Error{
        ErrorCode::kValue, where,
        fmt::format("the quaternion {0}.qx {0}.qy {0}.qz {0}.qw has length {1:.9g}: it must be 1",
                    what, norm)};
  }
  for (int i = 0; i < 4; ++i) q[i] /= norm;
  return std::nullopt;
}

}  // namespace

Result<RowReader> RowReader::match(const Model& model, const ColumnRules& rules,
                                   const std::vector<std::string>& names, const std::string& where,
                                   std::vector<std::string>& notes) {
  const auto known = state_columns(model);
  const auto answer = rules.inverse ? Quantity::kEffort : Quantity::kAcceleration;
  if (const auto name = doubled_name(known); !name.empty()) {
    return Error{
        ErrorCode::kStructure, where,
        fmt::format("two joints of the robot would both have a column '{}': rename one", name)};
  }
  RowReader reader(model, rules);
  std::vector<Column> given;
  std::vector<std::string> unused;
  for (const auto& name : names) {
    const auto found = std::find_if(known.begin(), known.end(),
                                    [&](const Column& c) { return c.name == name; });
    if (found == known.end() && is_report_column(name)) {
      reader.ignored_.push_back(name);
      reader.columns_.emplace_back();
      continue;
    }
    if (found == known.end())
      return Error{ErrorCode::kStructure, where, unknown_column(name, known)};
    if (found->quantity == answer) {
      unused.push_back(name);
      reader.columns_.emplace_back();
      continue;
    }
    given.push_back(*found);
    reader.columns_.emplace_back(*found);
    if (found->mimic && found->quantity != Quantity::kEffort)
      reader.given_mimics_.push_back(*found);
  }

  std::vector<std::string> missing;
  bool all_base = true;
  for (const auto& column : known) {
    const bool present = std::any_of(given.begin(), given.end(),
                                     [&](const Column& c) { return c.name == column.name; });
    if (present || is_optional(column, rules, given)) continue;
    missing.push_back(column.name);
    all_base = all_base && !column.joint.valid();
  }
  if (!missing.empty()) {
    const bool weld = all_base && !rules.fixed_base;
    return Error{
        ErrorCode::kStructure, where,
        fmt::format("missing {}: {}{}", missing.size() == 1 ? "column" : "columns", listed(missing),
                    weld ? " (or give --fixed-base to weld the root link to the world)" : "")};
  }

  if (!reader.ignored_.empty()) {
    notes.push_back(
        fmt::format("{}: not read, because no state: {}", where, listed(reader.ignored_)));
  }
  if (!unused.empty()) {
    notes.push_back(fmt::format("{}: not read, because {} computed: {}", where,
                                rules.inverse ? "efforts are" : "accelerations are",
                                listed(unused)));
  }
  const bool efforts = std::any_of(given.begin(), given.end(), [](const Column& c) {
    return c.joint.valid() && c.quantity == Quantity::kEffort;
  });
  if (!rules.inverse && !efforts && model.body_count > 1) {
    notes.push_back(fmt::format("{}: no tau columns: all joint efforts are zero", where));
  }
  return reader;
}

std::optional<Error> RowReader::read(const std::vector<double>& values, const std::string& where,
                                     StateRow& row) const {
  row = {};
  joint_neutral(JointKind::kFree, row.q.data());
  for (int i = 1; i < model_->body_count; ++i) {
    const auto& joint = model_->joints[i];
    joint_neutral(joint.kind, row.q.data() + joint.q_index);
  }

  for (std::size_t i = 0; i < columns_.size(); ++i) {
    if (!columns_[i]) continue;
    const auto& column = *columns_[i];
    if (rules_.fixed_base && !column.joint.valid() && column.quantity != Quantity::kPosition &&
        values[i] != 0) {
      return Error{ErrorCode::kValue, where,
                   fmt::format("{} is {}, but --fixed-base holds the root link still: remove the "
                               "column or set it to 0",
                               column.name, values[i])};
    }
    value(row, column) = values[i];
  }

  if (auto error = normalize(row.q.data() + 3, "base", where)) return error;
  for (int i = 1; i < model_->body_count; ++i) {
    const auto& joint = model_->joints[i];
    if (joint.kind != JointKind::kBall && joint.kind != JointKind::kFree) continue;
    const int first = joint.q_index + (joint.kind == JointKind::kFree ? 3 : 0);
    if (auto error = normalize(row.q.data() + first, fmt::format("q.{}", joint.name.view()), where))
      return error;
  }
  return read_mimics(where, row);
}

std::optional<Error> RowReader::read_mimics(const std::string& where, StateRow& row) const {
  const StateRow as_given = row;
  for (int i = 0; i < model_->mimic_count; ++i) {
    const auto& mimic = model_->mimics[i];
    const auto& joint = model_->joints[mimic.joint];
    const auto& leader = model_->joints[mimic.leader];
    row.q[joint.q_index] = mimic.multiplier * row.q[leader.q_index] + mimic.offset;
    row.v[joint.v_index] = mimic.multiplier * row.v[leader.v_index];
    row.a[joint.v_index] = mimic.multiplier * row.a[leader.v_index];

    for (const auto& column : given_mimics_) {
      if (column.joint != mimic.joint) continue;
      const double given = value(as_given, column), follows = value(row, column);
      if (std::abs(given - follows) <= kMimicTolerance * std::max(1.0, std::abs(follows))) continue;
      return Error{ErrorCode::kMimic, where,
                   fmt::format("{} is {:.17g}, but joint '{}' follows '{}', which makes it "
                               "{:.17g}: leave the column out, "
                               "or give --no-mimic",
                               column.name, given, joint.name.view(), leader.name.view(), follows)};
    }
    // An effort on the follower works through its leader.
    row.tau[leader.v_index] += mimic.multiplier * std::exchange(row.tau[joint.v_index], 0.0);
  }
  return std::nullopt;
}

}  // namespace stance
