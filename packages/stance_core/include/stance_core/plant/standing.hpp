// Who carries the robot, for those who watch from another thread: followed through the events, each at its located instant,
// and set right by the reports, which are right of themselves: a robot that begins on its feet, or is reset onto them, has no
// touchdowns to tell.
#pragma once

#include <array>
#include <cstdint>

#include "stance_core/plant/lock_step.hpp"

namespace stance {

struct FootStanding {
  bool stands = false;
  bool slides = false;
  Vec3<double>
      point_W;  // where it touched down; the middle of what touched, where that was not seen
  std::int64_t since = 0;  // ns: the stamp of that
};

struct Standing {
  std::array<FootStanding, kMaxFeet> feet;  // by foot of the settings
  int count = 0;                            // how many
  int root = -1;                            // the foot at which the tree is rooted; -1: none
  std::int64_t since = 0;                   // ns: since when it is
  std::uint64_t touchdowns = 0;             // since the last reset
};

class StandingWatch {
 public:
  explicit StandingWatch(const SimulatorSettings& settings);

  // Events in their order; a report as it comes. True: something of standing() has changed.
  bool follow(const StampedEvent& event) noexcept;
  bool follow(const Report& report) noexcept;
  const Standing& standing() const noexcept { return standing_; }
  // Has it seen all events that the report has, and no other?
  bool is_at(const Report& report) const noexcept { return report.events == seen_; }

 private:
  int foot_of(FrameId frame) const noexcept;
  void begin(std::uint64_t epoch) noexcept;
  bool set_root(int foot, std::int64_t stamp) noexcept;
  bool set(int foot, bool stands, bool slides, const Vec3<double>& point_W,
           std::int64_t stamp) noexcept;

  int foot_count_;
  std::array<FrameId, kMaxFeet> frames_{};
  Standing standing_;
  bool known_ = false;                  // anything at all
  std::uint64_t epoch_ = 0, seen_ = 0;  // resets, and events
};

}  // namespace stance
