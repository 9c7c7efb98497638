// A ContactEvent message -> a row of events.csv.
#pragma once

#include <array>
#include <string_view>

#include "stance_msgs/msg/contact_event.hpp"
#include "stance_report/event_table.hpp"

namespace stance_nodes {

// As `stance run` writes it. Numbers that no constant of the message has: empty.
constexpr std::string_view kind_name(unsigned kind) noexcept {
  constexpr std::array<std::string_view, 12> kNames = {"",      "touchdown", "liftoff", "push_off",
                                                       "stop",  "release",   "fall",    "slide",
                                                       "stick", "bounce",    "tip",     "settle"};
  return kind < kNames.size() ? kNames[kind] : std::string_view();
}
constexpr std::string_view law_name(unsigned law) noexcept {
  constexpr std::array<std::string_view, 3> kNames = {"", "newton", "poisson"};
  return law < kNames.size() ? kNames[law] : std::string_view();
}

// The names are the message's: it must outlive the row.
inline stance::EventRow to_row(const stance_msgs::msg::ContactEvent& event) {
  const auto vector = [](const auto& v) { return stance::Vec3<double>{v.x, v.y, v.z}; };
  stance::EventRow row;
  row.sequence = event.sequence, row.time = event.time;
  row.kind = kind_name(event.kind), row.law = law_name(event.law);
  row.body = event.foot, row.other = event.bodies[1], row.joint = event.joint;
  row.point = vector(event.point), row.normal = vector(event.normal);
  row.velocity_before = vector(event.velocity_before);
  row.velocity_after = vector(event.velocity_after);
  row.impulse = vector(event.impulse);
  row.restitution = event.restitution, row.energy_lost = event.energy_lost;
  row.root = event.root_after;
  return row;
}

}  // namespace stance_nodes
