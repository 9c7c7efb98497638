// Events: located instants with their cause, and the fixed ring that carries them out of the step.
#pragma once

#include <array>
#include <cstdint>

#include "stance_core/base/capacity.hpp"
#include "stance_core/base/index.hpp"
#include "stance_core/contact/collide.hpp"
#include "stance_core/spatial/vec3.hpp"

namespace stance {

enum class EventKind : unsigned char {
  kTouchdown,  // a foot that was in the air stays on the ground
  kLiftoff,    // its last contact opens
  kPushOff,    // the impulse of a trailing leg
  kStop,       // a joint meets its stop
  kRelease,    // and leaves it
  kFall,       // what must not touch the ground does
  kBounce,     // a foot strikes the ground and leaves at once
  kSlide,      // a foot that stood begins to slide
  kStick,      // a foot that slid stands
  kTip,        // other corners of a sole carry it than before
  kSettle  // too many events in a step: its rest was taken as one implicit step over all contacts
};
inline constexpr int kEventKinds = 11;

constexpr const char* to_string(EventKind kind) noexcept {
  constexpr const char* kNames[kEventKinds] = {"touchdown", "liftoff", "push_off", "stop",
                                               "release",   "fall",    "bounce",   "slide",
                                               "stick",     "tip",     "settle"};
  return kNames[static_cast<int>(kind)];
}

// Did velocities jump?
constexpr bool jumps(EventKind kind) noexcept {
  return kind == EventKind::kTouchdown || kind == EventKind::kPushOff || kind == EventKind::kStop ||
         kind == EventKind::kBounce || kind == EventKind::kSettle;
}

struct ContactEvent {
  std::uint64_t sequence = 0;
  double time = 0;  // of the located instant
  EventKind kind{};
  ImpactLaw law = ImpactLaw::kNewton;  // by which velocities jumped
  FrameId
      frame;  // the foot, the body that touched, or the link a stop holds; what it touches is the ground
  JointId joint;  // of a stop or a release
  Vec3<double> point_W;
  Vec3<double> normal_W;                             // out of the ground
  Vec3<double> velocity_before_W, velocity_after_W;  // of the material point at point_W
  Vec3<double> impulse_W;                            // on the robot, N s
  double restitution = 0;                            // that was used
  double energy_lost = 0;                            // kinetic, J; negative where energy came in
  ContactMode mode = ContactMode::kOpen;  // of the foot after the event: a foot may land sliding
  FrameId root;  // the foot that supports after the event; not valid in flight
};

// First in, first out. A full ring drops the newest event and counts it: the gap in the sequence shows it as well.
class EventRing {
 public:
  void push(ContactEvent event) noexcept {
    event.sequence = next_sequence_++;
    if (size_ == kMaxEvents) {
      ++dropped_;
      return;
    }
    events_[static_cast<std::size_t>((first_ + size_++) % kMaxEvents)] = event;
  }
  bool pop(ContactEvent& event) noexcept {
    if (size_ == 0) return false;
    event = events_[static_cast<std::size_t>(first_)];
    first_ = (first_ + 1) % kMaxEvents;
    --size_;
    return true;
  }
  // Moves the times of the events that wait: for a reader's clock that is not the simulation's.
  void shift_times(double by) noexcept {
    for (int k = 0; k < size_; ++k)
      events_[static_cast<std::size_t>((first_ + k) % kMaxEvents)].time += by;
  }
  int size() const noexcept { return size_; }
  std::uint64_t dropped() const noexcept { return dropped_; }

 private:
  std::array<ContactEvent, kMaxEvents> events_{};
  int first_ = 0, size_ = 0;
  std::uint64_t next_sequence_ = 0, dropped_ = 0;
};

}  // namespace stance
