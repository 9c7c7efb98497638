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
  }
  return 0;
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
  message.foot = frame_name(model, event.frame);
  if (event.frame.valid()) message.bodies[0] = body_name(model, model.frames[event.frame].body);
  message.bodies[1] = kWorldFrame;
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
  message.restitution = 0;  // impacts are plastic
  message.energy_lost = event.energy_lost;
  message.root_after = frame_name(model, event.root);
  return message;
}

stance_msgs::msg::SimulationStatus to_message(const Report& report, std::int64_t period) {
  stance_msgs::msg::SimulationStatus message;
  message.header.stamp = to_time(report.stamp);
  message.header.frame_id = kWorldFrame;
  message.time = report.time;
  message.steps = report.steps;
  message.epoch = report.epoch;
  message.cycles = report.cycles;
  message.paused = report.paused;
  message.fallen = report.fallen;
  if (report.status != Status::kOk) message.message = to_string(report.status);
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
