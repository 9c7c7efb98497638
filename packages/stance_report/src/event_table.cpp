#include "stance_report/event_table.hpp"

#include <string>
#include <utility>
#include <vector>

#include "csv_writer.hpp"

namespace stance {

using namespace report;

namespace {

std::vector<std::string> event_columns() {
  std::vector<std::string> columns = {"sequence", "time", "kind", "law", "body", "other", "joint"};
  for (const char* vector : {"point", "normal", "velocity_before", "velocity_after", "impulse"}) {
    for (const char* axis : {"_x", "_y", "_z"}) columns.push_back(std::string(vector) + axis);
  }
  columns.insert(columns.end(), {"restitution", "energy_lost", "root"});
  return columns;
}

}  // namespace

EventRow event_row(const ContactEvent& event, const Model& model) {
  const auto name = [&](FrameId frame) {
    return frame.valid() ? model.frames[frame].name.view() : std::string_view();
  };
  EventRow row;
  row.sequence = event.sequence, row.time = event.time;
  row.kind = to_string(event.kind);
  if (jumps(event.kind)) row.law = to_string(event.law);
  row.body = name(event.frame);
  if (event.joint.valid()) {
    row.joint = model.joints[event.joint].name.view();
    row.other = name(model.bodies[model.bodies[BodyId(event.joint)].parent].link);
  } else if (event.frame.valid()) {
    row.other = "world";
  }
  row.point = event.point_W, row.normal = event.normal_W;
  row.velocity_before = event.velocity_before_W, row.velocity_after = event.velocity_after_W;
  row.impulse = event.impulse_W;
  row.restitution = event.restitution, row.energy_lost = event.energy_lost;
  row.root = name(event.root);
  return row;
}

struct EventTable::Writer {
  CsvWriter csv;
};

EventTable::EventTable(std::unique_ptr<Writer> writer) : writer_(std::move(writer)) {}
EventTable::EventTable(EventTable&&) noexcept = default;
EventTable& EventTable::operator=(EventTable&&) noexcept = default;
EventTable::~EventTable() = default;

Result<EventTable> EventTable::open(const std::filesystem::path& path) {
  auto file = OutputFile::open(path);
  if (!file) return file.error();
  return EventTable(std::make_unique<Writer>(Writer{CsvWriter(*std::move(file), event_columns())}));
}

void EventTable::add(const EventRow& row) {
  CsvWriter& csv = writer_->csv;
  csv.integer(row.sequence).number(row.time).text(row.kind).text(row.law);
  csv.text(row.body).text(row.other).text(row.joint);
  for (const auto& v :
       {row.point, row.normal, row.velocity_before, row.velocity_after, row.impulse})
    csv.number(v.x).number(v.y).number(v.z);
  csv.number(row.restitution).number(row.energy_lost).text(row.root);
  csv.end_row();
}

void EventTable::flush() { writer_->csv.flush(); }
void EventTable::close() { writer_->csv.close(); }
const std::filesystem::path& EventTable::path() const { return writer_->csv.file().path(); }
const std::optional<Error>& EventTable::error() const { return writer_->csv.file().error(); }

}  // namespace stance
