#include "stance_model/state_columns.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <span>
#include <string_view>

namespace stance {
namespace {

constexpr std::array kQuantities = {Quantity::kPosition, Quantity::kVelocity, Quantity::kEffort,
                                    Quantity::kAcceleration};

// By quantity: what a joint's column begins with, and the letters of a linear and of an angular axis.
constexpr std::array<std::string_view, 4> kPrefixes = {"q", "v", "tau", "a"};
constexpr std::array<std::string_view, 4> kLinear = {"", "v", "f", "a"};
constexpr std::array<std::string_view, 4> kAngular = {"", "w", "m", "alpha"};

struct Axis {
  std::string_view suffix;
  int index;  // after the joint's first
};

std::span<const Axis> position_axes(JointKind kind) {
  static constexpr Axis kBall[] = {{".qx", 0}, {".qy", 1}, {".qz", 2}, {".qw", 3}};
  static constexpr Axis kPlanar[] = {{".x", 0}, {".y", 1}, {".theta", 2}};
  static constexpr Axis kFree[] = {{".x", 0},  {".y", 1},  {".z", 2}, {".qx", 3},
                                   {".qy", 4}, {".qz", 5}, {".qw", 6}};
  static constexpr Axis kOne[] = {{"", 0}};
  switch (kind) {
    case JointKind::kBall: return kBall;
    case JointKind::kPlanar: return kPlanar;
    case JointKind::kFree: return kFree;
    case JointKind::kFixed: return {};
    default: return kOne;
  }
}

// Velocities, efforts and accelerations: x y z are linear axes, X Y Z angular ones.
std::span<const Axis> motion_axes(JointKind kind) {
  static constexpr Axis kBall[] = {{"X", 0}, {"Y", 1}, {"Z", 2}};
  static constexpr Axis kPlanar[] = {{"x", 1}, {"y", 2}, {"Z", 0}};
  static constexpr Axis kFree[] = {{"x", 3}, {"y", 4}, {"z", 5}, {"X", 0}, {"Y", 1}, {"Z", 2}};
  static constexpr Axis kOne[] = {{"", 0}};
  switch (kind) {
    case JointKind::kBall: return kBall;
    case JointKind::kPlanar: return kPlanar;
    case JointKind::kFree: return kFree;
    case JointKind::kFixed: return {};
    default: return kOne;
  }
}

std::string motion_suffix(Quantity quantity, std::string_view axis) {
  if (axis.empty()) return "";
  const int q = static_cast<int>(quantity);
  const bool angular = axis[0] >= 'X' && axis[0] <= 'Z';
  return fmt::format(".{}{}", angular ? kAngular[q] : kLinear[q],
                     angular ? static_cast<char>(axis[0] - 'X' + 'x') : axis[0]);
}

// The columns of one joint and one quantity. `first` is the index of its first coordinate or velocity.
void append_columns(const std::string& stem, JointKind kind, Quantity quantity, int first,
                    JointId joint, bool mimic, std::vector<Column>& columns) {
  if (quantity == Quantity::kPosition) {
    for (const auto& axis : position_axes(kind)) {
      columns.push_back(
          {stem + std::string(axis.suffix), quantity, first + axis.index, joint, mimic});
    }
  } else {
    for (const auto& axis : motion_axes(kind)) {
      columns.push_back({stem + motion_suffix(quantity, axis.suffix), quantity, first + axis.index,
                         joint, mimic});
    }
  }
}

bool is_mimic(const Model& model, JointId joint) {
  const auto mimics = std::span(model.mimics).first(static_cast<std::size_t>(model.mimic_count));
  return std::any_of(mimics.begin(), mimics.end(),
                     [&](const Mimic& m) { return m.joint == joint; });
}

}  // namespace

std::vector<Column> state_columns(const Model& model) {
  std::vector<Column> columns;
  for (const auto quantity : kQuantities) {
    append_columns("base", JointKind::kFree, quantity, 0, JointId(), false, columns);
    for (int i = 1; i < model.body_count; ++i) {
      const auto& joint = model.joints[i];
      const bool position = quantity == Quantity::kPosition;
      append_columns(fmt::format("{}.{}", kPrefixes[static_cast<int>(quantity)], joint.name.view()),
                     joint.kind, quantity, position ? joint.q_index : joint.v_index, JointId(i),
                     is_mimic(model, JointId(i)), columns);
    }
  }
  return columns;
}

std::vector<Column> result_columns(const Model& model, Quantity quantity, bool fixed_base) {
  auto columns = state_columns(model);
  std::erase_if(columns, [&](const Column& c) {
    return c.quantity != quantity || (fixed_base && !c.joint.valid());
  });
  return columns;
}

double& value(StateRow& row, const Column& column) {
  const int i = column.index;
  switch (column.quantity) {
    case Quantity::kPosition: return row.q[i];
    case Quantity::kVelocity: return row.v[i];
    case Quantity::kEffort: return row.tau[i];
    case Quantity::kAcceleration: break;
  }
  return row.a[i];
}

double value(const StateRow& row, const Column& column) {
  return value(const_cast<StateRow&>(row), column);
}

}  // namespace stance
