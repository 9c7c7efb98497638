#include "summary.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace stance::report {
namespace {

TEST(Summary, IsTheJsonThatReadersExpect) {
  RunInfo info{"a \"quoted\" title\n", "compass", 0.01, {}, 7, true};
  Verdict verdict{true, 12, 0.734379, 0.535581, 1.1007, "steady: yes"};
  Ending ending{Ending::Why::kFell, 8.5, "hip", 0xabcu};
  ending.energy = {1.5, 0.25, 0.5, 0.125, 13, 0};
  ending.residual = {1e-12, 0, 2e-13};
  ending.implicit_steps = 2;
  EXPECT_EQ(summary_json(info, ending, verdict, 24, 1, {"somewhere/events.csv", "summary.json"}),
            R"({
  "title": "a \"quoted\" title\u000a",
  "robot": "compass",
  "steps": 12,
  "period": 0.734379,
  "step_length": 0.535581,
  "energy_lost_per_step": 1.1007,
  "steady": true,
  "verdict": "steady: yes",
  "ended": "fell",
  "ended_detail": "hip",
  "time": 8.5,
  "seed": 7,
  "state_hash": "0000000000000abc",
  "energy": {
    "efforts": 1.5,
    "pushes": 0.25,
    "damping": 0.5,
    "friction": 0.125,
    "impacts": 13,
    "holding": 0
  },
  "contact_residual": {
    "signorini": 1e-12,
    "cone": 0,
    "dissipation": 2e-13
  },
  "implicit_steps": 2,
  "events": 24,
  "dropped_events": 1,
  "files": [
    "events.csv",
    "summary.json"
  ]
}
)");
}

TEST(Summary, HasNullForWhatDoesNotExist) {
  Verdict verdict;
  verdict.period = verdict.length = std::numeric_limits<double>::quiet_NaN();
  const auto json = summary_json({}, {}, verdict, 0, 0, {});
  EXPECT_NE(json.find("\"period\": null"), std::string::npos) << json;
  EXPECT_NE(json.find("\"step_length\": null"), std::string::npos) << json;
  EXPECT_NE(json.find("\"seed\": null"), std::string::npos) << json;
  EXPECT_NE(json.find("\"files\": []"), std::string::npos) << json;
}

TEST(Summary, HasAWordForEveryEnding) {
  const std::pair<Ending::Why, const char*> words[] = {{Ending::Why::kDuration, "duration"},
                                                       {Ending::Why::kSteps, "steps"},
                                                       {Ending::Why::kFell, "fell"},
                                                       {Ending::Why::kInterrupted, "interrupted"},
                                                       {Ending::Why::kFailed, "failed"}};
  for (const auto& [why, word] : words) {
    const auto json = summary_json({}, Ending{why, 0, "", 0}, {}, 0, 0, {});
    EXPECT_NE(json.find(std::string("\"ended\": \"") + word + '"'), std::string::npos) << json;
  }
}

}  // namespace
}  // namespace stance::report
