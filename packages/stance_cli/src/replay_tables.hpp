// trajectory.csv and events.csv of a run, read back as a Replay.
#pragma once

#include <filesystem>

#include "stance_core/base/result.hpp"
#include "stance_model/scenario.hpp"
#include "stance_report/replay.hpp"

namespace stance {

// The tables know the force on a foot, not where on its sole: there it is drawn in the middle of the sole.
Result<Replay> read_replay_tables(const std::filesystem::path& dir, const Scenario& scenario);

}  // namespace stance
