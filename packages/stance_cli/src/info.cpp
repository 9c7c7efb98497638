// stance info: what a robot file holds, and what became of it when it was read.
#include "info.hpp"

#include <fmt/format.h>

#include <cmath>
#include <memory>

#include "command.hpp"
#include "output.hpp"
#include "robot_options.hpp"
#include "set_option.hpp"
#include "stance_core/dynamics/kinematics.hpp"
#include "stance_core/dynamics/momentum.hpp"
#include "stance_model/json.hpp"
#include "text_table.hpp"

namespace stance {
namespace {

struct Options {
  std::string robot;
  LoadOptions load;
  bool json = false;
  bool all = false;
  bool parameters = false;
  std::vector<std::string> set;
};

constexpr const char* kFooter = R"(Example: tables to read, and one number for a script
  stance info quadruped.urdf
  stance info quadruped.urdf --json | python3 -c 'import json,sys; print(json.load(sys.stdin)["total_mass"])'
What can be varied in a scenario by --set, with values, units and bounds:
  stance info config/compass.yaml --parameters)";

std::string bound(double x) {
  return std::isinf(x) ? (x < 0 ? "-inf" : "inf") : fmt::format("{:.6g}", x);
}

std::string parameters_text(const std::vector<Parameter>& parameters) {
  TextTable table;
  table.add_column("parameter", TextTable::Align::kLeft);
  table.add_column("value", TextTable::Align::kRight);
  table.add_column("unit", TextTable::Align::kLeft);
  table.add_column("from", TextTable::Align::kRight);
  table.add_column("to", TextTable::Align::kRight);
  for (const Parameter& p : parameters) {
    table.add_row(
        {p.name, fmt::format("{:.10g}", p.value), p.unit, bound(p.lower), bound(p.upper)});
  }
  return table.text(0);
}

std::string parameters_json(const std::vector<Parameter>& parameters) {
  JsonWriter json;
  json.begin_object().key("parameters").begin_array();
  for (const Parameter& p : parameters) {
    json.begin_object().key("name").string(p.name).key("value").number(p.value);
    json.key("unit").string(p.unit).key("lower").number(p.lower).key("upper").number(p.upper);
    json.end_object();
  }
  json.end_array().end_object();
  return json.text() + '\n';
}

int list(const Options& options) {
  const auto assignments = parse_assignments(options.set);
  if (!assignments) return fail(assignments.error());
  LoadOptions load = options.load;
  load.set = *assignments;
  // the whole scenario must load, or the values would be of nothing
  if (const auto scenario = load_scenario(options.robot, load); !scenario)
    return fail(scenario.error());
  const auto parameters = list_parameters(options.robot, *assignments);
  if (!parameters) return fail(parameters.error());
  auto output = Output::open("");
  if (!output) return fail(output.error());
  output->write(options.json ? parameters_json(*parameters) : parameters_text(*parameters));
  if (const auto error = output->close()) return fail(*error);
  return kExitOk;
}

int run(const Options& options) {
  if (options.parameters) return list(options);
  const auto robot = load_robot(options.robot, options.load);
  if (!robot) return fail(robot.error());
  auto output = Output::open("");
  if (!output) return fail(output.error());
  output->write(options.json ? info_json(**robot, options.robot)
                             : info_text(**robot, options.robot, options.all));
  if (const auto error = output->close()) return fail(*error);
  return kExitOk;
}

Vec3<double> robot_center(const Model& model) {
  if (!(total_mass(model) > 0)) return {};
  const std::unique_ptr<Tree> tree(new Tree(make_tree(model)));
  const auto w = std::make_unique<Workspace>();
  kinematics(model, *tree, neutral_state(model, *tree), *w);
  return center_of_mass(*tree, *w);
}

}  // namespace

RobotFacts robot_facts(const Model& model) {
  const int joint_dofs = model.dof_count - kSupportDofs;
  return {total_mass(model),
          robot_center(model),
          joint_dofs,
          model.dof_count,
          joint_dofs - model.mimic_count,
          {{"bodies", "bodies", model.body_count, kMaxBodies},
           {"degrees_of_freedom", "degrees of freedom", model.dof_count, kMaxDofs},
           {"frames", "frames", model.frame_count, kMaxFrames},
           {"mimic_joints", "mimic joints", model.mimic_count, kMaxMimics}}};
}

std::string_view link_name(const Model& model, BodyId body) {
  return model.frames[model.bodies[body].link].name.view();
}

Vec3<double> body_center(const Model& model, BodyId body) {
  const auto& I = model.bodies[body].I;
  if (!(I.m > 0)) return {};
  return inverse(model.frames[model.bodies[body].link].X_HF) * (I.h * (1 / I.m));
}

const char* kind_name(JointType type) {
  switch (type) {
    case JointType::kFixed: return "fixed";
    case JointType::kRevolute: return "revolute";
    case JointType::kContinuous: return "continuous";
    case JointType::kPrismatic: return "prismatic";
    case JointType::kBall: return "ball";
    case JointType::kPlanar: return "planar";
    case JointType::kFloating: return "floating";
  }
  return "unknown";
}

void add_info(CLI::App& app, int& exit_code) {
  const auto options = std::make_shared<Options>();
  auto* command = app.add_subcommand(
      "info", "What a robot holds, and what was lumped, defaulted or ignored");
  command->footer(kFooter);
  command
      ->add_option("ROBOT", options->robot,
                   "robot description (URDF), or with --parameters a scenario (YAML)")
      ->required();
  add_robot_options(*command, options->load);
  command->add_flag("--json", options->json, "the same as JSON, whole and with all digits");
  command->add_flag("--all", options->all, "show long lists whole");
  auto* parameters = command->add_flag("--parameters", options->parameters,
                                       "the numbers of a scenario and its robot, by name");
  add_set(*command, options->set);
  command->get_option("--set")->needs(parameters);
  command->callback([options, &exit_code] { exit_code = run(*options); });
}

}  // namespace stance
