// Two tables say what there is: one of paths in a scenario file, one of numbers of a link and one of numbers of a joint. The
// rest walks.
#include "stance_model/parameters.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numbers>
#include <optional>

#include "apply_parameters.hpp"
#include "refusal.hpp"
#include "scenario_file.hpp"
#include "setting.hpp"
#include "stance_model/load_robot.hpp"
#include "stance_model/parse_urdf.hpp"
#include "stance_model/quantity.hpp"

namespace stance {
namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr double kRight = std::numbers::pi / 2;
constexpr Dimension kDamping{2, 1, -1, -1};  // N m s/rad, as an angle counts
constexpr Dimension kAny{99, 0, 0, 0};       // by the joint: of a hinge or of a slide

// ---- names

// A star stands for any letters but a dot.
bool fits(std::string_view pattern, std::string_view name) {
  if (pattern.empty()) return name.empty();
  if (pattern[0] == '*') {
    for (std::size_t k = 0; k <= name.size(); ++k) {
      if (fits(pattern.substr(1), name.substr(k))) return true;
      if (k < name.size() && name[k] == '.') break;
    }
    return false;
  }
  return !name.empty() && pattern[0] == name[0] && fits(pattern.substr(1), name.substr(1));
}

[[noreturn]] void refuse_name(const std::string& name, const std::vector<std::string>& known) {
  refuse(ErrorCode::kStructure, fmt::format("parameter '{}'", name),
         fmt::format("fits nothing in this scenario{}; stance info SCENARIO --parameters lists "
                     "what there is",
                     suggestion(name, known)));
}

double number(const Assignment& a, const Dimension& dimension, double lower, double upper) {
  const std::string element = fmt::format("parameter '{}'", a.name);
  double value = 0;
  try {
    value = parse_quantity(a.value, dimension);
  } catch (const QuantityError& error) {
    refuse(ErrorCode::kValue, element, error.sentence);
  }
  if (value < lower || value > upper) {
    refuse(ErrorCode::kValue, element,
           fmt::format("is {:g}; it must lie from {:g} to {:g}", value, lower, upper));
  }
  return value;
}

// ---- the scenario file

struct Entry {
  const char* path;  // with stars
  Dimension dimension;
  double lower, upper;
  std::optional<double> left_out;  // what it is where the file does not have it
  const char* parent = "";         // which the file must have for that
};

const std::vector<Entry>& entries() {
  static const std::vector<Entry> all = {
      {"gravity", kAcceleration, 0, kInf, 9.81},
      {"ground.slope", kAngle, -kRight, kRight, 0},
      {"contact.friction", kPureNumber, 0, kInf, {}},
      {"contact.restitution", kPureNumber, 0, 1, {}},
      {"contact.*", kPureNumber, 0, kInf, {}},
      {"feet.*.radius", kLength, 0, kInf, 0, "feet.*"},
      {"feet.*.friction", kPureNumber, 0, kInf, {}},
      {"feet.*.restitution", kPureNumber, 0, 1, {}},
      {"push_off.impulse", kImpulse, 0, kInf, {}},
      {"initial.angle", kAngle, -kInf, kInf, 0, "initial.support"},
      {"initial.rate", kAngularRate, -kInf, kInf, 0, "initial.support"},
      {"initial.joints.*", kAny, -kInf, kInf, {}},
      {"initial.joints.*.position", kAny, -kInf, kInf, {}},
      {"initial.joints.*.velocity", kAny, -kInf, kInf, {}},
      {"integrator.step", kTime, 0, kInf, 1e-3},
      {"integrator.tolerance", kPureNumber, 0, kInf, {}},
      {"duration", kTime, 0, kInf, {}},
      {"report.sample", kTime, 0, kInf, 0.01},
      {"pushes.*.start", kTime, 0, kInf, {}},
      {"pushes.*.duration", kTime, 0, kInf, {}},
      {"pushes.*.ramp", kTime, 0, kInf, {}},
      {"plant.seed", kPureNumber, 0, kInf, {}},
      {"plant.theta", kPureNumber, 0, 1, {}},
      {"plant.actuators.*.effort_limit", kTorque, 0, kInf, {}},
      {"plant.actuators.*.friction", kTorque, 0, kInf, {}},
      {"plant.actuators.*.viscous", kDamping, 0, kInf, {}},
      {"plant.actuators.*.armature", kMomentOfInertia, 0, kInf, {}},
      {"plant.actuators.*.delay", kTime, 0, kInf, {}},
  };
  return all;
}

// Numbers of the laws of stance_gait, which alone knows what they are where the scenario leaves them out.
struct LawNumber {
  const char* name;
  Dimension dimension;
};
constexpr Dimension kStiffness{2, 1, -2, -1};
constexpr LawNumber kLawNumbers[] = {
    {"hip_mass", kMass},
    {"leg_mass", kMass},
    {"leg_length", kLength},
    {"mass_below", kLength},
    {"gravity", kAcceleration},
    {"surplus", kTorque},
    {"energy_gain", {0, 0, 1, -2}},
    {"step_angle", kAngle},
    {"placement_kp", kStiffness},
    {"placement_kd", kDamping},
    {"effort_limit", kTorque},
    {"push_off", kImpulse},
    {"push_off_gain", {-1, 0, 1, 0}},
    {"push_off_limit", kImpulse},
    {"rate", kFrequency},
    {"bandwidth", kAngularRate},
    {"posture", kAngularRate},
    {"mu", kPureNumber},
    {"speed", kSpeed},
    {"sideways", kSpeed},
    {"turn", kAngularRate},
    {"swing", kTime},
    {"clearance", kLength},
    {"leg", kAngularRate},
};

// How an entry of a list is called.
std::string label(const YAML::Node& entry, std::size_t index) {
  if (entry.IsMap()) {
    for (const char* key : {"link", "joint", "name"}) {
      if (entry[key] && entry[key].IsScalar()) return entry[key].Scalar();
    }
  }
  return std::to_string(index);
}

// What the file holds, by path: scalars, maps and lists.
void walk(const YAML::Node& node, const std::string& path,
          const std::function<void(const std::string&, const YAML::Node&)>& see) {
  if (!path.empty()) see(path, node);
  const std::string prefix = path.empty() ? "" : path + ".";
  if (node.IsMap()) {
    for (const auto& entry : node) {
      if (entry.first.IsScalar()) walk(entry.second, prefix + entry.first.Scalar(), see);
    }
  } else if (node.IsSequence()) {
    for (std::size_t i = 0; i < node.size(); ++i) walk(node[i], prefix + label(node[i], i), see);
  }
}

struct Place {
  std::string path;
  YAML::Node node;  // undefined where the file leaves it out
  const Entry* entry = nullptr;
};

const Entry* entry_of(const std::string& path) {
  for (const Entry& entry : entries()) {
    if (fits(entry.path, path)) return &entry;
  }
  return nullptr;
}

std::vector<Place> places(const YAML::Node& root) {
  std::vector<Place> found;
  std::vector<std::string> there;
  walk(root, "", [&](const std::string& path, const YAML::Node& node) {
    there.push_back(path);
    if (!node.IsScalar()) return;
    found.push_back({path, node, entry_of(path)});
    // a position alone is short for both
    if (fits("initial.joints.*", path)) {
      found.back().path += ".position";
      found.push_back({path + ".velocity", YAML::Node(YAML::NodeType::Undefined), entry_of(path)});
    }
  });
  const auto has = [&](const std::string& path) {
    return std::find(there.begin(), there.end(), path) != there.end();
  };
  for (const Entry& entry : entries()) {
    if (!entry.left_out) continue;
    const std::string path = entry.path, parent = entry.parent;
    const auto add = [&](const std::string& p) {
      if (!has(p)) found.push_back({p, YAML::Node(YAML::NodeType::Undefined), &entry});
    };
    if (parent.empty()) add(path);
    for (const std::string& p : std::vector<std::string>(there)) {
      if (parent.empty() || !fits(parent, p)) continue;
      const std::size_t dot = path.rfind('.');
      add(parent.find('*') == parent.npos ? path : p + path.substr(dot));
    }
  }
  return found;
}

// Gives the node at a path a value; maps on the way are made.
void put(YAML::Node node, const std::string& path, const std::string& value) {
  const std::size_t dot = path.find('.');
  const std::string key = path.substr(0, dot);
  if (node.IsSequence()) {
    for (std::size_t i = 0; i < node.size(); ++i) {
      // names of links may have dots of their own
      const std::string name = label(node[i], i);
      if (path.compare(0, name.size() + 1, name + ".") == 0)
        return put(node[i], path.substr(name.size() + 1), value);
      if (path == name) {
        node[i] = value;
        return;
      }
    }
    return;
  }
  if (dot == path.npos) {
    node[key] = value;
    return;
  }
  if (!node[key]) node[key] = YAML::Node(YAML::NodeType::Map);
  if (node[key].IsScalar()) {  // of initial.joints
    const std::string position = node[key].Scalar();
    node[key] = YAML::Node(YAML::NodeType::Map);
    node[key]["position"] = position;
  }
  put(node[key], path.substr(dot + 1), value);
}

std::optional<double> value_at(const YAML::Node& root, std::initializer_list<const char*> path,
                               const Dimension& dimension) {
  YAML::Node node = YAML::Clone(root);
  for (const char* key : path) {
    if (!node.IsMap() || !node[key]) return {};
    const YAML::Node next = node[key];
    node.reset(next);
  }
  if (!node.IsScalar()) return {};
  try {
    return parse_quantity(node.Scalar(), dimension);
  } catch (const QuantityError&) {
    return {};  // the reader says it better
  }
}

// ---- the robot

struct LinkNumber {
  const char* name;
  Dimension dimension;
  double lower;
  double& (*at)(InertialDescription&);
};

constexpr LinkNumber kLinkNumbers[] = {
    {"mass", kMass, 0, [](InertialDescription& i) -> double& { return i.mass; }},
    {"com.x", kLength, -kInf, [](InertialDescription& i) -> double& { return i.center.x(); }},
    {"com.y", kLength, -kInf, [](InertialDescription& i) -> double& { return i.center.y(); }},
    {"com.z", kLength, -kInf, [](InertialDescription& i) -> double& { return i.center.z(); }},
    {"inertia.xx", kMomentOfInertia, 0,
     [](InertialDescription& i) -> double& { return i.inertia(0, 0); }},
    {"inertia.yy", kMomentOfInertia, 0,
     [](InertialDescription& i) -> double& { return i.inertia(1, 1); }},
    {"inertia.zz", kMomentOfInertia, 0,
     [](InertialDescription& i) -> double& { return i.inertia(2, 2); }},
};

struct JointNumber {
  const char* name;
  Dimension turns, slides;  // of a hinge, of a slide
  double lower, upper;
  std::optional<double> (*get)(const JointDescription&);
  void (*set)(JointDescription&, double);
};

const JointNumber kJointNumbers[] = {
    {"damping",
     kDamping,
     {0, 1, -1, 0},
     0,
     kInf,
     [](const JointDescription& j) -> std::optional<double> { return j.damping; },
     [](JointDescription& j, double x) { j.damping = x; }},
    {"friction", kTorque, kForce, 0, kInf,
     [](const JointDescription& j) -> std::optional<double> { return j.friction; },
     [](JointDescription& j, double x) { j.friction = x; }},
    {"armature", kMomentOfInertia, kMass, 0, kInf,
     [](const JointDescription& j) -> std::optional<double> { return j.armature; },
     [](JointDescription& j, double x) { j.armature = x; }},
    {"lower", kAngle, kLength, -kInf, kInf,
     [](const JointDescription& j) { return j.limits.lower; },
     [](JointDescription& j, double x) { j.limits.lower = x; }},
    {"upper", kAngle, kLength, -kInf, kInf,
     [](const JointDescription& j) { return j.limits.upper; },
     [](JointDescription& j, double x) { j.limits.upper = x; }},
    {"velocity", kAngularRate, kSpeed, 0, kInf,
     [](const JointDescription& j) { return j.limits.velocity; },
     [](JointDescription& j, double x) { j.limits.velocity = x; }},
    {"effort", kTorque, kForce, 0, kInf, [](const JointDescription& j) { return j.limits.effort; },
     [](JointDescription& j, double x) { j.limits.effort = x; }},
    {"origin.x", kLength, kLength, -kInf, kInf,
     [](const JointDescription& j) -> std::optional<double> { return j.origin.translation().x(); },
     [](JointDescription& j, double x) { j.origin.translation().x() = x; }},
    {"origin.y", kLength, kLength, -kInf, kInf,
     [](const JointDescription& j) -> std::optional<double> { return j.origin.translation().y(); },
     [](JointDescription& j, double x) { j.origin.translation().y() = x; }},
    {"origin.z", kLength, kLength, -kInf, kInf,
     [](const JointDescription& j) -> std::optional<double> { return j.origin.translation().z(); },
     [](JointDescription& j, double x) { j.origin.translation().z() = x; }},
};

// Every number of the robot: its name, dimension, bounds, value if it has one, and how to set it.
using SeeNumber = std::function<void(const std::string&, const Dimension&, double, double,
                                     std::optional<double>, const std::function<void(double)>&)>;
void visit(Description& robot, const SeeNumber& see) {
  for (LinkDescription& link : robot.links) {
    if (!link.inertial) continue;
    for (const LinkNumber& n : kLinkNumbers) {
      double& at = n.at(*link.inertial);
      see(fmt::format("robot.link.{}.{}", link.name, n.name), n.dimension, n.lower, kInf, at,
          [&](double x) { at = x; });
    }
  }
  for (JointDescription& joint : robot.joints) {
    const bool slides = joint.type == JointType::kPrismatic;
    for (const JointNumber& n : kJointNumbers) {
      const bool place = std::string_view(n.name).starts_with("origin");
      if (joint.type == JointType::kFixed && !place) continue;
      see(fmt::format("robot.joint.{}.{}", joint.name, n.name), slides ? n.slides : n.turns,
          n.lower, n.upper, n.get(joint), [&](double x) { n.set(joint, x); });
    }
  }
}

bool slides(const Description& robot, const std::string& joint) {
  for (const JointDescription& j : robot.joints) {
    if (j.name == joint) return j.type == JointType::kPrismatic;
  }
  return false;
}

Dimension dimension_of(const Place& place, const Description& robot) {
  if (!(place.entry->dimension == kAny)) return place.entry->dimension;
  constexpr std::string_view kHead = "initial.joints.";
  std::string joint = place.path.substr(kHead.size());
  const bool velocity = joint.ends_with(".velocity");
  if (const std::size_t dot = joint.rfind('.'); dot != joint.npos) joint.resize(dot);
  const bool linear = slides(robot, joint);
  if (velocity) return linear ? kSpeed : kAngularRate;
  return linear ? kLength : kAngle;
}

}  // namespace

