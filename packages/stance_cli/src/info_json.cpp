// The form of `stance info` for scripts.
#include <optional>

#include "info.hpp"
#include "stance_model/json.hpp"

namespace stance {
namespace {

void write_vector(const Vec3<double>& a, JsonWriter& json) {
  json.begin_array().number(a.x).number(a.y).number(a.z).end_array();
}

void write_optional(std::string_view key, const std::optional<double>& value, JsonWriter& json) {
  json.key(key);
  if (value) {
    json.number(*value);
  } else {
    json.null();
  }
}

void write_bodies(const Model& model, JsonWriter& json) {
  json.key("bodies").begin_array();
  for (int i = 0; i < model.body_count; ++i) {
    const BodyId body(i);
    json.begin_object().key("name").string(link_name(model, body)).key("parent");
    if (model.bodies[i].parent.valid()) {
      json.string(link_name(model, model.bodies[i].parent))
          .key("joint")
          .string(model.joints[i].name.view());
    } else {
      json.null().key("joint").null();
    }
    json.key("mass").number(model.bodies[i].I.m).key("center_of_mass");
    write_vector(body_center(model, body), json);
    json.key("links").begin_array();  // its own, and what was lumped into it
    for (int k = 0; k < model.frame_count; ++k) {
      if (model.frames[k].body == body) json.string(model.frames[k].name.view());
    }
    json.end_array().end_object();
  }
  json.end_array();
}

void write_joints(const std::vector<JointDescription>& joints, JsonWriter& json) {
  json.key("joints").begin_array();
  for (const auto& joint : joints) {
    json.begin_object().key("name").string(joint.name).key("kind").string(kind_name(joint.type));
    json.key("parent").string(joint.parent).key("child").string(joint.child);
    if (joint.type != JointType::kFixed) {
      write_optional("lower", joint.limits.lower, json);
      write_optional("upper", joint.limits.upper, json);
      write_optional("velocity", joint.limits.velocity, json);
      write_optional("effort", joint.limits.effort, json);
      json.key("damping").number(joint.damping).key("friction").number(joint.friction);
      json.key("armature").number(joint.armature).key("mimic");
      if (joint.mimic) {
        json.begin_object().key("joint").string(joint.mimic->joint);
        json.key("multiplier")
            .number(joint.mimic->multiplier)
            .key("offset")
            .number(joint.mimic->offset)
            .end_object();
      } else {
        json.null();
      }
    }
    json.end_object();
  }
  json.end_array();
}

void write_remarks(const std::vector<Remark>& remarks, JsonWriter& json) {
  json.key("load_report").begin_array();
  for (const auto& group : kRemarkGroups) {
    for (const auto& remark : remarks) {
      if (remark.kind != group.kind) continue;
      json.begin_object().key("kind").string(group.key);
      json.key("element").string(remark.element).key("text").string(remark.text).end_object();
    }
  }
  json.end_array();
}

}  // namespace

std::string info_json(const Robot& robot, const std::string& file) {
  const auto facts = robot_facts(robot.model);
  JsonWriter json;
  json.begin_object().key("robot").string(robot.description.name).key("file").string(file);
  json.key("root_link").string(link_name(robot.model, BodyId(0)));
  json.key("total_mass").number(facts.mass).key("center_of_mass");
  write_vector(facts.center, json);
  json.key("degrees_of_freedom").begin_object();
  json.key("joints").integer(facts.joint_dofs).key("free_base").integer(facts.free_dofs);
  json.key("independent_joints").integer(facts.independent_dofs).end_object();
  json.key("capacity").begin_object();
  for (const auto& capacity : facts.capacities) {
    json.key(capacity.key).begin_object().key("used").integer(capacity.used);
    json.key("available").integer(capacity.available).end_object();
  }
  json.end_object();
  write_bodies(robot.model, json);
  write_joints(robot.description.joints, json);
  write_remarks(robot.remarks, json);
  json.end_object();
  return json.text() + "\n";
}

}  // namespace stance
