// The program stance: hands the command line to the sub-commands, each of which is one file.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <csignal>
#include <exception>

#include "command.hpp"
#include "stance_core/base/capacity.hpp"

namespace {

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

  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& success) {  // --help, --version
    app.exit(success);
    return kExitOk;
  } catch (const CLI::ParseError& error) {
    const auto chosen = app.get_subcommands();
    return fail_usage(error.what(),
                      chosen.empty() ? "stance" : "stance " + chosen.front()->get_name());
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
  try {
    return run(argc, argv);
  } catch (const std::exception& error) {  // out of memory, or a mistake of ours
    return stance::fail({stance::ErrorCode::kUnsupported, "", error.what()});
  }
}
