// A ContactEvent message -> a row of events.csv.
#pragma once

#include <array>
#include <string_view>

#include "stance_msgs/msg/contact_event.hpp"
#include "stance_report/event_table.hpp"

namespace stance_nodes {

// As `stance run` writes it. Numbers that no constant of the message has: empty.
constexpr std::string_view kind_name(unsigned kind) noexcept {
  constexpr std::array<std::string_view, 9> kNames = {
      "", "touchdown", "liftoff", "push_off", "stop", "release", "fall", "slip", "stick"};
  return kind < kNames.size() ? kNames[kind] : std::string_view();
}

// The names are the message's: it must outlive the row.
inline stance::EventRow to_row(const stance_msgs::msg::ContactEvent& event) {
  const auto vector = [](const auto& v) { return stance::Vec3<double>{v.x, v.y, v.z}; };
  return {event.sequence,      event.time,           kind_name(event.kind), event.foot,
          vector(event.point), vector(event.normal), vector(event.impulse), event.energy_lost,
          event.root_after};
}

}  // namespace stance_nodes
