// stance info: what a robot file holds, and what became of it when it was read.
#include "info.hpp"

#include <memory>

#include "command.hpp"
#include "output.hpp"
#include "robot_options.hpp"
#include "stance_core/dynamics/kinematics.hpp"
#include "stance_core/dynamics/momentum.hpp"

namespace stance {
namespace {

struct Options {
  std::string robot;
  LoadOptions load;
  bool json = false;
  bool all = false;
};

constexpr const char* kFooter = R"(Example: tables to read, and one number for a script
  stance info quadruped.urdf
  stance info quadruped.urdf --json | python3 -c 'import json,sys; print(json.load(sys.stdin)["total_mass"])')";

int run(const Options& options) {
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
  command->add_option("ROBOT", options->robot, "robot description (URDF)")->required();
  add_robot_options(*command, options->load);
  command->add_flag("--json", options->json, "the same as JSON, whole and with all digits");
  command->add_flag("--all", options->all, "show long lists whole");
  command->callback([options, &exit_code] { exit_code = run(*options); });
}

}  // namespace stance
