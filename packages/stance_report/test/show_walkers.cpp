// Draws the reports of a few small walkers into the directory given, one folder each: to be looked at.
#include <cstdio>

#include "support/walkers.hpp"

int main(int argc, char** argv) {
  using namespace stance;
  using namespace stance::test;
  if (argc != 2) return std::fprintf(stderr, "usage: show_walkers DIRECTORY\n"), 2;
  const auto draw = [&](const char* name, Walk walk, double duration) {
    const RunInfo info{
        "drawn by show_walkers", std::string(walk.model->name.view()), 0.01, {}, 0, false};
    auto recorder = Recorder::open(*walk.model, walk.settings, info,
                                   std::filesystem::path(argv[1]) / name);
    if (!recorder) return std::fprintf(stderr, "%s\n", recorder.error().text().c_str()), false;
    watch(walk, **recorder, duration);
    const auto files = (*recorder)->finish(ending(walk));
    if (!files) return std::fprintf(stderr, "%s\n", files.error().text().c_str()), false;
    return true;
  };
  const bool ok = draw("compass", compass_walk(), 20) && draw("first_steps", compass_walk(), 1) &&
                  draw("no_steps", compass_walk(false, 0.2), 0.05) &&
                  draw("kneed", kneed_walker(), 3) && draw("rimless_wheel", rimless_wheel(), 10) &&
                  draw("fallen", compass_walk(true, 0.3), 10) &&
                  draw("powered", powered_compass(), 60);
  return ok ? 0 : 1;
}