std::vector<Assignment> with_those_of_file(const YAML::Node& root,
                                           const std::vector<Assignment>& assignments) {
  std::vector<Assignment> all;
  if (root.IsMap() && root["set"] && root["set"].IsMap()) {
    for (const auto& entry : root["set"]) {
      if (entry.first.IsScalar() && entry.second.IsScalar())
        all.push_back({entry.first.Scalar(), entry.second.Scalar()});
    }
  }
  all.insert(all.end(), assignments.begin(), assignments.end());
  return all;
}

bool is_of_robot(const Assignment& assignment) { return assignment.name.starts_with("robot."); }

void apply_to_file(const std::vector<Assignment>& assignments, YAML::Node& root) {
  if (!root.IsMap()) return;  // the reader says so
  const double slope_before = value_at(root, {"ground", "slope"}, kAngle).value_or(0);
  bool angle_is_given = false;
  for (const Assignment& a : assignments) {
    if (is_of_robot(a)) continue;
    std::vector<std::string> known;
    bool any = false;
    for (const Place& place : places(root)) {
      known.push_back(place.path);
      if (!fits(a.name, place.path)) continue;
      if (a.value.empty()) {  // what only a whole file has, such as initial.strike
        const std::size_t dot = place.path.find('.');
        root[place.path.substr(0, dot)].remove(place.path.substr(dot + 1));
        any = true;
        continue;
      }
      put(root, place.path, a.value);
      angle_is_given |= place.path == "initial.angle";
      any = true;
    }
    // what a file may have, and only the reader knows with what
    for (const char* free : {"contact.*", "feet.*.friction", "feet.*.restitution", "law.*"}) {
      if (any || !fits(free, a.name) || a.name.find('*') != a.name.npos) continue;
      if (std::string_view(free) == "law.*" && !root["law"]) continue;
      put(root, a.name, a.value);
      any = true;
    }
    if (!any) {
      for (const char* also : {"contact.friction", "contact.restitution"}) known.push_back(also);
      refuse_name(a.name, known);
    }
  }
  const double slope = value_at(root, {"ground", "slope"}, kAngle).value_or(0);
  if (slope == slope_before || angle_is_given || !root["initial"].IsMap()) return;
  const YAML::Node initial = root["initial"];
  if (!initial["support"] || initial["orientation"]) return;
  const double angle = value_at(root, {"initial", "angle"}, kAngle).value_or(0);
  put(root, "initial.angle", fmt::format("{:.17g} rad", angle + (slope - slope_before)));
}

