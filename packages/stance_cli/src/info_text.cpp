// The form of `stance info` for people.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <optional>

#include "info.hpp"
#include "text_table.hpp"

namespace stance {
namespace {

constexpr std::size_t kFolded = 5;  // remarks of a kind that are shown without --all

using Align = TextTable::Align;

std::string number(double value) {
  if (std::abs(value) < 1e-15) return "0";  // what rounding left of a zero
  return fmt::format("{:.6g}", value);
}
std::string number(const std::optional<double>& value) { return value ? number(*value) : "-"; }
std::string number_or_dash(double value) { return value == 0 ? "-" : number(value); }

std::string follows(const JointDescription& joint) {
  if (!joint.mimic) return "";
  const auto& mimic = *joint.mimic;
  const std::string offset = mimic.offset == 0 ? "" : fmt::format(" {:+.6g}", mimic.offset);
  return fmt::format("{} x {}{}", number(mimic.multiplier), mimic.joint, offset);
}

bool moves(const JointDescription& joint) { return joint.type != JointType::kFixed; }

std::string summary(const Robot& robot) {
  const auto& model = robot.model;
  const auto facts = robot_facts(model);
  const auto moving = std::count_if(robot.description.joints.begin(),
                                    robot.description.joints.end(), moves);
  std::string text;
  const auto out = std::back_inserter(text);

  const bool floats = model.bodies[0].I.m > 0;
  fmt::format_to(out, "  root link           {}{}\n", link_name(model, BodyId(0)),
                 floats ? "" : " (no mass: this robot needs --fixed-base)");
  fmt::format_to(out, "  links               {}, which make {} bodies\n",
                 robot.description.links.size(), model.body_count);
  fmt::format_to(out, "  joints              {} that move, {} fixed\n", moving,
                 static_cast<std::ptrdiff_t>(robot.description.joints.size()) - moving);
  fmt::format_to(out, "  degrees of freedom  {} in the joints, {} with a free base",
                 facts.joint_dofs, facts.free_dofs);
  if (model.mimic_count > 0) {
    fmt::format_to(out, "; {} independent, {} follow (mimic)", facts.independent_dofs,
                   model.mimic_count);
  }
  fmt::format_to(out, "\n  total mass          {:.9g} kg\n", facts.mass);
  fmt::format_to(out, "  centre of mass      ({}, {}, {}) m in {}, all joints at zero\n",
                 number(facts.center.x), number(facts.center.y), number(facts.center.z),
                 link_name(model, BodyId(0)));
  std::string used;
  for (const auto& capacity : facts.capacities) {
    fmt::format_to(std::back_inserter(used), "{}{}/{} {}", used.empty() ? "" : ", ", capacity.used,
                   capacity.available, capacity.title);
  }
  fmt::format_to(out, "  capacity used       {}\n", used);
  return text;
}

std::string body_table(const Model& model) {
  TextTable table;
  for (const char* title : {"body", "parent"}) table.add_column(title, Align::kLeft);
  for (const char* title : {"mass", "x", "y", "z"}) table.add_column(title, Align::kRight);
  for (int i = 0; i < model.body_count; ++i) {
    const BodyId body(i);
    const auto c = body_center(model, body);
    table.add_row({std::string(link_name(model, body)),
                   i == 0 ? "-" : std::string(link_name(model, model.bodies[i].parent)),
                   number(model.bodies[i].I.m), number(c.x), number(c.y), number(c.z)});
  }
  return table.text(2);
}

std::string joint_table(const std::vector<JointDescription>& joints) {
  const bool any_mimic = std::any_of(
      joints.begin(), joints.end(),
      [](const JointDescription& joint) { return joint.mimic.has_value(); });
  TextTable table;
  for (const char* title : {"joint", "kind", "parent", "child"})
    table.add_column(title, Align::kLeft);
  if (any_mimic) table.add_column("follows", Align::kLeft);
  for (const auto& joint : joints) {
    if (!moves(joint)) continue;
    std::vector<std::string> cells{joint.name, kind_name(joint.type), joint.parent, joint.child};
    if (any_mimic) cells.push_back(follows(joint));
    table.add_row(std::move(cells));
  }
  return table.text(2);
}

std::string limit_table(const std::vector<JointDescription>& joints) {
  TextTable table;
  table.add_column("joint", Align::kLeft);
  for (const char* title :
       {"lower", "upper", "velocity", "effort", "damping", "friction", "armature"}) {
    table.add_column(title, Align::kRight);
  }
  for (const auto& joint : joints) {
    if (!moves(joint)) continue;
    const auto& limits = joint.limits;
    table.add_row({joint.name, number(limits.lower), number(limits.upper), number(limits.velocity),
                   number(limits.effort), number_or_dash(joint.damping),
                   number_or_dash(joint.friction), number_or_dash(joint.armature)});
  }
  return table.text(2);
}

std::string load_report(const std::vector<Remark>& remarks, bool all) {
  if (remarks.empty()) return "  nothing: all of the file was taken as it is\n";
  std::string text;
  for (const auto& group : kRemarkGroups) {
    std::vector<const Remark*> members;
    for (const auto& remark : remarks) {
      if (remark.kind == group.kind) members.push_back(&remark);
    }
    if (members.empty()) continue;
    text += fmt::format("  {} ({})\n", group.title, members.size());
    // a fold that hides one line would save nothing
    const std::size_t shown = all || members.size() <= kFolded + 1 ? members.size() : kFolded;
    for (std::size_t i = 0; i < shown; ++i) {
      const auto& remark = *members[i];
      text += wrapped(remark.element.empty() ? remark.text : remark.element + ": " + remark.text,
                      4);
    }
    if (shown < members.size())
      text += fmt::format("    ... and {} more (--all)\n", members.size() - shown);
  }
  return text;
}

}  // namespace

std::string info_text(const Robot& robot, const std::string& file, bool all) {
  const auto& joints = robot.description.joints;
  std::string text = fmt::format("Robot '{}' from {}\n", robot.description.name, file) +
                     summary(robot);
  text += "\nBodies (kg; centre of mass in m, in the frame of the link)\n" +
          body_table(robot.model);
  if (std::any_of(joints.begin(), joints.end(), moves)) {
    text += "\nJoints\n" + joint_table(joints);
    text += "\nLimits and drives (rad, m, N m, N and s; - is none)\n" + limit_table(joints);
  }
  return text + "\nLoad report\n" + load_report(robot.remarks, all);
}

}  // namespace stance
