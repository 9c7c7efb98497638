// stance gait find, and what stands behind the other commands of stance gait.
#pragma once

#include <CLI/CLI.hpp>
#include <memory>
#include <string>
#include <vector>

#include "stance_gait/find_gait.hpp"
#include "stance_gait/make_walker.hpp"
#include "stance_model/load_scenario.hpp"

namespace stance {

struct GaitOptions {
  std::string scenario;
  std::vector<std::string> set;
  LoadOptions robot;
  int settle = 0;
  int steps = 1;
  bool quiet = false;
};

// The scenario, its walker and the map that belongs to it.
struct GaitSubject {
  std::vector<Assignment> assignments;
  std::unique_ptr<Scenario> scenario;
  Walker walker;
};

// The scenario with these values of parameters.
Result<std::unique_ptr<Scenario>> load_gait_scenario(const GaitOptions& options,
                                                     std::vector<Assignment> assignments);

Result<GaitSubject> load_subject(const GaitOptions& options);
void add_gait_options(CLI::App& command, GaitOptions& options);

void add_gait_find(CLI::App& gait, int& exit_code);
void add_gait_follow(CLI::App& gait, int& exit_code);
void add_gait_map(CLI::App& gait, int& exit_code);
void add_gait_sweep(CLI::App& gait, int& exit_code);
void add_gait_tune(CLI::App& gait, int& exit_code);

struct FindOptions : GaitOptions {
  bool json = false, robust = false;
  std::string write;
};
void add_find_options(CLI::App& command, FindOptions& options);
int find_and_print(const FindOptions& options);

}  // namespace stance