void apply_to_robot(const std::vector<Assignment>& assignments, Description& robot) {
  for (const Assignment& a : assignments) {
    if (!is_of_robot(a)) continue;
    std::vector<std::string> known;
    bool any = false;
    visit(robot, [&](const std::string& name, const Dimension& dimension, double lower,
                     double upper, std::optional<double>, const std::function<void(double)>& set) {
      known.push_back(name);
      if (!fits(a.name, name)) return;
      const double x = number(a, dimension, lower, upper);
      set(x);
      any = true;
    });
    if (!any) refuse_name(a.name, known);
  }
}

Result<Assignment> parse_assignment(std::string_view text) {
  const std::size_t equals = text.find('=');
  if (equals == text.npos || equals == 0 || equals + 1 == text.size()) {
    return Error{ErrorCode::kSyntax, fmt::format("'{}'", text),
                 "must be NAME=VALUE, such as ground.slope=3deg"};
  }
  return Assignment{std::string(text.substr(0, equals)), std::string(text.substr(equals + 1))};
}

Assignment assignment(std::string name, double value) {
  return {std::move(name), fmt::format("{:.17g}", value)};
}

Result<std::vector<Parameter>> list_parameters(const std::filesystem::path& scenario,
                                               const std::vector<Assignment>& assignments) {
  try {
    YAML::Node root = read_scenario_file(scenario);
    const std::vector<Assignment> changes = with_those_of_file(root, assignments);
    apply_to_file(changes, root);
    Description robot;
    const YAML::Node file = root.IsMap() && root["robot"] && root["robot"].IsMap()
                                ? root["robot"]["file"]
                                : root["robot"];
    if (file && file.IsScalar()) {
      LoadOptions options;
      options.lenient = true;
      const auto text = read_robot_file((scenario.parent_path() / file.Scalar()).lexically_normal(),
                                        options);
      if (!text) return text.error();
      auto parsed = parse_urdf(*text, {options.lenient, options.name});
      if (!parsed) return parsed.error();
      robot = *std::move(parsed);
      apply_to_robot(changes, robot);
    }
    std::vector<Parameter> all;
    for (const Place& place : places(root)) {
      if (!place.entry) continue;
      const Dimension dimension = dimension_of(place, robot);
      double value = place.entry->left_out.value_or(0);
      if (place.node.IsDefined()) {
        try {
          value = parse_quantity(place.node.Scalar(), dimension);
        } catch (const QuantityError&) {
          continue;  // a word, such as "none"
        }
      }
      all.push_back(
          {place.path, value, example_unit(dimension), place.entry->lower, place.entry->upper});
    }
    if (root.IsMap() && root["law"] && root["law"].IsMap()) {
      for (const LawNumber& n : kLawNumbers) {
        if (const auto value = value_at(root, {"law", n.name}, n.dimension)) {
          all.push_back(
              {fmt::format("law.{}", n.name), *value, example_unit(n.dimension), -kInf, kInf});
        }
      }
    }
    visit(robot, [&](const std::string& name, const Dimension& dimension, double lower,
                     double upper, std::optional<double> value, const auto&) {
      if (value) all.push_back({name, *value, example_unit(dimension), lower, upper});
    });
    return all;
  } catch (Refusal& refusal) {
    return std::move(refusal.error);
  }
}

Result<Parameter> find_parameter(const std::vector<Parameter>& all, const std::string& name) {
  std::vector<std::string> known;
  for (const Parameter& p : all) {
    if (fits(name, p.name)) return p;
    known.push_back(p.name);
  }
  try {
    refuse_name(name, known);
  } catch (Refusal& refusal) {
    return std::move(refusal.error);
  }
}

}  // namespace stance
