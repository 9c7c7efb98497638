// stance view: the page of a run, in a browser.
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <optional>
#include <string>

#include "command.hpp"
#include "replay_tables.hpp"
#include "robot_options.hpp"
#include "stance_model/load_scenario.hpp"
#include "stance_report/overwrite.hpp"
#include "stance_report/replay.hpp"

extern char** environ;

namespace stance {
namespace {

namespace fs = std::filesystem;

struct Options {
  std::string dir;
  std::optional<std::string> scenario;
  LoadOptions robot;
  bool rebuild = false, no_open = false;
};

constexpr const char* kFooter =
    R"(Example: walk, and look at it
  stance run config/compass.yaml --out walk
  stance view walk
On a machine without a screen: make the page, copy it anywhere, open it in a browser
  stance view walk --no-open

The page is DIR/replay.html, which stance run writes. It is one file, needs no network, and
shows the motion in 3-D with contact forces, and plots that move with it; ? lists its keys.
--rebuild makes it anew from itself with the page of this program, such as after an update.
--scenario FILE makes it anew from trajectory.csv and events.csv of DIR, where a run wrote
no page; FILE is what was run, with the same robot.)";

// The program that opens a file as a double click would. False if there is none, or it fails at once.
bool open_in_browser(const fs::path& page) {
#ifdef __APPLE__
  const char* const program = "open";
#else
  const char* const program = "xdg-open";
#endif
  std::string name = program, file = fs::absolute(page).string();
  char* const arguments[] = {name.data(), file.data(), nullptr};
  pid_t child = 0;
  if (posix_spawnp(&child, program, nullptr, nullptr, arguments, environ) != 0) return false;
  int status = 0;
  return waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

std::optional<Error> write_page(const fs::path& page, const std::string& text) {
  std::ofstream out(page, std::ios::binary);
  out << text;
  out.close();
  if (out) return std::nullopt;
  return Error{ErrorCode::kFile, page.string(), "cannot be written; check permissions and space"};
}

std::optional<Error> renew(const fs::path& page) {
  std::ifstream in(page, std::ios::binary);
  const std::string old{std::istreambuf_iterator<char>(in), {}};
  auto text = renewed_replay_page(old);
  if (text) return write_page(page, *text);
  Error error = text.error();
  error.element = page.string();
  return error;
}

std::optional<Error> make_from_tables(const fs::path& dir, const fs::path& page,
                                      const std::string& file, const LoadOptions& robot) {
  const auto scenario = load_scenario(file, robot);
  if (!scenario) return scenario.error();
  if (auto error = overwritten_input(page, {(*scenario)->file, (*scenario)->robot_file}))
    return error;
  const auto replay = read_replay_tables(dir, **scenario);
  if (!replay) return replay.error();
  return write_replay(*replay, page);
}

int view(const Options& options) {
  const fs::path dir = options.dir, page = dir / "replay.html";
  std::error_code failure;
  if (!fs::is_directory(dir, failure)) {
    return fail({ErrorCode::kFile, options.dir,
                 "is no directory; give the one that stance run --out wrote"});
  }
  if (options.scenario) {
    if (const auto error = make_from_tables(dir, page, *options.scenario, options.robot))
      return fail(*error);
  } else if (!fs::is_regular_file(page, failure)) {
    return fail({ErrorCode::kFile, options.dir,
                 "holds no replay.html; run the scenario with --out, or give --scenario FILE to "
                 "make it from trajectory.csv and events.csv"});
  } else if (options.rebuild) {
    if (const auto error = renew(page)) return fail(*error);
  }
  fmt::print("{}\n", fs::absolute(page).lexically_normal().string());
  if (options.scenario || options.rebuild) {
    if (!replay_has_view())
      note("this program was built without the page's 3-D view: npm or the network was missing");
  }
  std::fflush(stdout);
  if (!options.no_open && !open_in_browser(page))
    note("no browser could be opened; open that file in one");
  return kExitOk;
}

}  // namespace

void add_view(CLI::App& app, int& exit_code) {
  const auto options = std::make_shared<Options>();
  auto* command = app.add_subcommand("view", "Look: open the page of a run in a browser");
  command->footer(kFooter);
  command->add_option("DIR", options->dir, "directory that stance run --out wrote")->required();
  auto* rebuild = command->add_flag("--rebuild", options->rebuild,
                                    "make the page anew from itself");
  command->add_option("--scenario", options->scenario, "make the page anew from the tables")
      ->option_text("FILE")
      ->excludes(rebuild);
  add_robot_options(*command, options->robot);
  command->add_flag("--no-open", options->no_open, "print where the page is, and open nothing");
  command->callback([options, &exit_code] { exit_code = view(*options); });
}

}  // namespace stance
