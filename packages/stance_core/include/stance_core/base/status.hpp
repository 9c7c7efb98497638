// What a real-time function returns. Nothing is repaired silently: a status that is not ok travels up.
#pragma once

namespace stance {

enum class [[nodiscard]] Status{
    kOk,
    kNonFinite,        // a number that came in or went out is NaN or infinite
    kSingularInertia,  // a joint sees no inertia: the acceleration it would have is not defined
};

constexpr const char* to_string(Status status) noexcept {
  switch (status) {
    case Status::kOk: return "ok";
    case Status::kNonFinite: return "a number is not finite";
    case Status::kSingularInertia:
      return "a joint moves no inertia, so its acceleration is not defined";
  }
  return "unknown status";
}

}  // namespace stance
