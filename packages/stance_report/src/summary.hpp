// summary.json: what a run came to.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "stance_report/recorder.hpp"
#include "stance_report/verdict.hpp"

namespace stance::report {

// `files` are named without their directory.
std::string summary_json(const RunInfo& info, const Ending& ending, const Verdict& verdict,
                         std::uint64_t events, std::uint64_t dropped_events,
                         const std::vector<std::filesystem::path>& files);

}  // namespace stance::report
