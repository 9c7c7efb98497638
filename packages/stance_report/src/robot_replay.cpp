#include "stance_report/robot_replay.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "stance_core/dynamics/kinematics.hpp"
#include "stance_core/dynamics/momentum.hpp"
#include "stance_core/model/tree.hpp"

namespace stance {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

bool turns(const Column& column, const Model& model) {
  const auto ends = [&](std::string_view end) { return column.name.ends_with(end); };
  if (column.joint.valid() && dof_count(model.joints[column.joint].kind) == 1)
    return model.joints[column.joint].kind == JointKind::kRevolute;
  return ends(".theta") || ends(".wx") || ends(".wy") || ends(".wz") || ends(".mx") ||
         ends(".my") || ends(".mz");
}

// Of one unit each, but for joints of several kinds.
const char* group_of(const Column& column, const Model& model) {
  if (!column.joint.valid()) {
    if (column.quantity == Quantity::kVelocity && turns(column, model))
      return "Base angular velocity";
    switch (column.quantity) {
      case Quantity::kPosition: return "Base position";
      case Quantity::kVelocity: return "Base velocity";
      case Quantity::kEffort: return "Base wrench";
      case Quantity::kAcceleration: return "Base acceleration";
    }
  }
  switch (column.quantity) {
    case Quantity::kPosition: return "Joint positions";
    case Quantity::kVelocity: return "Joint velocities";
    case Quantity::kEffort: return "Joint efforts";
    case Quantity::kAcceleration: return "Joint accelerations";
  }
  return "";
}

std::string unit_of(const Column& column, const Model& model) {
  const std::string& name = column.name;
  const bool quaternion = name.ends_with(".qx") || name.ends_with(".qy") || name.ends_with(".qz") ||
                          name.ends_with(".qw");
  if (column.quantity == Quantity::kPosition && quaternion) return "";
  const bool turn = turns(column, model);
  switch (column.quantity) {
    case Quantity::kPosition: return turn ? "rad" : "m";
    case Quantity::kVelocity: return turn ? "rad/s" : "m/s";
    case Quantity::kEffort: return turn ? "N m" : "N";
    case Quantity::kAcceleration: return turn ? "rad/s²" : "m/s²";
  }
  return "";
}

// Accelerations are not kept: they are in trajectory.csv, and velocities show them.
bool is_shown(const Column& column, bool efforts) {
  if (column.mimic && column.quantity == Quantity::kEffort) return false;
  if (column.quantity == Quantity::kAcceleration) return false;
  if (column.quantity == Quantity::kEffort) return efforts && column.joint.valid();
  if (column.joint.valid()) return true;
  return column.quantity == Quantity::kVelocity || column.index < 3;
}

std::string plain_name(const Column& column) {
  const auto dot = column.name.find('.');
  return column.joint.valid() ? column.name.substr(dot + 1) : column.name;
}

}  // namespace

struct RobotReplay::Parts {
  Parts(const Model& model_, RobotReplayInfo info_)
      : model(model_), info(std::move(info_)), tree(make_tree(model_)) {}

  void thin();

  const Model& model;
  RobotReplayInfo info;
  Tree tree;
  Workspace w;
  State state;
  std::vector<Column> columns;  // those shown, in the order of the first series
  std::size_t others = 0;       // where the other series begin
  std::size_t stride = 1, until_next = 0;
  std::vector<bool> at_event;  // by time
  Replay replay;
};

RobotReplay::RobotReplay(const Model& model, RobotReplayInfo info)
    : parts_(std::make_unique<Parts>(model, std::move(info))) {
  Parts& p = *parts_;
  Replay& replay = p.replay;
  replay.title = p.info.title;
  replay.robot = model.name.view();
  replay.ground_point = p.info.ground.point;
  replay.ground_normal = p.info.ground.normal;
  replay.bodies = robot_bodies(model, p.info.shapes, p.info.robot_file, replay.meshes,
                               replay.notes);
  replay.contacts = p.info.contacts;
  for (const Column& column : state_columns(model)) {
    if (!is_shown(column, p.info.efforts)) continue;
    p.columns.push_back(column);
    replay.series.push_back(
        {group_of(column, model), plain_name(column), unit_of(column, model), {}});
  }
  for (int i = 1; i < model.body_count; ++i) {
    if (dof_count(model.joints[i].kind) != 1) continue;
    ReplayPortrait portrait{std::string(model.joints[i].name.view())};
    for (std::size_t k = 0; k < p.columns.size(); ++k) {
      if (!p.columns[k].joint.valid() || int{p.columns[k].joint} != i) continue;
      if (p.columns[k].quantity == Quantity::kPosition) portrait.x = static_cast<int>(k);
      if (p.columns[k].quantity == Quantity::kVelocity) portrait.y = static_cast<int>(k);
    }
    if (portrait.x >= 0 && portrait.y >= 0) replay.portraits.push_back(portrait);
  }
  replay.series.push_back({"Energy", "kinetic", "J", {}});
  replay.series.push_back({"Energy", "potential", "J", {}});
  replay.series.push_back({"Energy", "total", "J", {}});
  p.others = replay.series.size();
  for (const ReplaySeries& series : p.info.others) replay.series.push_back(series);
}

