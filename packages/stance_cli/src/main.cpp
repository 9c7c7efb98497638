// The program stance: hands the command line to the sub-commands, each of which is one file.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <csignal>
#include <exception>
#include <string>
#include <vector>

#include "command.hpp"
#include "nearest_name.hpp"
#include "output.hpp"
#include "stance_core/base/capacity.hpp"

namespace {

// What is wrong with a word of the command line that nothing takes.
std::string unexpected(const CLI::App& command, const std::string& name, const std::string& word) {
  using namespace stance;
  const bool option = word.starts_with('-');
  std::vector<std::string> known;
  if (option) {
    for (const CLI::Option* each : command.get_options())
      for (const std::string& long_name : each->get_lnames()) known.push_back("--" + long_name);
  } else {
    for (const CLI::App* each : command.get_subcommands(nullptr)) known.push_back(each->get_name());
    if (known.empty()) return fmt::format("'{}' is one argument too many for {}", word, name);
  }
  const std::string nearest = nearest_name(word.substr(0, word.find('=')), known);
  return fmt::format("'{}' is no {} of {}{}", word, option ? "option" : "command", name,
                     nearest.empty() ? "" : fmt::format("; did you mean {}?", nearest));
}

int run(int argc, char** argv) {
  using namespace stance;
  CLI::App app{"stance: dynamics of legged robots, from the URDF as it is.", "stance"};
  app.set_version_flag(
      "--version",
      fmt::format("stance {}, for robots of up to {} bodies and {} degrees of freedom",
                  STANCE_VERSION, kMaxBodies, kMaxDofs),
      "print version and capacity");
  app.set_help_flag("-h,--help", "print this help");
  app.footer(
      "stance COMMAND --help says more, with an example.\n"
      "Exit code: 0 all well, 1 something in the input is wrong, 2 the command line is,\n"
      "3 the robot fell, 4 a rate was not kept.");
  app.require_subcommand(0, 1);

  int exit_code = kExitOk;
  add_info(app, exit_code);
  add_dynamics(app, exit_code);
  add_inverse(app, exit_code);
  add_run(app, exit_code);
  add_rt(app, exit_code);
  add_gait(app, exit_code);
  add_schedule(app, exit_code);
  add_view(app, exit_code);

  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& success) {  // --help, --version
    app.exit(success);
    return kExitOk;
  } catch (const CLI::ParseError& error) {
    const auto chosen = app.get_subcommands();
    const CLI::App* innermost = chosen.empty() ? &app : chosen.front();
    std::string name = chosen.empty() ? "stance" : "stance " + innermost->get_name();
    while (!innermost->get_subcommands().empty()) {
      innermost = innermost->get_subcommands().front();
      name += " " + innermost->get_name();
    }
    const CLI::App& command = *innermost;
    const auto extras = command.remaining();
    return fail_usage(extras.empty() ? error.what() : unexpected(command, name, extras.front()),
                      name);
  }
  if (app.get_subcommands().empty()) {
    fmt::print(stderr, "{}", app.help());
    return kExitUsage;
  }
  return exit_code;
}

}  // namespace

int main(int argc, char** argv) {
  // A reader that has seen enough (stance ... | head) ends us quietly, even where a parent ignores the signal.
  std::signal(SIGPIPE, SIG_DFL);
  stance::open_standard_streams();
  int exit_code = stance::kExitOk;
  try {
    exit_code = run(argc, argv);
  } catch (const std::exception& error) {  // out of memory, or a mistake of ours
    exit_code = stance::fail({stance::ErrorCode::kUnsupported, "", error.what()});
  }
  // an answer that nobody got is no answer
  if (const auto error = stance::flush_standard_output()) {
    stance::fail(*error);
    if (exit_code == stance::kExitOk) exit_code = stance::kExitBadInput;
  }
  return exit_code;
}
