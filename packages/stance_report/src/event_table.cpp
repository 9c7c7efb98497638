#include "stance_report/event_table.hpp"

#include <string>
#include <utility>
#include <vector>

#include "csv_writer.hpp"

namespace stance {

using namespace report;

namespace {

std::vector<std::string> event_columns() {
  return {"sequence",  "time",      "kind",      "body",        "point_x",
          "point_y",   "point_z",   "normal_x",  "normal_y",    "normal_z",
          "impulse_x", "impulse_y", "impulse_z", "energy_lost", "root"};
}

}  // namespace

EventRow event_row(const ContactEvent& event, const Model& model) {
  const auto name = [&](FrameId frame) {
    return frame.valid() ? model.frames[frame].name.view() : std::string_view();
  };
  return {event.sequence, event.time,      to_string(event.kind), name(event.frame), event.point_W,
          event.normal_W, event.impulse_W, event.energy_lost,     name(event.root)};
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
  csv.integer(row.sequence).number(row.time).text(row.kind).text(row.body);
  for (const auto& v : {row.point, row.normal, row.impulse})
    csv.number(v.x).number(v.y).number(v.z);
  csv.number(row.energy_lost).text(row.root);
  csv.end_row();
}

void EventTable::flush() { writer_->csv.flush(); }
void EventTable::close() { writer_->csv.close(); }
const std::filesystem::path& EventTable::path() const { return writer_->csv.file().path(); }
const std::optional<Error>& EventTable::error() const { return writer_->csv.file().error(); }

}  // namespace stance
