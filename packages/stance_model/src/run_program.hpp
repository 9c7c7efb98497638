// Runs a program to its end, or for so long, and keeps what it printed.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace stance {

struct ProgramRun {
  bool started = false;  // false: there is no such program in PATH, or it cannot be run
  int exit_code = -1;    // 128 + signal if it was killed by one
  bool cut = false;      // it printed more than was allowed, and was stopped
  bool late = false;     // it took longer than was allowed, and was stopped
  std::string out, err;
};

// Without a shell: `arguments` reach the program as they are. Input is empty.
ProgramRun run_program(const std::vector<std::string>& arguments, std::size_t max_output,
                       double seconds);

}  // namespace stance
