#include "stance_model/write_scenario.hpp"

#include <fmt/format.h>
#include <yaml-cpp/yaml.h>

#include "apply_parameters.hpp"
#include "refusal.hpp"
#include "scenario_file.hpp"

namespace stance {
namespace {

namespace fs = std::filesystem;

std::string digits(double x) { return fmt::format("{:.17g}", x); }

std::string foot_link(const Scenario& scenario, int foot) {
  const FrameId frame = scenario.settings.feet[static_cast<std::size_t>(foot)].frame;
  return std::string(scenario.robot->model.frames[frame].name.view());
}

YAML::Node vector_node(const Vec3<double>& a) {
  YAML::Node node(YAML::NodeType::Sequence);
  for (const double x : {a.x, a.y, a.z}) node.push_back(digits(x));
  node.SetStyle(YAML::EmitterStyle::Flow);
  return node;
}

YAML::Node initial_node(const Scenario& scenario, const InitialState& initial) {
  const Model& model = scenario.robot->model;
  const auto name = [&](JointId joint) { return std::string(model.joints[joint].name.view()); };
  YAML::Node node(YAML::NodeType::Map);
  node["support"] = foot_link(scenario, initial.foot);
  switch (scenario.settings.feet[static_cast<std::size_t>(initial.foot)].support) {
    case JointKind::kFixed: break;
    case JointKind::kBall:
      node["orientation"] = vector_node(initial.orientation);
      node["angular_velocity"] = vector_node(initial.angular_velocity);
      break;
    default: node["angle"] = digits(initial.angle), node["rate"] = digits(initial.rate);
  }
  for (const JointStart& start : initial.joints) {
    YAML::Node joint(YAML::NodeType::Map);
    joint["position"] = digits(start.position);
    joint["velocity"] = digits(start.velocity);
    joint.SetStyle(YAML::EmitterStyle::Flow);
    node["joints"][name(start.joint)] = joint;
  }
  for (const JointId joint : initial.locked) node["locked"].push_back(name(joint));
  return node;
}

}  // namespace

Result<std::string> scenario_text(const Scenario& scenario,
                                  const std::vector<Assignment>& assignments,
                                  const InitialState& initial, const std::string& title,
                                  const fs::path& to) {
  try {
    YAML::Node root = read_scenario_file(scenario.file);
    const std::vector<Assignment> changes = with_those_of_file(root, assignments);
    apply_to_file(changes, root);
    for (const Assignment& a : changes) {
      if (is_of_robot(a)) root["set"][a.name] = a.value;
    }
    root["title"] = title;
    std::error_code ignored;
    const fs::path folder = fs::weakly_canonical(fs::absolute(to), ignored).parent_path();
    const fs::path robot = fs::weakly_canonical(fs::absolute(scenario.robot_file), ignored);
    const fs::path relative = robot.lexically_relative(folder);
    const std::string path = (relative.empty() ? robot : relative).string();
    if (root["robot"].IsMap()) {
      root["robot"]["file"] = path;
    } else {
      root["robot"] = path;
    }
    root["initial"] = initial_node(scenario, initial);
    YAML::Emitter out;
    out << root;
    return std::string(out.c_str()) + '\n';
  } catch (Refusal& refusal) {
    return std::move(refusal.error);
  }
}

}  // namespace stance
