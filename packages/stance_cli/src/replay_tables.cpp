#include "replay_tables.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fstream>
#include <map>
#include <optional>

#include "csv.hpp"
#include "stance_model/geometry.hpp"
#include "stance_model/state_columns.hpp"
#include "stance_report/robot_replay.hpp"

namespace stance {
namespace {

namespace fs = std::filesystem;

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

// Rows of named fields, of which some are words.
class Table {
 public:
  static Result<Table> open(const fs::path& path) {
    Table table;
    table.path_ = path;
    table.in_.open(path);
    if (!table.in_)
      return Error{ErrorCode::kFile, path.string(), "cannot be read; run the scenario with --out"};
    if (!table.next() || table.fields_.empty())
      return Error{ErrorCode::kSyntax, path.string(), "is empty; run the scenario again"};
    for (std::size_t i = 0; i < table.fields_.size(); ++i) table.columns_[table.fields_[i]] = i;
    table.count_ = table.fields_.size();
    return table;
  }

  bool next() {
    std::string line;
    if (!std::getline(in_, line)) return false;
    ++line_;
    if (!line.empty() && line.back() == '\r') line.pop_back();
    if (!split_fields(line, fields_)) fields_.clear();
    return true;
  }
  bool whole() const { return fields_.size() == count_; }
  Error broken() const {
    return {ErrorCode::kSyntax, fmt::format("{}:{}", path_.string(), line_),
            fmt::format("has {} fields where the table has {} columns", fields_.size(), count_)};
  }

  std::optional<std::size_t> column(const std::string& name) const {
    const auto found = columns_.find(name);
    if (found == columns_.end()) return {};
    return found->second;
  }
  Error missing(const std::string& name) const {
    return {ErrorCode::kStructure, path_.string(),
            fmt::format("has no column '{}': it is no table of this robot's run", name)};
  }
  const std::string& word(std::size_t column) const { return fields_[column]; }
  double number(std::size_t column) const {
    const std::string& text = fields_[column];
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    return error == std::errc() && end == text.data() + text.size() ? value : kNone;
  }

