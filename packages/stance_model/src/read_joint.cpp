// <joint> -> JointDescription. The defaults are those of the URDF specification; one that changes how the robot moves
// (a missing axis, missing stops) is told in the remarks.
#include "read_joint.hpp"

#include <fmt/format.h>

#include <array>
#include <utility>

#include "element.hpp"
#include "refusal.hpp"

namespace stance {
namespace {

constexpr std::array<std::pair<std::string_view, JointType>, 6> kTypes{{
    {"revolute", JointType::kRevolute},
    {"continuous", JointType::kContinuous},
    {"prismatic", JointType::kPrismatic},
    {"fixed", JointType::kFixed},
    {"floating", JointType::kFloating},
    {"planar", JointType::kPlanar},
}};

JointType read_type(const Element& joint, const std::string& name, LoadReport& report) {
  for (const auto& [known, type] : kTypes) {
    if (name == known) return type;
  }
  if (name == "ball" || name == "spherical") {
    refuse_unless_lenient(
        joint,
        {ErrorCode::kUnsupported, "URDF has no ball joint",
         "write type=\"floating\" and put <stance type=\"ball\"/> inside", "takes a ball joint"},
        report);
    return JointType::kBall;
  }
  refuse(
      ErrorCode::kUnsupported, joint,
      fmt::format("type '{}' is unknown; use revolute, continuous, prismatic, fixed, floating or "
                  "planar",
                  name));
}

bool has_stops(JointType type) {
  return type == JointType::kRevolute || type == JointType::kPrismatic;
}

bool has_axis(JointType type) {
  return has_stops(type) || type == JointType::kContinuous || type == JointType::kPlanar;
}

// One joint while it is read: what every function below needs.
struct JointReader {
  const Element& joint;
  std::string_view type_name;
  JointDescription& result;
  LoadReport& report;
  std::vector<std::string> meaningless{};  // tags that have no effect on this type of joint

  void tell(std::string what, Remark::Kind kind = Remark::Kind::kIgnored) const {
    report.tell(kind, joint.owner, std::move(what));
  }

  // The child of that tag, if it is there and means something on this type of joint.
  std::optional<Element> meaningful_child(const char* tag, bool meaningful) {
    auto found = child(joint, tag, report);
    if (!found || meaningful) return found;
    meaningless.push_back(fmt::format("<{}>", tag));
    return {};
  }

  void read_axis() {
    const auto axis = meaningful_child("axis", has_axis(result.type));
    if (axis) {
      remark_unknown(*axis, {"xyz"}, {}, report);
      result.axis = required_vector3(*axis, "xyz");
    } else if (has_axis(result.type)) {
      tell("no <axis>: 1 0 0 taken, the default of URDF", Remark::Kind::kDefaulted);
    }
  }

  // Of effort or velocity.
  std::optional<double> read_limit(const Element& limit, const char* name) const {
    const auto value = number(limit, name, kLargestLimit);
    if (value && *value >= 0) return value;
    const std::string what = value ? fmt::format("its {} limit is {:g}", name, *value)
                                   : fmt::format("the attribute '{}' is missing", name);
    refuse_unless_lenient(limit,
                          {value ? ErrorCode::kValue : ErrorCode::kStructure, what,
                           value ? "it must be zero or positive" : "add it", "takes no limit"},
                          report);
    return {};
  }

  void read_limits() {
    const bool stops = has_stops(result.type);
    const auto limit = meaningful_child("limit", stops || result.type == JointType::kContinuous);
    if (!limit && stops) {
      const std::string what = fmt::format("a {} joint needs <limit lower upper effort velocity/>",
                                           type_name);
      refuse_unless_lenient(joint,
                            {ErrorCode::kStructure, what,
                             result.type == JointType::kRevolute
                                 ? "add it, or make the joint continuous if it has no stops"
                                 : "add it",
                             "takes no limit"},
                            report);
    }
    if (!limit) return;
    remark_unknown(*limit, {"lower", "upper", "effort", "velocity"}, {}, report);
    result.limits.effort = read_limit(*limit, "effort");
    result.limits.velocity = read_limit(*limit, "velocity");
    const auto lower = number(*limit, "lower", kLargestLimit);
    const auto upper = number(*limit, "upper", kLargestLimit);
    if (!stops) {
      if (lower || upper) tell("lower and upper limit mean nothing on a continuous joint");
      return;
    }
    result.limits.lower = lower.value_or(0);
    result.limits.upper = upper.value_or(0);
    if (!lower && !upper) {
      tell("no lower and no upper limit: 0 taken for both, the default of URDF, so it cannot move",
           Remark::Kind::kDefaulted);
    } else if (!lower || !upper) {
      tell(fmt::format("no {} limit: 0 taken, the default of URDF", lower ? "upper" : "lower"),
           Remark::Kind::kDefaulted);
    }
  }

