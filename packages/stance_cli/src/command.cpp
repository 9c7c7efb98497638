#include "command.hpp"

#include <fmt/format.h>

#include <cstdio>

namespace stance {

int fail(const Error& error) {
  std::fflush(stdout);  // what was printed before comes before
  fmt::print(stderr, "stance: {}\n", error.text());
  return kExitBadInput;
}

int fail_usage(const std::string& message, const std::string& command) {
  fmt::print(stderr, "stance: {}\nTry: {} --help\n", message, command);
  return kExitUsage;
}

void note(const std::string& text) { fmt::print(stderr, "stance: note: {}\n", text); }

}  // namespace stance
