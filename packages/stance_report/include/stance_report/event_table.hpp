// events.csv: a row for each event, numbers with the 17 digits that read back exactly. Who has only names and numbers, as
// a logger at the other end of a topic has, writes the same file as `stance run`.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string_view>

#include "stance_core/base/result.hpp"
#include "stance_core/contact/contact_event.hpp"
#include "stance_core/model/model.hpp"

namespace stance {

struct EventRow {
  std::uint64_t sequence = 0;
  double time = 0;
  std::string_view kind;
  std::string_view law;          // by which velocities jumped; empty where they did not
  std::string_view body, other;  // what met; "world" is the ground
  std::string_view joint;        // of a stop or a release
  Vec3<double> point, normal;    // out of the other, into the body; world axes, as all vectors
  Vec3<double> velocity_before, velocity_after;  // of the body's material at the point
  Vec3<double> impulse;                          // on the body
  double restitution = 0, energy_lost = 0;
  std::string_view root;
};

// The names are the model's: it must outlive the row.
EventRow event_row(const ContactEvent& event, const Model& model);

class EventTable {
 public:
  // Replaces what is there, and writes the line of column names.
  static Result<EventTable> open(const std::filesystem::path& path);
  EventTable(EventTable&&) noexcept;
  EventTable& operator=(EventTable&&) noexcept;
  ~EventTable();

  // Rows reach the disk some hundred at a time, or at flush().
  void add(const EventRow& row);
  void flush();
  void close();

  const std::filesystem::path& path() const;
  const std::optional<Error>& error() const;  // the first thing that could not be written

 private:
  struct Writer;
  explicit EventTable(std::unique_ptr<Writer> writer);
  std::unique_ptr<Writer> writer_;
};

// Sequences count from 0 without a gap. A number that is not above the last one is of another run.
class SequenceWatch {
 public:
  // How many are missing between the last one and this one.
  std::uint64_t take(std::uint64_t sequence) noexcept {
    const bool goes_on = sequence >= next_;
    const std::uint64_t missing = goes_on ? sequence - next_ : 0;
    next_ = sequence + 1;
    lost_ += missing;
    return missing;
  }
  std::uint64_t lost() const noexcept { return lost_; }  // in all

 private:
  std::uint64_t next_ = 0, lost_ = 0;
};

}  // namespace stance
