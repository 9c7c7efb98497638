// What a real-time function returns. Nothing is repaired silently: a status that is not ok travels up.
#pragma once

namespace stance {

enum class [[nodiscard]] Status{
    kOk,
    kNonFinite,        // a number that came in or went out is NaN or infinite
    kSingularInertia,  // a joint sees no inertia: the acceleration it would have is not defined
    kEventLimit,       // more events in one step than there may be
    kStepLimit,        // the error control asked for more sub-steps than there may be
    kFallen,           // the robot lies on the ground: reset it before stepping on
    kBadCommand,       // what was asked for has no meaning: nothing was changed
    kFull,             // as many pushes or faults as there may be: nothing was added
    kInconsistent,     // joints, loops and contacts ask for motions that exclude each other
    kNoContactForce,   // no contact forces satisfy Coulomb's law (Painlevé)
    kBelowGround,      // a foot began below the ground
};

constexpr const char* to_string(Status status) noexcept {
  switch (status) {
    case Status::kOk: return "ok";
    case Status::kNonFinite: return "a number is not finite";
    case Status::kSingularInertia:
      return "a joint moves no inertia, so its acceleration is not defined";
    case Status::kEventLimit:
      return "too many events in one step: the contacts chatter, or the step is too long";
    case Status::kStepLimit:
      return "the error control needs more sub-steps than are allowed: shorten the step or relax "
             "the tolerance";
    case Status::kFallen: return "the robot has fallen";
    case Status::kBadCommand: return "what was asked for has no meaning, and was ignored";
    case Status::kInconsistent:
      return "what holds the robot contradicts itself: no motion satisfies all joints, loops and "
             "contacts";
    case Status::kNoContactForce:
      return "no contact forces satisfy Coulomb's law here (a paradox of Painleve's): use less "
             "friction";
    case Status::kBelowGround:
      return "a foot began below the ground, and no motion leads there: start it higher";
    case Status::kFull: return "as many pushes or faults act or wait as there may be";
  }
  return "unknown status";
}

}  // namespace stance