  void read_dynamics() {
    const auto dynamics = meaningful_child("dynamics", result.type != JointType::kFixed);
    if (!dynamics) return;
    remark_unknown(*dynamics, {"damping", "friction"}, {}, report);
    result.damping = number(*dynamics, "damping").value_or(0);
    result.friction = number(*dynamics, "friction").value_or(0);
  }

  void read_mimic() {
    const auto mimic = meaningful_child("mimic", result.type != JointType::kFixed);
    if (!mimic) return;
    remark_unknown(*mimic, {"joint", "multiplier", "offset"}, {}, report);
    result.mimic = MimicDescription{required_text(*mimic, "joint"),
                                    number(*mimic, "multiplier").value_or(1),
                                    number(*mimic, "offset").value_or(0)};
  }

  // <stance type="ball" armature="0.01"/>. It is ours, so what we do not know in it is an error and not a remark.
  void read_extension() const {
    const auto ours = child(joint, "stance", report);
    if (!ours) return;
    std::vector<Remark> unknown;
    LoadReport not_ours{unknown};
    remark_unknown(*ours, {"type", "armature"}, {}, not_ours);
    if (!unknown.empty()) {
      refuse(ErrorCode::kUnsupported, *ours,
             unknown.front().text + "; it takes type=\"ball\" and armature=\"...\"");
    }
    if (const auto type = text(*ours, "type")) {
      if (*type != "ball") {
        refuse(ErrorCode::kUnsupported, *ours,
               fmt::format("type '{}' is unknown; \"ball\" is the only one", *type));
      }
      if (result.type != JointType::kFloating && result.type != JointType::kBall) {
        refuse(ErrorCode::kUnsupported, *ours,
               fmt::format("type=\"ball\" is for floating joints, and this one is {}; make it "
                           "type=\"floating\"",
                           type_name));
      }
      result.type = JointType::kBall;
    }
    if (const auto armature = number(*ours, "armature")) {
      if (result.type == JointType::kFixed) {
        refuse(ErrorCode::kUnsupported, *ours, "a fixed joint has no drive; remove the armature");
      }
      result.armature = *armature;
    }
  }

  void tell_ignored() const {
    if (!meaningless.empty()) {
      tell(fmt::format("{} mean{} nothing on a {} joint", fmt::join(meaningless, ", "),
                       meaningless.size() > 1 ? "" : "s", type_name));
    }
    for (const char* tag : {"calibration", "safety_controller"}) {
      if (const auto found = child(joint, tag, report)) {
        tell(fmt::format("<{}> in line {} is not used", tag, found->xml.GetLineNum()));
      }
    }
    remark_unknown(joint, {"name", "type"},
                   {"origin", "parent", "child", "axis", "limit", "dynamics", "mimic", "stance",
                    "calibration", "safety_controller"},
                   report);
  }
};

std::string link_of(const Element& joint, const char* tag, LoadReport& report) {
  const auto end = required_child(joint, tag, fmt::format("<{} link=\"...\"/>", tag), report);
  remark_unknown(end, {"link"}, {}, report);
  return required_text(end, "link");
}

}  // namespace

JointDescription read_joint(const tinyxml2::XMLElement& xml, LoadReport& report) {
  JointDescription result;
  result.name = required_text(Element{xml, "joint"}, "name");
  const Element joint{xml, fmt::format("joint '{}'", result.name)};
  const std::string type_name = required_text(joint, "type");
  result.type = read_type(joint, type_name, report);
  result.parent = link_of(joint, "parent", report);
  result.child = link_of(joint, "child", report);
  result.origin = origin(joint, report);

  JointReader reader{joint, type_name, result, report};
  reader.read_axis();
  reader.read_limits();
  reader.read_dynamics();
  reader.read_mimic();
  reader.read_extension();
  reader.tell_ignored();
  return result;
}

}  // namespace stance
