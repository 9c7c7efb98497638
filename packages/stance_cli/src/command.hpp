// What the sub-commands share: exit codes, and how they report.
//
// A sub-command is one file with one function, add_NAME, that declares its options and what it does. What it does
// returns an exit code, which ends up in `exit_code`.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "stance_core/base/result.hpp"

namespace stance {

enum ExitCode : int {
  kExitOk = 0,
  kExitBadInput = 1,
  kExitUsage = 2,
  kExitFell = 3,
  kExitLate = 4
};

// What a signal ends a program with.
inline constexpr int kExitSignal = 128;

// Prints "stance: ..." on standard error.
int fail(const Error& error);
int fail_usage(const std::string& message, const std::string& command);
void note(const std::string& text);

void add_info(CLI::App& app, int& exit_code);
void add_dynamics(CLI::App& app, int& exit_code);
void add_gait(CLI::App& app, int& exit_code);
void add_inverse(CLI::App& app, int& exit_code);
void add_run(CLI::App& app, int& exit_code);
void add_rt(CLI::App& app, int& exit_code);
void add_schedule(CLI::App& app, int& exit_code);
void add_view(CLI::App& app, int& exit_code);

}  // namespace stance
