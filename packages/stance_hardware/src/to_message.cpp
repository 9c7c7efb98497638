#include "to_message.hpp"

namespace stance {
namespace {

using EventMessage = stance_msgs::msg::ContactEvent;

EventMessage::_kind_type to_kind(EventKind kind) {
  switch (kind) {
    case EventKind::kTouchdown: return EventMessage::TOUCHDOWN;
    case EventKind::kLiftoff: return EventMessage::LIFTOFF;
    case EventKind::kPushOff: return EventMessage::PUSH_OFF;
    case EventKind::kStop: return EventMessage::STOP;
    case EventKind::kRelease: return EventMessage::RELEASE;
    case EventKind::kFall: return EventMessage::FALL;
    case EventKind::kBounce: return EventMessage::BOUNCE;
    case EventKind::kSlide: return EventMessage::SLIDE;
    case EventKind::kStick: return EventMessage::STICK;
    case EventKind::kTip: return EventMessage::TIP;
    case EventKind::kSettle: return EventMessage::SETTLE;
  }
  return 0;
}

EventMessage::_law_type to_law(const ContactEvent& event) {
  if (!jumps(event.kind)) return EventMessage::NONE;
  return event.law == ImpactLaw::kPoisson ? EventMessage::POISSON : EventMessage::NEWTON;
}

// Of the foot of an event; others have none.
EventMessage::_status_after_type to_status(const ContactEvent& event) {
  using State = stance_msgs::msg::ContactState;
  switch (event.kind) {
    case EventKind::kTouchdown:
    case EventKind::kLiftoff:
    case EventKind::kBounce:
    case EventKind::kSlide:
    case EventKind::kStick:
    case EventKind::kTip:
      return event.mode == ContactMode::kOpen    ? State::INACTIVE
             : event.mode == ContactMode::kStick ? State::ACTIVE
                                                 : State::SLIPPING;
    default: return State::UNKNOWN;
  }
}

template <class Message>
void set(Message& to, const Vec3<double>& from) {
  to.x = from.x;
  to.y = from.y;
  to.z = from.z;
}

std::string body_name(const Model& model, BodyId body) {
  return body.valid() ? frame_name(model, model.bodies[body].link) : std::string();
}

}  // namespace

builtin_interfaces::msg::Time to_time(std::int64_t nanoseconds) {
  constexpr std::int64_t kSecond = 1'000'000'000;
  builtin_interfaces::msg::Time time;
  time.sec = static_cast<std::int32_t>(nanoseconds / kSecond);
  time.nanosec = static_cast<std::uint32_t>(nanoseconds % kSecond);
  return time;
}

std::string frame_name(const Model& model, FrameId frame) {
  return frame.valid() ? std::string(model.frames[frame].name.view()) : std::string();
}

EventMessage to_message(const StampedEvent& stamped, const Model& model) {
  const ContactEvent& event = stamped.event;
  EventMessage message;
  message.header.stamp = to_time(stamped.stamp);
  message.header.frame_id = kWorldFrame;
  message.sequence = event.sequence;
  message.time = event.time;
  message.kind = to_kind(event.kind);
  message.law = to_law(event);
  message.foot = frame_name(model, event.frame);
  if (event.frame.valid()) {
    message.bodies[0] = body_name(model, model.frames[event.frame].body);
    message.bodies[1] = kWorldFrame;
  }
  if (event.joint.valid()) {  // a stop is between the two bodies that its joint connects
    message.joint = std::string(model.joints[event.joint].name.view());
    message.bodies[0] = body_name(model, BodyId(event.joint));
    message.bodies[1] = body_name(model, model.bodies[event.joint].parent);
  }
  set(message.point, event.point_W);
  set(message.normal, event.normal_W);
  set(message.velocity_before, event.velocity_before_W);
  set(message.velocity_after, event.velocity_after_W);
  set(message.impulse, event.impulse_W);
  message.restitution = event.restitution;
  message.energy_lost = event.energy_lost;
  message.status_after = to_status(event);
  message.root_after = frame_name(model, event.root);
  return message;
}

std::string why_it_stands(const Report& report, const Model& model) {
  if (report.status != Status::kOk) return to_string(report.status);
  if (report.fallen) {
    return "the robot has fallen: '" + frame_name(model, report.fallen_frame) +
           "' touched the ground; reset it";
  }
  if (report.waits)
    return "it waits for controllers: each joint that takes commands needs one, or ~/set_pause "
           "with paused: false";
  return {};
}

stance_msgs::msg::SupportState to_message(const Standing& standing, std::int64_t stamp,
                                          const Plant& plant) {
  using Message = stance_msgs::msg::SupportState;
  const Model& model = plant.model();
  const SimulatorSettings& settings = plant.simulator().settings();
  Message message;
  message.header.stamp = to_time(stamp);
  message.header.frame_id = kWorldFrame;
  const auto to_point = [](const Vec3<double>& from) {
    geometry_msgs::msg::Point to;
    set(to, from);
    return to;
  };
  for (std::size_t i = 0; i < static_cast<std::size_t>(settings.foot_count); ++i) {
    const FootStanding& foot = standing.feet[i];
    if (!foot.stands) continue;
    message.feet.push_back(frame_name(model, settings.feet[i].frame));
    message.points.push_back(to_point(foot.point_W));
    message.sliding.push_back(foot.slides);
    message.stands_since.push_back(to_time(foot.since));
  }
  message.phase = standing.count == 0   ? Message::FLIGHT
                  : standing.count == 1 ? Message::SINGLE
                  : standing.count == 2 ? Message::DOUBLE
                                        : Message::MULTIPLE;
  message.since = to_time(standing.since);
  if (standing.root >= 0) {
    const auto root = static_cast<std::size_t>(standing.root);
    message.support = frame_name(model, settings.feet[root].frame);
    message.point = to_point(standing.feet[root].point_W);
  }
  message.touchdowns = standing.touchdowns;
  return message;
}

stance_msgs::msg::SimulationStatus to_message(const Report& report, std::int64_t period,
                                              const Model& model) {
  stance_msgs::msg::SimulationStatus message;
  message.header.stamp = to_time(report.stamp);
  message.header.frame_id = kWorldFrame;
  message.time = report.time;
  message.steps = report.steps;
  message.epoch = report.epoch;
  message.cycles = report.cycles;
  message.paused = report.paused;
  message.fallen = report.fallen;
  message.message = why_it_stands(report, model);
  const auto seconds = [](std::int64_t ns) { return 1e-9 * static_cast<double>(ns); };
  message.step_time = seconds(report.last_time);
  message.step_time_median = seconds(report.times.quantile(0.5));
  message.step_time_p99 = seconds(report.times.quantile(0.99));
  message.step_time_p999 = seconds(report.times.quantile(0.999));
  message.worst_step_time = seconds(report.times.max());
  message.period = seconds(period);
  message.overruns = report.overruns;
  message.state_hash = report.hash;
  message.events = report.events;
  message.dropped_events = report.dropped_events;
  message.refused_commands = report.refused_commands;
  message.saturated_steps = report.saturated_steps;
  return message;
}

}  // namespace stance