 private:
  fs::path path_;
  std::ifstream in_;
  std::map<std::string, std::size_t> columns_;
  std::vector<std::string> fields_;
  std::size_t count_ = 0;
  int line_ = 0;
};

// One contact a foot: of a sole, in the middle of its corners.
std::vector<ReplayContact> one_contact_a_foot(const Model& model,
                                              const SimulatorSettings& settings) {
  const auto sites = foot_contacts(model, settings);
  std::vector<ReplayContact> feet;
  std::size_t at = 0;
  for (int f = 0; f < settings.foot_count; ++f) {
    const Foot& foot = settings.feet[static_cast<std::size_t>(f)];
    const auto corners = static_cast<std::size_t>(std::max(1, foot.corner_count));
    if (at + corners > sites.size()) break;  // more than the simulator has room for
    ReplayContact contact = sites[at];
    contact.name = model.frames[foot.frame].name.view();
    contact.p_B = {};
    for (std::size_t i = 0; i < corners; ++i)
      contact.p_B += sites[at + i].p_B * (1 / static_cast<double>(corners));
    feet.push_back(std::move(contact));
    at += corners;
  }
  return feet;
}

// Where the numbers of a sample stand in the table.
struct Places {
  struct Foot {
    std::size_t mode = 0, fx = 0, fy = 0, fz = 0;
  };
  std::size_t time = 0, kinetic = 0, potential = 0;
  std::vector<std::pair<Column, std::size_t>> columns;
  std::vector<std::size_t> reaction;
  std::vector<std::optional<Foot>> feet;
};

Result<Places> find_places(const Table& table, const Model& model,
                           const std::vector<ReplayContact>& feet) {
  Places places;
  for (const auto& [name, place] : {std::pair{"time", &places.time},
                                    {"kinetic", &places.kinetic},
                                    {"potential", &places.potential}}) {
    const auto found = table.column(name);
    if (!found) return table.missing(name);
    *place = *found;
  }
  for (const Column& column : state_columns(model)) {
    const auto found = table.column(column.name);
    if (found) places.columns.emplace_back(column, *found);
    const bool needed = column.quantity == Quantity::kPosition;
    if (!found && needed) return table.missing(column.name);
  }
  for (const auto& series : ground_reaction_series()) {
    const auto found = table.column(series.name);
    if (!found) return table.missing(series.name);
    places.reaction.push_back(*found);
  }
  for (const auto& foot : feet) {
    const std::string prefix = "contact." + foot.name;
    const auto mode = table.column(prefix + ".mode"), fx = table.column(prefix + ".fx"),
               fy = table.column(prefix + ".fy"), fz = table.column(prefix + ".fz");
    places.feet.emplace_back();
    if (mode && fx && fy && fz) places.feet.back() = Places::Foot{*mode, *fx, *fy, *fz};
  }
  return places;
}

RobotSample read_sample(const Table& table, const Places& places) {
  RobotSample sample;
  sample.time = table.number(places.time);
  sample.kinetic = table.number(places.kinetic), sample.potential = table.number(places.potential);
  for (const auto& [column, place] : places.columns)
    value(sample.row, column) = table.number(place);
  for (const std::size_t place : places.reaction) sample.others.push_back(table.number(place));
  for (const auto& foot : places.feet) {
    if (!foot) continue;
    const std::string& mode = table.word(foot->mode);
    sample.states.push_back(mode == "open"    ? ReplayContact::kOpen
                            : mode == "stick" ? ReplayContact::kStick
                                              : ReplayContact::kSlide);
    sample.forces_W.push_back(
        {table.number(foot->fx), table.number(foot->fy), table.number(foot->fz)});
  }
  return sample;
}

std::optional<Error> read_events(const fs::path& path, RobotReplay& replay) {
  auto table = Table::open(path);
  if (!table) return table.error();
  std::map<std::string, std::size_t> at;
  for (const char* name : {"time", "kind", "body", "point_x", "point_y", "point_z", "impulse_x",
                           "impulse_y", "impulse_z", "energy_lost"}) {
    const auto found = table->column(name);
    if (!found) return table->missing(name);
    at[name] = *found;
  }
  const auto other = table->column("other"), joint = table->column("joint");
  while (table->next()) {
    if (!table->whole()) return table->broken();
    EventRow row;
    row.time = table->number(at["time"]);
    row.kind = table->word(at["kind"]), row.body = table->word(at["body"]);
    if (other) row.other = table->word(*other);
    if (joint) row.joint = table->word(*joint);
    row.point = {table->number(at["point_x"]), table->number(at["point_y"]),
                 table->number(at["point_z"])};
    row.impulse = {table->number(at["impulse_x"]), table->number(at["impulse_y"]),
                   table->number(at["impulse_z"])};
    row.energy_lost = table->number(at["energy_lost"]);
    replay.add(row);
  }
  return std::nullopt;
}

}  // namespace

Result<Replay> read_replay_tables(const fs::path& dir, const Scenario& scenario) {
  const Model& model = scenario.robot->model;
  auto table = Table::open(dir / "trajectory.csv");
  if (!table) return table.error();
  RobotReplayInfo info;
  info.title = scenario.title;
  info.robot_file = scenario.robot_file;
  if (auto shapes = read_geometry(scenario.robot_file, scenario.robot->options))
    info.shapes = *std::move(shapes);
  info.ground = scenario.settings.ground;
  info.contacts = one_contact_a_foot(model, scenario.settings);
  info.others = ground_reaction_series();
  const auto places = find_places(*table, model, info.contacts);
  if (!places) return places.error();
  info.efforts = std::ranges::any_of(places->columns, [](const auto& each) {
    return each.first.quantity == Quantity::kEffort && each.first.joint.valid();
  });
  RobotReplay replay(model, std::move(info));
  int rows = 0;
  while (table->next()) {
    if (!table->whole()) return table->broken();
    const RobotSample sample = read_sample(*table, *places);
    if (!std::isfinite(sample.time)) return table->broken();
    replay.add(sample);
    ++rows;
  }
  if (rows == 0)
    return Error{ErrorCode::kStructure, (dir / "trajectory.csv").string(),
                 "has no rows; run the scenario again"};
  if (auto error = read_events(dir / "events.csv", replay)) return *error;
  return replay.finish();
}

}  // namespace stance