RobotReplay::~RobotReplay() = default;

void RobotReplay::add(const RobotSample& sample) {
  Parts& p = *parts_;
  Replay& replay = p.replay;
  if (!sample.at_event) {
    if (p.until_next > 0) {
      --p.until_next;
      return;
    }
    p.until_next = p.stride - 1;
  }
  p.state.q = sample.row.q, p.state.v = sample.row.v;
  p.state.time = sample.time;
  kinematics(p.model, p.tree, p.state, p.w);
  replay.time.push_back(sample.time);
  p.at_event.push_back(sample.at_event);
  for (int i = 0; i < p.model.body_count; ++i) {
    replay.bodies[static_cast<std::size_t>(i)].pose_W.push_back(p.w.X_WB[i] *
                                                                inverse(p.tree.links[i].X_HB));
  }
  replay.center_of_mass.push_back(center_of_mass(p.tree, p.w));
  for (std::size_t c = 0; c < replay.contacts.size(); ++c) {
    ReplayContact& contact = replay.contacts[c];
    contact.state.push_back(c < sample.states.size() ? sample.states[c] : ReplayContact::kOpen);
    contact.force_W.push_back(c < sample.forces_W.size() ? sample.forces_W[c]
                                                         : Vec3<double>{kNone, kNone, kNone});
  }
  for (std::size_t k = 0; k < p.columns.size(); ++k)
    replay.series[k].value.push_back(stance::value(sample.row, p.columns[k]));
  replay.series[p.others - 3].value.push_back(sample.kinetic);
  replay.series[p.others - 2].value.push_back(sample.potential);
  replay.series[p.others - 1].value.push_back(sample.kinetic + sample.potential);
  for (std::size_t k = p.others; k < replay.series.size(); ++k) {
    const std::size_t other = k - p.others;
    replay.series[k].value.push_back(other < sample.others.size() ? sample.others[other] : kNone);
  }
  if (replay.time.size() >= kMostSamples) p.thin();
}

// Every second sample goes, but for those at events; if these are most, every second of them too.
void RobotReplay::Parts::thin() {
  const std::size_t n = replay.time.size();
  const auto events = static_cast<std::size_t>(std::ranges::count(at_event, true));
  const bool keep_events = events < kMostSamples / 2;
  std::vector<std::size_t> kept;
  bool odd = false;
  for (std::size_t i = 0; i < n; ++i) {
    const bool stays = i == 0 || (keep_events && at_event[i]);
    if (!stays) odd = !odd;
    if (stays || !odd) kept.push_back(i);
  }
  stride *= 2;
  const auto pick = [&](auto& values) {
    for (std::size_t k = 0; k < kept.size(); ++k) values[k] = values[kept[k]];
    values.resize(kept.size());
  };
  pick(replay.time);
  pick(at_event);
  pick(replay.center_of_mass);
  for (auto& body : replay.bodies) pick(body.pose_W);
  for (auto& contact : replay.contacts) pick(contact.state), pick(contact.force_W);
  for (auto& series : replay.series) pick(series.value);
}

void RobotReplay::add(const EventRow& event) {
  ReplayEvent added;
  added.time = event.time;
  added.kind = event.kind;
  for (const std::string_view name : {event.body, event.other, event.joint})
    if (!name.empty() && name != "world") added.bodies.emplace_back(name);
  added.point_W = event.point, added.impulse_W = event.impulse;
  added.energy_lost = event.energy_lost;
  parts_->replay.events.push_back(std::move(added));
}

std::vector<ReplaySeries> ground_reaction_series() {
  constexpr const char* kGroup = "Ground reaction";
  return {{kGroup, "grf.fx", "N"}, {kGroup, "grf.fy", "N"}, {kGroup, "grf.fz", "N"}};
}

void RobotReplay::note(std::string sentence) {
  parts_->replay.notes.push_back(std::move(sentence));
}

Replay RobotReplay::finish() {
  Parts& p = *parts_;
  if (p.stride > 1)
    note(fmt::format("a long run: one of {} samples is shown, and all at events", p.stride));
  std::ranges::stable_sort(p.replay.events, {}, &ReplayEvent::time);
  return std::move(p.replay);
}

}  // namespace stance
