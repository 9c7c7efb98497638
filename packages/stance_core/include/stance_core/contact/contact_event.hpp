// Events: located instants with their cause, and the fixed ring that carries them out of the step.
#pragma once

#include <array>
#include <cstdint>

#include "stance_core/base/capacity.hpp"
#include "stance_core/base/index.hpp"
#include "stance_core/spatial/vec3.hpp"

namespace stance {

enum class EventKind : unsigned char { kTouchdown, kLiftoff, kPushOff, kStop, kRelease, kFall };

constexpr const char* to_string(EventKind kind) noexcept {
  constexpr const char* kNames[] = {"touchdown", "liftoff", "push_off", "stop", "release", "fall"};
  return kNames[static_cast<int>(kind)];
}

struct ContactEvent {
  std::uint64_t sequence = 0;
  double time = 0;  // of the located instant
  EventKind kind{};
  FrameId frame;  // the foot, the body that touched, or the link a stop holds
  JointId joint;  // of a stop or a release
  Vec3<double> point_W;
  Vec3<double> normal_W;
  Vec3<double> velocity_before_W, velocity_after_W;  // of the material point at point_W
  Vec3<double> impulse_W;                            // on the robot, N s
  double energy_lost = 0;                            // kinetic, J; negative where energy came in
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
