// How a file is refused inside this package: thrown where the fault is found, caught at the package's border, where
// it becomes the Error of a Result. It never leaves the package.
#pragma once

#include <string>
#include <utility>

#include "stance_core/base/result.hpp"

namespace stance {

struct Refusal {
  Error error;
};

[[noreturn]] inline void refuse(ErrorCode code, std::string element, std::string message) {
  throw Refusal{Error{code, std::move(element), std::move(message)}};
}

}  // namespace stance
