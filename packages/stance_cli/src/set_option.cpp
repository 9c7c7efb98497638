#include "set_option.hpp"

namespace stance {

void add_set(CLI::App& command, std::vector<std::string>& set) {
  command
      .add_option("--set", set,
                  "another value of a parameter, such as ground.slope=3deg; any number of times")
      ->option_text("NAME=VALUE")
      ->take_all()
      ->expected(1)
      ->allow_extra_args(false);
}

Result<std::vector<Assignment>> parse_assignments(const std::vector<std::string>& set) {
  std::vector<Assignment> assignments;
  for (const std::string& text : set) {
    auto assignment = parse_assignment(text);
    if (!assignment)
      return Error{assignment.error().code, "--set " + assignment.error().element,
                   assignment.error().message};
    assignments.push_back(*std::move(assignment));
  }
  return assignments;
}

Result<std::unique_ptr<Scenario>> load_scenario_with(const std::string& path, LoadOptions robot,
                                                     const std::vector<std::string>& set) {
  const auto assignments = parse_assignments(set);
  if (!assignments) return assignments.error();
  robot.set = *assignments;
  return load_scenario(path, robot);
}

}  // namespace stance
